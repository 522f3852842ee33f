package cli

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"inflight/ui"
)

const demoHelp = `Watch the engine at work: a shop sends orders, consumers of different speed take
them, and a few orders that nobody can read lapse and die. The line at the
bottom says what to watch and which key to press.

It runs over a store in memory: nothing is read, and nothing is kept. With
--listen your applications can join in.`

func demoCommand() *cobra.Command {
	var (
		plain bool
		last  time.Duration
		look  display

		listen listening
	)
	cmd := &cobra.Command{
		Use:     "demo",
		Short:   "watch it at work on made-up orders; nothing is kept",
		Long:    demoHelp,
		Example: "  inflight demo\n  inflight demo --plain --for 10s",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := listen.check(cmd); err != nil {
				return err
			}
			if plain {
				if listen.address != "" {
					return &usageError{errors.New("--listen does not go with --plain, whose time is made up")}
				}
				return plainDemo(cmd.Context(), cmd.OutOrStdout(), last, realPace(time.Now()))
			}
			if last != 0 {
				return &usageError{errors.New("--for goes with --plain only")}
			}
			return consoleDemo(cmd.Context(), look, listen)
		},
	}
	cmd.Flags().BoolVar(&plain, "plain", false, "print what happens as lines; needs no terminal")
	cmd.Flags().DurationVar(&last, "for", 0, "with --plain: end after this `duration`, such as 10s (unset: until interrupted)")
	look.flags(cmd)
	listen.flags(cmd, "")
	return cmd
}

func consoleDemo(ctx context.Context, look display, listen listening) error {
	if err := needTerminal(); err != nil {
		return err
	}
	p, err := listen.open(&place{memory: true})
	if err != nil {
		return err
	}
	store, err := openMemory()
	if err != nil {
		return closePort(p, err)
	}
	return showConsole(ctx, ui.Run, store, p, "demo", look, true)
}
