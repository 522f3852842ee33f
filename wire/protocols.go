package wire

import (
	"errors"
	"net/http"
	"sync"

	"inflight/wire/smq"
	"inflight/wire/sqs"
)

// The protocols, as people call them.
const (
	SQS = "SQS"
	SMQ = "SMQ"
)

// protocol is what answers requests of one kind.
type protocol interface {
	http.Handler
	RefuseHost(http.ResponseWriter, *http.Request)
	RefuseWebPage(http.ResponseWriter, *http.Request)
}

// errStopping is what each protocol takes for a server that stops.
var errStopping = errors.Join(sqs.ErrStopping, smq.ErrStopping)

// newSMQ makes the handler of SMQ, and gives it what it shares with SQS.
func (s *Server) newSMQ() *smq.Handler {
	options := smq.Options{
		URL: s.options.URL, Now: s.options.Now, Seen: s.seen, Holder: sqs.HolderName, Attentive: sqs.Attentive,
		Touched: func(queue string) { s.touched.note(queue, SMQ) },
	}
	if s.options.Credentials != nil {
		options.Credentials = smqCredentials{s.options.Credentials}
	}
	return smq.New(s.engine, options)
}

// smqCredentials are the server's, as package smq asks for them.
type smqCredentials struct{ all *Credentials }

func (c smqCredentials) Find(key string) (secret string, actions []string, ok bool) {
	one, ok := c.all.Find(key)
	return one.SecretKey, one.Actions, ok
}

// LastProtocol is the protocol by which messages of a queue, by the engine's
// name, were last sent, received or changed since the server was made: SQS, SMQ,
// or empty if there was no request.
func (s *Server) LastProtocol(queue string) string {
	name, _ := s.touched.last.Load(queue)
	protocol, _ := name.(string)
	return protocol
}

// maxTouched is how many queues are remembered, deleted ones among them;
// beyond that all are forgotten.
const maxTouched = 100_000

// touched remembers which protocol a queue was last used by. It changes
// seldom: an application stays with its protocol.
type touched struct {
	last sync.Map // from queue to protocol
	mu   sync.Mutex
	n    int // queues remembered
}

func (t *touched) note(queue, protocol string) {
	if was, ok := t.last.Load(queue); ok && was == protocol {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n >= maxTouched {
		t.last.Clear()
		t.n = 0
	}
	if _, known := t.last.Swap(queue, protocol); !known {
		t.n++
	}
}
