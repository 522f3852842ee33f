package cli

import (
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

// display is how the console is drawn.
type display struct {
	noColor bool
	ascii   bool
	theme   theme
}

func (d *display) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&d.noColor, "no-color", false, "draw without colours (so does a NO_COLOR that is set)")
	flags.BoolVar(&d.ascii, "ascii", false, "draw with ASCII characters only (so does a locale that is not UTF-8)")
	flags.Var(&d.theme, "theme", "colours for a dark or a light background: dark, light (unset: ask the terminal)")
	// It fails for a flag that there is not, which is the line above.
	_ = cmd.RegisterFlagCompletionFunc("theme", cobra.FixedCompletions([]string{"dark", "light"}, cobra.ShellCompDirectiveNoFileComp))
}

// plainGlyphs says whether to draw with ASCII characters only.
func (d *display) plainGlyphs() bool { return d.ascii || !utf8Locale(os.Getenv) }

// utf8Locale says whether the locale's characters are UTF-8, by the first of
// its variables that is set. Where none is (as on Windows) they are.
func utf8Locale(env func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := strings.ToLower(env(name)); value != "" {
			return strings.Contains(value, "utf-8") || strings.Contains(value, "utf8")
		}
	}
	return true
}

// theme is a flag's value: empty, "dark" or "light".
type theme string

func (t *theme) String() string { return string(*t) }
func (t *theme) Type() string   { return "name" }
func (t *theme) Set(s string) error {
	if s != "dark" && s != "light" {
		return errors.New("it is dark or light")
	}
	*t = theme(s)
	return nil
}
