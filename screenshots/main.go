//go:build !pictures

// Command screenshots takes the README's pictures from the real console.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	from := flag.String("from", "", "draw this `file` (a frame with escape sequences) instead")
	to := flag.String("to", "", "where to write that picture")
	width := flag.Int("width", 100, "columns of that frame")
	height := flag.Int("height", 30, "rows of that frame")
	light := flag.Bool("light", false, "on a light background")
	flag.Parse()
	if err := run(*from, *to, *width, *height, *light); err != nil {
		fmt.Fprintln(os.Stderr, "screenshots:", err)
		os.Exit(1)
	}
}

func run(from, to string, width, height int, light bool) error {
	t := &darkTheme
	if light {
		t = &lightTheme
	}
	p, err := newPicture(t, 2)
	if err != nil {
		return err
	}
	frame, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	png, err := p.encode(readFrame(string(frame), width, height))
	if err != nil {
		return err
	}
	return os.WriteFile(to, png, 0o644)
}
