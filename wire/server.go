// Package wire serves the protocols that applications speak over HTTP, each in
// a folder of its own, and what stands beside them: the inspection of messages,
// metrics and health. It decides which requests get that far: from where, for
// which host, how big, and signed by whom.
package wire

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	"inflight/engine"
	"inflight/wire/smq"
	"inflight/wire/sqs"
)

// DefaultListen is where a server listens unless told otherwise: this machine
// only.
const DefaultListen = "127.0.0.1:9324"

// MaxRegion is how many characters Options.Region has at most.
const MaxRegion = sqs.MaxRegion

// Limits and time-outs of connections. A long poll takes 20 s, over SMQ 30 s;
// the time to write begins before it, so it must be longer, with time left for
// the answer.
const (
	maxConnections = 4096
	maxHeader      = 64 << 10 // bytes
	headerTime     = 10 * time.Second
	readTime       = 60 * time.Second
	writeTime      = 90 * time.Second
	idleTime       = 2 * time.Minute
	stopTime       = 5 * time.Second
)

// ErrExposed is returned by New for an address that others can reach, when
// there are neither credentials nor leave to serve without.
var ErrExposed = errors.New("listening elsewhere than on this machine needs credentials")

// Options are what a server takes from its surroundings. Zero values mean the
// defaults.
type Options struct {
	Listen string // ADDRESS:PORT; port 0 is any free one
	// Hosts are names under which clients may address the server, beside
	// localhost and IP addresses; "*" allows any. Foreign names are refused,
	// because a web page could make its own name point here.
	Hosts []string
	// Credentials are who may ask; nil: everyone, whatever the signature.
	Credentials *Credentials
	// Insecure allows to listen elsewhere than on this machine without
	// Credentials: everyone who can reach the port can read and delete everything.
	Insecure bool

	Account  string // see sqs.Options, as for the next three
	Region   string
	URL      string
	Cooldown bool

	Now  func() time.Time // default time.Now
	Seen func(client, action string)
	Log  *log.Logger // what net/http complains of; nil: nowhere
}

// Server serves one engine, which it does not own.
type Server struct {
	options  Options
	engine   *engine.Engine
	sqs      *sqs.Handler
	smq      *smq.Handler
	touched  touched
	hosts    hosts
	requests requests
	http     http.Server
	stop     context.CancelCauseFunc
}

// New makes a server. It returns ErrExposed, and *net.AddrError if the address
// to listen at is not ADDRESS:PORT.
func New(e *engine.Engine, o Options) (*Server, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = log.New(nowhere{}, "", 0)
	}
	s := &Server{options: o, engine: e, hosts: newHosts(o.Hosts, o.URL), requests: newRequests()}
	options := sqs.Options{
		Account: o.Account, Region: o.Region, URL: o.URL, Cooldown: o.Cooldown, Now: o.Now, Seen: s.seen,
		Touched: func(queue string) { s.touched.note(queue, SQS) },
	}
	if o.Credentials != nil {
		options.Authorizer = &authorizer{o.Credentials, o.Now}
	}
	s.sqs = sqs.New(e, options)
	s.smq = s.newSMQ()
	ctx, stop := context.WithCancelCause(context.Background())
	s.stop = stop
	s.http = http.Server{
		Handler: s, MaxHeaderBytes: maxHeader, ReadHeaderTimeout: headerTime, ReadTimeout: readTime,
		WriteTimeout: writeTime, IdleTimeout: idleTime, ErrorLog: o.Log,
		BaseContext: func(net.Listener) context.Context { return ctx }, ConnContext: sqs.ConnContext,
	}
	return s, nil
}

type nowhere struct{}

func (nowhere) Write(b []byte) (int, error) { return len(b), nil }

func (s *Server) seen(client, action string) {
	s.requests.count(action)
	if s.options.Seen != nil {
		s.options.Seen(client, action)
	}
}

// check fills in the address, and refuses one that New refuses.
func (o *Options) check() error {
	if o.Listen == "" {
		o.Listen = DefaultListen
	}
	host, _, err := net.SplitHostPort(o.Listen)
	if err != nil {
		return fmt.Errorf("listen at %q: %w", o.Listen, err)
	}
	if !loopback(host) && o.Credentials == nil && !o.Insecure {
		return fmt.Errorf("listen at %q: %w", o.Listen, ErrExposed)
	}
	return nil
}

// Listen opens the port, with the errors of the function Listen. The listener
// is the caller's until it goes to Serve.
func (s *Server) Listen() (net.Listener, error) { return Listen(s.options) }

// Listen opens the port for a server yet to be made with the same options: so
// a port that is taken is found before a store is opened. It returns
// what New returns, and *net.OpError if the port cannot be had.
func Listen(o Options) (net.Listener, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", o.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	return limit(l, maxConnections), nil
}

// Serve answers requests until ctx ends, and then stops: who waits for messages
// is told to ask again, what is being done is finished, and nil returned. What
// takes longer than 5 s is cut off, and the error wraps
// context.DeadlineExceeded. If l fails before ctx ends, Serve returns that error
// at once, without waiting for requests under way, except that it tells who
// waits for messages. It closes l, and can be called once.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	failed := make(chan error, 1)
	go func() { failed <- s.http.Serve(l) }()
	select {
	case err := <-failed:
		s.stop(errStopping)
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	s.stop(errStopping)
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	err := s.http.Shutdown(within)
	if err != nil {
		err = errors.Join(err, s.http.Close())
	}
	<-failed
	return err
}

// ServeHTTP answers one request, as Serve does.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var asked protocol = s.sqs
	if below(r.URL.Path, "/"+smq.Path) {
		// An endpoint that ends in a slash, with SMQ's paths behind it. What was
		// signed is the request's own line, which stays.
		r = r.Clone(r.Context())
		r.URL.Path, r.URL.RawPath = r.URL.Path[1:], strings.TrimPrefix(r.URL.RawPath, "/")
	}
	if below(r.URL.Path, smq.Path) {
		asked = s.smq
	}
	switch {
	case !s.hosts.known(r.Host):
		asked.RefuseHost(w, r)
	case fromWebPage(r):
		asked.RefuseWebPage(w, r)
	case below(r.URL.Path, sqs.InspectPath):
		s.sqs.ServeMessages(w, r)
	case r.URL.Path == healthPath:
		s.serveHealth(w, r)
	case r.URL.Path == metricsPath:
		s.serveMetrics(w, r)
	default:
		asked.ServeHTTP(w, r)
	}
}
