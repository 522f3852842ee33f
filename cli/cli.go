// Package cli is the command line: flags, the order in which the rooms are
// opened and closed, signals, and what an error is called in one line.
//
// It knows every room and no rule of any of them.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"inflight/wire"
)

// What the program returns to the shell.
const (
	exitOK      = 0
	exitFailure = 1 // it was asked well and did not work
	exitUsage   = 2 // it was asked for something that there is not
)

// Main runs the command line of this process and returns its exit code.
//
// An interrupt, a request to terminate and a closed terminal end the command
// in order, whatever it is doing. They stay caught until it has ended: a
// second one, which a closing terminal often sends, does not cut it short.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
}

// run executes one command line; it returns the exit code.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	root := rootCommand(out, errs)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	for _, line := range describe(err) {
		fmt.Fprintf(errs, "inflight: %s\n", line)
	}
	return exitCode(err)
}

const rootHelp = `inflight is a terminal console over a durable message queue.

  inflight         open the console on your queues
  inflight demo    watch it at work on made-up orders; nothing is kept
  inflight serve   the same queues for your applications, without a console

Applications use the SDK they have, for SQS or for SMQ, at the endpoint that the
console shows. See messages that are visible, in flight, delayed and dead; peek,
extend, release, delete, send, and redrive a dead-letter queue.`

func rootCommand(out, errs io.Writer) *cobra.Command {
	var (
		where  place
		look   display
		listen listening
	)
	root := &cobra.Command{
		Use:           "inflight",
		Short:         "a terminal console over a durable message queue",
		Long:          rootHelp,
		Args:          noArguments,
		SilenceUsage:  true,
		SilenceErrors: true,

		SuggestionsMinimumDistance: 2, // letters that may be wrong
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := errors.Join(where.check(), listen.check(cmd)); err != nil {
				return err
			}
			return runConsole(cmd.Context(), where, look, listen)
		},
	}
	root.SetOut(out) // before the completions are made: they keep it
	root.SetErr(errs)
	cobra.EnableCommandSorting = false // the order below is that of the help
	where.flags(root)
	look.flags(root)
	listen.flags(root, wire.DefaultListen)
	listen.quietFlag(root)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{err} })
	root.AddCommand(demoCommand(), serveCommand(), checkCommand(), versionCommand())
	root.InitDefaultCompletionCmd()
	refuseArguments(root)
	return root
}

// refuseArguments makes every command below root refuse words in its own way,
// those that cobra adds included.
func refuseArguments(root *cobra.Command) {
	for _, command := range root.Commands() {
		if command.Name() == "help" {
			continue // its arguments are commands
		}
		if !command.Runnable() { // else cobra does not look at the arguments
			command.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
		command.Args = noArguments
		refuseArguments(command)
	}
}

// noArguments refuses words that are neither a command nor a flag.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !cmd.HasSubCommands() {
		return &usageError{fmt.Errorf("%s takes no argument, and got %q", cmd.Name(), args[0])}
	}
	if alike := cmd.SuggestionsFor(args[0]); len(alike) > 0 {
		return &usageError{fmt.Errorf("there is no command %q; is it %s?", args[0], alike[0])}
	}
	return &usageError{fmt.Errorf("there is no command %q", args[0])}
}
