package ui

import (
	"github.com/muesli/termenv"
)

// testTheme is the dark look in true colour.
func testTheme() theme { return newTheme(themeOptions{profile: termenv.TrueColor}) }
