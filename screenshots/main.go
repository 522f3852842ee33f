// Command screenshots takes the README's pictures from the real console: it
// plays the demo in fake time, presses keys, and draws what the terminal shows
// (PNG, and its text beside it, which a test holds against the console).
//
//	go run ./screenshots              all pictures, into screenshots/
//	go run ./screenshots main help    these only
//	go run ./screenshots -from FILE -to PNG -width 80 -height 24
//
// The last form draws a frame from a file, escape sequences and all.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// sharp is how many pixels a point has in the pictures.
const sharp = 2

func main() {
	if err := run(os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "screenshots:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	flags := flag.NewFlagSet("screenshots", flag.ContinueOnError)
	dir := flags.String("dir", "screenshots", "`directory` to write the pictures to")
	from := flags.String("from", "", "draw the frame in this `file` instead")
	to := flags.String("to", "frame.png", "with -from: the picture's `file`")
	width := flags.Int("width", 100, "with -from: columns")
	height := flags.Int("height", 30, "with -from: rows")
	light := flags.Bool("light", false, "with -from: on a light background")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	if *from != "" {
		frame, err := os.ReadFile(*from)
		if err != nil {
			return err
		}
		return paint(readFrame(string(frame), *width, *height), *light, *to)
	}
	chosen, err := choose(flags.Args())
	if err != nil {
		return err
	}
	takeAll(chosen, *dir)
	return nil
}

// choose finds scenes by name; without names it is all of them.
func choose(names []string) ([]scene, error) {
	if len(names) == 0 {
		return scenes, nil
	}
	var chosen []scene
	for _, name := range names {
		found := false
		for _, s := range scenes {
			if s.name == name {
				chosen, found = append(chosen, s), true
			}
		}
		if !found {
			return nil, fmt.Errorf("there is no picture %q", name)
		}
	}
	return chosen, nil
}

// write writes a scene's picture, and its text beside it.
func write(s scene, shown *screen, dir string) error {
	base := filepath.Join(dir, s.name)
	if err := paint(shown, s.light, base+".png"); err != nil {
		return err
	}
	return os.WriteFile(base+".txt", []byte(shown.text()), 0o644)
}

// paint writes a screen's picture to a file.
func paint(shown *screen, light bool, file string) error {
	t := &darkTheme
	if light {
		t = &lightTheme
	}
	p, err := newPicture(t, sharp)
	if err != nil {
		return err
	}
	png, err := p.encode(shown)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, png, 0o644); err != nil {
		return err
	}
	fmt.Println(file)
	return nil
}
