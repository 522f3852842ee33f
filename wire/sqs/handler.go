// Package sqs speaks the protocols of Amazon SQS, AWS JSON 1.0 and Query, over
// an engine.
//
// A request names its action; one table maps it to a function from a struct to
// a struct. Codecs turn requests into the one and the other into answers.
// Actions never see a request, and codecs never see the engine. The texts of
// all refusals are in faults.go, their codes and statuses in errors.go.
//
// CONFORMANCE.md names for each recorded fact about SQS the test that shows it.
package sqs

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"inflight/engine"
)

// Options are what a handler takes from its surroundings. Zero values mean the
// defaults.
type Options struct {
	Account string // in ARNs and queue URLs; default 000000000000
	// Region is where requests without a credential scope belong; default
	// us-east-1. A queue of another region is called name@region in the engine.
	Region string
	// URL is what queue URLs begin with, such as "http://queues:9324"; default
	// is what the request's Host header says.
	URL string
	// Cooldown makes a queue's name and a purge wait 60 s for the next, as SQS does.
	Cooldown bool
	Now      func() time.Time // default time.Now
	// Authorizer admits requests; nil admits all, whatever their signature.
	Authorizer Authorizer
	// Seen is told of each request for an action that exists, before it is
	// admitted: what its client calls itself, and the action.
	Seen func(client, action string)
	// Touched is told the engine's name of each queue that a request about
	// messages used.
	Touched func(queue string)
}

// Handler answers SQS requests. It is safe for concurrent use.
type Handler struct {
	engine     *engine.Engine
	options    Options
	cooldowns  cooldowns
	inspecting chan struct{} // holds the place of the one inspection at a time
}

// New makes a handler over an engine, which it does not own.
func New(e *engine.Engine, options Options) *Handler {
	if options.Account == "" {
		options.Account = "000000000000"
	}
	if options.Region == "" {
		options.Region = "us-east-1"
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.Seen == nil {
		options.Seen = func(string, string) {}
	}
	if options.Touched == nil {
		options.Touched = func(string) {}
	}
	return &Handler{engine: e, options: options, cooldowns: newCooldowns(), inspecting: make(chan struct{}, 1)}
}

// call is one request as its action sees it.
type call struct {
	*Handler
	ctx    context.Context
	region string
	base   string // what queue URLs begin with
	at     target // the queue in the request's path, if any
	query  bool   // the Query protocol: some texts differ
	holder string // what the client calls itself
	client *Client
	trace  string // X-Ray trace of the HTTP request
}

// bodies keeps buffers for request bodies and answers.
var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func release(b *bytes.Buffer) {
	if b.Cap() <= 1<<18 { // do not keep the memory of a rare giant
		b.Reset()
		bodies.Put(b)
	}
}

// ServeHTTP answers one request, in the protocol that it speaks (W7).
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body := bodies.Get().(*bytes.Buffer)
	defer release(body)
	p := h.protocol(w, r)
	if !asks(r) {
		w.Header().Set("Allow", "GET, POST")
		p.refuse(faultMethod.with(r.Method))
		return
	}
	if _, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, MaxBody)); err != nil {
		p.refuse(bodyRefusal(err))
		return
	}
	name, err := p.begin(r, body.Bytes())
	if err != nil {
		p.refuse(refusal(err))
		return
	}
	if name == "" {
		unknownOperation(w)
		return
	}
	a, known := actions[name]
	c, err := h.newCall(r, body.Bytes(), name, known)
	if err != nil {
		p.refuse(refusal(err))
		return
	}
	_, c.query = p.(*queryProtocol)
	if !known || c.query && a.noQueue && c.at.name != "" {
		p.refuse(faultUnknownAction.with(name))
		return
	}
	out, err := a.run(c, p.decode)
	finish(r.Context(), p, out, err)
}

// asks says whether a request's method is one of those by which SQS is asked.
// A HEAD, above all, must change nothing.
func asks(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodPost }

// ErrStopping is the cause of the end of requests' contexts when the server
// stops: those who wait are told so. Otherwise a context that ends is a client
// that has gone.
var ErrStopping = errors.New("server is stopping")

func finish(ctx context.Context, p protocol, out output, err error) {
	switch {
	case err == nil:
		p.answer(out)
	case errors.Is(context.Cause(ctx), ErrStopping):
		p.refuse(faultClosed.with())
	case ctx.Err() == nil:
		p.refuse(refusal(err))
	}
}

// RefuseHost answers a request for a host that is not ours with AccessDenied, in
// the protocol of the request.
func (h *Handler) RefuseHost(w http.ResponseWriter, r *http.Request) {
	h.protocol(w, r).refuse(faultHost.with(strconv.Quote(r.Host)))
}

// RefuseWebPage answers a request that a web page sent with AccessDenied, in the
// protocol of the request.
func (h *Handler) RefuseWebPage(w http.ResponseWriter, r *http.Request) {
	h.protocol(w, r).refuse(faultWebPage.with())
}

func bodyRefusal(err error) *Error {
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		return faultTooLarge.with(tooLong.Limit)
	}
	return faultMalformed.with(err)
}

// unknownOperation is what a request without an action gets (W14).
func unknownOperation(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/xml")
	w.WriteHeader(http.StatusNotFound)
	io.WriteString(w, "<UnknownOperationException/>\n")
}

// newCall finds out who calls, from where, and about which queue, and whether
// that is allowed. Actions that do not exist need only a good signature.
func (h *Handler) newCall(r *http.Request, body []byte, action string, known bool) (*call, error) {
	key, region := scope(r)
	c := &call{
		Handler: h, ctx: r.Context(), region: h.regionOr(region), base: h.base(r), client: &Client{Key: key},
		trace: r.Header.Get("X-Amzn-Trace-Id"),
	}
	c.at, _ = parseTarget(r.URL.Path)
	c.holder = holderName(r.UserAgent(), key, r.RemoteAddr)
	if known {
		h.options.Seen(c.holder, action)
	}
	if h.options.Authorizer == nil {
		return c, nil
	}
	client, err := h.options.Authorizer.Authorize(r, body)
	if err != nil {
		return nil, accessRefusal(err)
	}
	c.region = h.regionOr(client.Region) // what was signed, and no other
	if c.client = client; !known {
		return c, nil
	}
	return c, c.allow(action)
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

// protocol is one of the two ways of asking, for one request.
type protocol interface {
	// begin returns the name of the action, empty if there is none.
	begin(r *http.Request, body []byte) (action string, err error)
	decode(in input) error
	answer(out output)
	refuse(e *Error)
}

func (h *Handler) protocol(w http.ResponseWriter, r *http.Request) protocol {
	id := uuid.NewString()
	w.Header().Set("x-amzn-RequestId", id)
	if r.Header.Get("X-Amz-Target") != "" || strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-amz-json") {
		return &jsonProtocol{w: w}
	}
	tree := r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "application/json")
	return &queryProtocol{w: w, id: id, tree: tree}
}

// jsonProtocol is AWS JSON 1.0.
type jsonProtocol struct {
	w    http.ResponseWriter
	body []byte
}

func (p *jsonProtocol) begin(r *http.Request, body []byte) (string, error) {
	p.body = body
	target := r.Header.Get("X-Amz-Target")
	if target == "" {
		return "", faultNoAction.with()
	}
	return target[strings.LastIndexByte(target, '.')+1:], nil
}

func (p *jsonProtocol) decode(in input) error { return readJSON(p.body, in) }

func (p *jsonProtocol) answer(out output) {
	b := bodies.Get().(*bytes.Buffer)
	defer release(b)
	p.send(http.StatusOK, b, writeJSON(b.AvailableBuffer(), out))
}

func (p *jsonProtocol) refuse(e *Error) {
	p.w.Header().Set("x-amzn-query-error", e.code.query+";"+e.side())
	text := appendText([]byte(`{"__type":"`+e.code.shape+e.code.json+`","message":`), e.text)
	p.send(e.code.status, new(bytes.Buffer), append(text, '}'))
}

func (p *jsonProtocol) send(status int, b *bytes.Buffer, text []byte) {
	p.w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	respond(p.w, status, b, text)
}

// respond sends an answer whole, and keeps its memory in b.
func respond(w http.ResponseWriter, status int, b *bytes.Buffer, text []byte) {
	*b = *bytes.NewBuffer(text)
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	w.Write(text) // a client that has gone learns nothing
}

// queryProtocol is the older one: a form, answered in XML, or in JSON if a GET
// wants that.
type queryProtocol struct {
	w      http.ResponseWriter
	id     string
	action string
	tree   bool
	form   *form
}

func (p *queryProtocol) begin(r *http.Request, body []byte) (string, error) {
	f, err := parseForm(r.URL.RawQuery, string(body))
	if err != nil {
		return "", err
	}
	p.form, p.action = f, f.values["Action"]
	return p.action, nil
}

func (p *queryProtocol) decode(in input) error { return readForm(p.form, in) }

func (p *queryProtocol) answer(out output) {
	b := bodies.Get().(*bytes.Buffer)
	defer release(b)
	write := writeXML
	if p.tree {
		write = writeTree
	}
	p.send(http.StatusOK, b, write(b.AvailableBuffer(), p.action, p.id, out))
}

func (p *queryProtocol) refuse(e *Error) {
	write := writeXMLError
	if p.tree {
		write = writeTreeError
	}
	p.send(e.code.status, new(bytes.Buffer), write(nil, p.id, e))
}

func (p *queryProtocol) send(status int, b *bytes.Buffer, text []byte) {
	kind := "text/xml"
	if p.tree {
		kind = "application/json"
	}
	p.w.Header().Set("Content-Type", kind)
	respond(p.w, status, b, text)
}
