package engine

import "context"

// The messages next in a lane are read before a receive needs them, since
// nothing reads the disk under the lock and a receive must know when what it
// hands out was sent. Messages just sent join without being read, as long as
// those before them are there.
const (
	aheadMessages = 512     // read at once, in one lane
	aheadFirst    = 64      // of which so many before their size is known
	aheadKept     = 4096    // sent ones kept, in one lane
	aheadBytes    = 1 << 20 // read at once, in one lane
	aheadTotal    = 32 << 20
)

// join appends a message just sent, before the lane's tail grows.
func (l *lane) join(e *Engine, m *Message) {
	if uint64(len(l.ahead)) != l.tail-l.head || len(l.ahead) >= aheadKept || e.windows >= aheadTotal {
		return
	}
	l.ahead = append(l.ahead, m)
	if m != nil {
		e.windows += m.Size
	}
}

// passAhead drops the messages before the new head.
func (l *lane) passAhead(e *Engine, head uint64) {
	n := min(int(head-l.head), len(l.ahead))
	for _, m := range l.ahead[:n] {
		if m != nil {
			e.windows -= m.Size
		}
	}
	clear(l.ahead[:n])
	if l.ahead = l.ahead[n:]; len(l.ahead) == 0 {
		l.ahead = nil
	}
}

// forgetAhead drops everything read and returns how many bytes that were.
func (l *lane) forgetAhead() (bytes int) {
	for _, m := range l.ahead {
		if m != nil {
			bytes += m.Size
		}
	}
	l.ahead = nil
	return bytes
}

// known returns the message at pos, if pos is untouched and was read.
func (l *lane) known(pos uint64) (m *Message, read bool) {
	i := pos - l.head
	if i >= uint64(len(l.ahead)) {
		return nil, false
	}
	return l.ahead[i], true
}

// readAhead reads the next messages of lanes. It is called with the lock held
// and returns with it given back; when another receive is reading the first
// lane already, it waits for that.
func (o *op) readAhead(ctx context.Context, lanes []*lane, n int) error {
	e := o.e
	if filling := lanes[0].filling; filling != nil {
		o.end()
		select {
		case <-filling:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	each := aheadMessages
	switch {
	case e.windows >= aheadTotal:
		each = n // no more than this receive can take
	case len(lanes) > 1:
		each = max(n, aheadMessages/len(lanes))
	}
	filling := make(chan struct{})
	var runs []fill
	var refs []Ref
	for _, l := range lanes {
		if l.filling != nil || len(refs) >= 2*aheadMessages {
			continue
		}
		l.filling = filling
		f := fill{lane: l, from: l.head + uint64(len(l.ahead)), at: len(refs)}
		for pos := f.from; pos < l.tail && len(refs)-f.at < each; pos++ {
			refs = append(refs, l.ref(pos))
		}
		runs = append(runs, f)
	}
	o.end()
	messages, err := e.readRun(refs)
	e.mu.Lock()
	defer e.mu.Unlock()
	close(filling)
	for i, f := range runs {
		f.lane.filling = nil
		end := len(refs)
		if i+1 < len(runs) {
			end = runs[i+1].at
		}
		if err == nil && f.at < len(messages) {
			f.lane.fill(e, f.from, messages[f.at:min(end, len(messages))])
		}
	}
	return err
}

// fill is a run of messages being read for a lane.
type fill struct {
	lane *lane
	from uint64
	at   int // its first message in what is read
}

// readRun reads messages until they are many bytes: a few first, and then as
// many as their size says will fit.
func (e *Engine) readRun(refs []Ref) ([]*Message, error) {
	all := make([]*Message, 0, len(refs))
	size, n := 0, aheadFirst
	for len(all) < len(refs) && size < aheadBytes {
		part := refs[len(all):]
		messages, err := e.read(part[:min(n, len(part))], -1)
		if err != nil {
			return nil, err
		}
		for _, m := range messages {
			if m != nil {
				size += m.Size
			}
		}
		all = append(all, messages...)
		n = max(aheadFirst, (aheadBytes-size)*len(all)/max(size, 1))
	}
	return all, nil
}

// fill appends what was read, as far as it still follows. What was read for
// contents that a purge has replaced is not kept.
func (l *lane) fill(e *Engine, from uint64, messages []*Message) {
	if q := l.c.queue; e.byID[q.number] != q || q.contents != l.c || l.ended {
		return
	}
	next := l.head + uint64(len(l.ahead))
	if next < from || next-from > uint64(len(messages)) {
		return
	}
	for _, m := range messages[next-from:] {
		l.ahead = append(l.ahead, m)
		if m != nil {
			e.windows += m.Size
		}
	}
}
