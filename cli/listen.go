package cli

import (
	"errors"
	"fmt"
	"net"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"inflight/wire"
)

// listening is what the flags say about the endpoint.
type listening struct {
	address     string // empty: no endpoint
	none        bool   // neither, whatever the address
	credentials string // a file
	account     string
	region      string
	hostnames   []string
	waits       bool
	insecure    bool
}

// flags adds those of a command that listens at standard unless told otherwise.
func (l *listening) flags(cmd *cobra.Command, standard string) {
	flags := cmd.Flags()
	flags.StringVar(&l.address, "listen", standard, "`address:port` where applications reach the queues; port 0 is any free one")
	flags.Var((*filled)(&l.credentials), "credentials", "`file` of access keys, secrets and what each may do (unset: any key will do)")
	flags.StringVar(&l.account, "account", "000000000000", "account `number` in ARNs and queue URLs")
	flags.StringVar(&l.region, "region", "us-east-1", "`region` of requests that name none")
	flags.StringArrayVar(&l.hostnames, "hostname", nil, "`name` under which clients reach this machine, beside localhost and IP addresses; may be repeated")
	flags.BoolVar(&l.waits, "aws-waits", false, "make a purge, and a deleted queue's name, wait 60 s for the next, as SQS does")
	flags.BoolVar(&l.insecure, "allow-insecure-remote", false, "listen for other machines without --credentials: who reaches the port can read and delete everything")
	// It fails for a flag that there is not.
	_ = cmd.MarkFlagFilename("credentials")
}

// quietFlag adds the flag that turns the endpoint off.
func (l *listening) quietFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&l.none, "no-listen", false, "open no port: applications cannot reach the queues")
}

var (
	accountForm  = regexp.MustCompile(`^[0-9]{12}$`)
	regionForm   = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)
	hostnameForm = regexp.MustCompile(`^(\*|[A-Za-z0-9_]([A-Za-z0-9._-]{0,251}[A-Za-z0-9_])?)$`)
)

// check refuses what cannot be meant.
func (l *listening) check(cmd *cobra.Command) error {
	used := cmd.Flags().Changed
	if l.none && used("listen") {
		return &usageError{errors.New("--listen and --no-listen exclude each other")}
	}
	if l.none || l.address == "" {
		for _, name := range []string{"credentials", "account", "region", "hostname", "aws-waits", "allow-insecure-remote"} {
			if used(name) {
				return &usageError{fmt.Errorf("--%s is about an endpoint, and there is none", name)}
			}
		}
		return nil
	}
	switch _, _, err := net.SplitHostPort(l.address); {
	case err != nil:
		return &usageError{fmt.Errorf("--listen %q is not ADDRESS:PORT, such as %s", l.address, wire.DefaultListen)}
	case !accountForm.MatchString(l.account):
		return &usageError{fmt.Errorf("--account %q is not 12 digits", l.account)}
	case !regionForm.MatchString(l.region) || len(l.region) > wire.MaxRegion:
		return &usageError{fmt.Errorf("--region %q is not small letters, digits and hyphens, %d at most", l.region, wire.MaxRegion)}
	}
	for _, name := range l.hostnames {
		if !hostnameForm.MatchString(name) {
			return &usageError{fmt.Errorf("--hostname %q is not a name; a port does not belong to it", name)}
		}
	}
	return nil
}

// portError is an address that cannot be listened on.
type portError struct {
	address   string
	err       error
	otherwise string // the ways out
}

func (e *portError) Error() string {
	return fmt.Sprintf("cannot listen on %s: %s", e.address, rootCause(e.err))
}
func (e *portError) Unwrap() error { return e.err }

// rootCause is the last of a chain of errors: what they add is in our text.
func rootCause(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

// open opens the port, before any store is; nil: there is to be none. A port
// is most often taken by whoever has the store as well: that is said then.
func (l *listening) open(where *place) (*port, error) {
	if l.none || l.address == "" {
		return nil, nil
	}
	o := wire.Options{
		Listen: l.address, Hosts: l.hostnames, Insecure: l.insecure,
		Account: l.account, Region: l.region, Cooldown: l.waits,
	}
	if l.credentials != "" {
		var err error
		if o.Credentials, err = wire.LoadCredentials(l.credentials); err != nil {
			return nil, err
		}
	}
	listener, err := wire.Listen(o)
	switch {
	case errors.Is(err, wire.ErrExposed):
		return nil, &usageError{fmt.Errorf("--listen %s is for other machines too: say --credentials FILE, or, to let everyone in, --allow-insecure-remote", l.address)}
	case err != nil:
		if taken := where.inUse(); taken != nil {
			return nil, taken
		}
		return nil, &portError{address: l.address, err: err, otherwise: "--listen ADDRESS:PORT opens another port"}
	}
	p := &port{listener: listener, options: o, credentials: l.credentials}
	p.options.Seen = p.visitors.saw
	return p, nil
}

// address is where this machine reaches a listener, which may listen on every
// address.
func reachable(a net.Addr, hostnames []string) string {
	host, number, err := net.SplitHostPort(a.String())
	if err != nil {
		return a.String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
		if len(hostnames) > 0 && hostnames[0] != "*" {
			host = hostnames[0]
		}
	}
	return net.JoinHostPort(host, number)
}

// connectLines are what to type where an application is started, in the words
// of its shell.
func connectLines(goos, endpoint, region, credentials string) []string {
	key, secret, from := "x", "x", ""
	if credentials != "" {
		key, secret, from = "KEY", "SECRET", "   # from "+credentials
	}
	set := func(pairs ...string) string {
		var words []string
		for i := 0; i < len(pairs); i += 2 {
			if goos == "windows" {
				words = append(words, fmt.Sprintf(`$env:%s="%s"`, pairs[i], pairs[i+1]))
			} else {
				words = append(words, pairs[i]+"="+pairs[i+1])
			}
		}
		if goos == "windows" {
			return strings.Join(words, "; ")
		}
		return "export " + strings.Join(words, " ")
	}
	return []string{
		set("AWS_ENDPOINT_URL_SQS", endpoint),
		set("AWS_ACCESS_KEY_ID", key, "AWS_SECRET_ACCESS_KEY", secret) + from,
		set("AWS_REGION", region, "AWS_DEFAULT_REGION", region), // SDKs read the one or the other
	}
}
