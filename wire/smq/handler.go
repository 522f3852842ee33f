// Package smq speaks the queue API of Alibaba Cloud Simple Message Queue
// (formerly MNS), version 2015-06-06, over an engine.
//
// Method, path and parameters name an action; one table maps it to a function
// from a struct to a struct. Codecs turn requests into the one and the other
// into XML. Actions never see a request, and codecs never see the engine. The
// codes and texts of all refusals are in errors.go.
//
// CONFORMANCE.md names for each operation, and for what one protocol cannot
// say to the other, the test that shows it.
package smq

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"inflight/engine"
)

// Path is what all paths of the protocol begin with.
const Path = "/queues"

// Options are what a handler takes from its surroundings. Zero values mean the
// defaults.
type Options struct {
	// URL is what queue URLs begin with, such as "http://queues:9324"; default
	// is what the request's Host header says.
	URL string
	Now func() time.Time // default time.Now
	// Credentials are who may ask; nil admits all, whatever their signature.
	Credentials Credentials
	// Holder makes a name out of a client's user agent, access key and address;
	// default is the user agent.
	Holder func(agent, key, address string) string
	// Seen is told of each request for an action whose signature is good: what
	// its client calls itself, and the action.
	Seen func(client, action string)
	// Touched is told the engine's name of each queue that a request about
	// messages used.
	Touched func(queue string)
	// Attentive makes a request's context end when its connection does; default
	// is to wait until net/http notices.
	Attentive func(context.Context) context.Context
}

// Credentials are who may ask.
type Credentials interface {
	// Find returns the secret of an access key, and the actions that it may do:
	// "*", or names such as "mns:SendMessage" or "SendMessage"; nil is everything.
	Find(key string) (secret string, actions []string, ok bool)
}

// Handler answers SMQ requests. It is safe for concurrent use.
type Handler struct {
	engine  *engine.Engine
	options Options
}

// New makes a handler over an engine, which it does not own.
func New(e *engine.Engine, options Options) *Handler {
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.Holder == nil {
		options.Holder = func(agent, _, _ string) string { return agent }
	}
	if options.Seen == nil {
		options.Seen = func(string, string) {}
	}
	if options.Touched == nil {
		options.Touched = func(string) {}
	}
	if options.Attentive == nil {
		options.Attentive = func(ctx context.Context) context.Context { return ctx }
	}
	return &Handler{engine: e, options: options}
}

// ErrStopping is the cause of the end of requests' contexts when the server
// stops: those who wait are told so. Otherwise a context that ends is a client
// that has gone.
var ErrStopping = errors.New("server is stopping")

// call is one request as its action sees it.
type call struct {
	*Handler
	ctx    context.Context
	base   string // what queue URLs begin with
	queue  string // named in the path; empty if none
	holder string // what the client calls itself
	who    *identity
}

// answer is what an action did.
type answer struct {
	status   int
	location string
	body     output // nil: none
}

// bodies keeps buffers for request bodies and answers.
var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func release(b *bytes.Buffer) {
	if b.Cap() <= 1<<18 { // do not keep the memory of a rare giant
		b.Reset()
		bodies.Put(b)
	}
}

// ServeHTTP answers one request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := h.exchange(w, r)
	body := bodies.Get().(*bytes.Buffer)
	defer release(body)
	if _, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, MaxBody)); err != nil {
		x.refuse(bodyRefusal(err))
		return
	}
	a, err := h.answer(r, body.Bytes())
	switch {
	case err == nil:
		x.send(a)
	case errors.Is(context.Cause(r.Context()), ErrStopping):
		x.refuse(faultClosed.with())
	case r.Context().Err() == nil:
		x.refuse(refusal(err))
	}
}

func bodyRefusal(err error) *Error {
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		return faultRange.with("Content-Length", 0, tooLong.Limit, " bytes")
	}
	return faultMalformed.with()
}

// answer finds out who asks, for what, and does it.
func (h *Handler) answer(r *http.Request, body []byte) (answer, error) {
	if !digestMatches(r.Header.Get("Content-Md5"), body) {
		return answer{}, faultDigest.with()
	}
	who, err := h.authenticate(r)
	if err != nil {
		return answer{}, err
	}
	at, err := parseTarget(r.URL.EscapedPath())
	if err != nil {
		return answer{}, err
	}
	s, err := newSource(r.Header, r.URL.RawQuery, body)
	if err != nil {
		return answer{}, err
	}
	name, err := route(r.Method, at, s)
	if err != nil {
		return answer{}, err
	}
	c := &call{Handler: h, ctx: r.Context(), base: h.base(r), queue: at.queue, who: who}
	c.holder = h.options.Holder(agentName(r.UserAgent()), who.shown, r.RemoteAddr)
	h.options.Seen(c.holder, name)
	if !who.may(name) {
		return answer{}, faultDenied.with()
	}
	return actions[name](c, s)
}

// base is what the URLs of queues begin with.
func (h *Handler) base(r *http.Request) string {
	switch {
	case h.options.URL != "":
		return strings.TrimSuffix(h.options.URL, "/")
	case r.TLS != nil:
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// RefuseHost answers a request for a host that is not ours.
func (h *Handler) RefuseHost(w http.ResponseWriter, r *http.Request) {
	h.exchange(w, r).refuse(faultHost.with(r.Host))
}

// RefuseWebPage answers a request that a web page sent.
func (h *Handler) RefuseWebPage(w http.ResponseWriter, r *http.Request) {
	h.exchange(w, r).refuse(faultWebPage.with())
}

// exchange is the answering half of one request.
type exchange struct {
	w    http.ResponseWriter
	id   string // of the request: 24 digits
	host string
}

func (h *Handler) exchange(w http.ResponseWriter, r *http.Request) *exchange {
	x := &exchange{w: w, id: fmt.Sprintf("%08X%016X", rand.Uint32(), rand.Uint64()), host: h.base(r)}
	w.Header().Set("x-mns-request-id", x.id)
	w.Header().Set("x-mns-version", "2015-06-06")
	return x
}

// refuse always writes all four children: clients fail without them.
func (x *exchange) refuse(e *Error) {
	b := bodies.Get().(*bytes.Buffer)
	defer release(b)
	o := &xmlWriter{b.AvailableBuffer()}
	o.document("Error", func() {
		o.text("Code", e.code.name)
		o.text("Message", e.text)
		o.text("RequestId", x.id)
		o.text("HostId", x.host)
	})
	x.respond(e.code.status, b, o.b)
}

func (x *exchange) send(a answer) {
	if a.location != "" {
		x.w.Header().Set("Location", a.location)
	}
	if a.body == nil {
		x.w.WriteHeader(a.status)
		return
	}
	b := bodies.Get().(*bytes.Buffer)
	defer release(b)
	o := &xmlWriter{b.AvailableBuffer()}
	a.body.write(o)
	x.respond(a.status, b, o.b)
}

// respond sends an answer whole, and keeps its memory in b. Clients parse, and
// notice an error, only with this content type.
func (x *exchange) respond(status int, b *bytes.Buffer, text []byte) {
	*b = *bytes.NewBuffer(text)
	x.w.Header().Set("Content-Type", "text/xml;charset=utf-8")
	x.w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	x.w.WriteHeader(status)
	x.w.Write(text) // a client that has gone learns nothing
}
