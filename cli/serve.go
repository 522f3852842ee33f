package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"

	"github.com/spf13/cobra"

	"inflight/engine"
	"inflight/wire"
)

const serveHelp = `Keep the queues and answer applications, without a console. Applications use
the SDK they have, for SQS or for SMQ: it prints the lines that point them here.

It ends in order at an interrupt or a request to terminate: who waits for
messages is told to ask again, what is being done is finished, and the store is
closed. While it runs the console cannot open the same store; to watch, start
inflight instead, which does both.

A file of credentials has a line each: access key, secret and, if not
everything is allowed, actions with commas between them.`

func serveCommand() *cobra.Command {
	var (
		where  place
		listen listening
	)
	cmd := &cobra.Command{
		Use:     "serve",
		Short:   "serve applications, without a console",
		Long:    serveHelp,
		Example: "  inflight serve\n  inflight serve --memory --listen 127.0.0.1:0\n  inflight serve --listen 0.0.0.0:9324 --credentials FILE",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := errors.Join(where.check(), listen.check(cmd)); err != nil {
				return err
			}
			if listen.address == "" {
				return &usageError{errors.New("--listen needs an address")}
			}
			return serve(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), where, listen)
		},
	}
	where.flags(cmd)
	listen.flags(cmd, wire.DefaultListen)
	return cmd
}

// serve runs engine and endpoint until ctx ends or one of them fails. It
// closes in order: requests, port, engine, store.
func serve(ctx context.Context, out, errs io.Writer, where place, listen listening) error {
	p, err := listen.open(&where)
	if err != nil {
		return err
	}
	store, err := where.open("inflight serve")
	if err != nil {
		return closePort(p, err)
	}
	s, err := startSession(store, engine.Options{})
	if err != nil {
		return closePort(p, err)
	}
	err = p.serve(s.engine, store, log.New(errs, "inflight: ", log.LstdFlags))
	if err == nil {
		fmt.Fprintf(out, "# inflight serves %s; data: %s\n", p.endpoint(), oneLine(where.name()))
		for _, line := range p.lines() {
			fmt.Fprintln(out, oneLine(line))
		}
		select {
		case <-ctx.Done():
		case broken := <-p.failed():
			p.ended <- broken // for end
		case broken := <-s.reaper:
			s.reaper <- broken
		}
	}
	return errors.Join(err, p.end(), s.end())
}
