package sqs

import (
	"errors"
	"time"

	"inflight/engine"
)

// strictness is how long a receipt of a queue is good (V1, V2, V4).
func strictness(name string) engine.Strictness {
	if fifoName(name) {
		return engine.LastReceive
	}
	return engine.AnyDelivery
}

// receipt reads a receipt handle of a queue; another queue's is not valid.
func receipt(handle string, q *engine.Facts) (engine.Receipt, error) {
	r, err := engine.ParseReceipt(handle)
	if err != nil || r.Ref.Queue != q.Number {
		return engine.Receipt{}, faultReceipt.with(handle)
	}
	return r, nil
}

// deleteRefusal says what the client is told of a delete that the engine
// refused, alone or in an entry of a batch; nil if it is to believe that it
// worked.
func deleteRefusal(err error, handle string, entry bool) error {
	switch {
	case err == nil, errors.Is(err, engine.ErrMessageGone):
		return nil
	case errors.Is(err, engine.ErrReceiptInvalid):
		return faultReceipt.with(handle)
	case errors.Is(err, engine.ErrReceiptExpired), errors.Is(err, engine.ErrReceiptStale):
		if entry {
			return faultEntryExpired.with()
		}
		return faultReceiptExpired.with(handle)
	}
	return err
}

type deleteInput struct{ queueURL, handle string }

func (in *deleteInput) read(s source) {
	s.text("QueueUrl", &in.queueURL)
	s.text("ReceiptHandle", &in.handle)
}

func (c *call) deleteMessage(in *deleteInput) (output, error) {
	name, q, err := c.facts(in.queueURL)
	if err != nil {
		return nil, err
	}
	if in.handle == "" {
		return nil, faultMissing.with("ReceiptHandle")
	}
	r, err := receipt(in.handle, q)
	if err != nil {
		return nil, err
	}
	results, err := c.engine.DeleteBatch(c.ctx, []engine.Receipt{r}, strictness(name))
	if err != nil {
		return nil, err
	}
	return nil, deleteRefusal(results[0], in.handle, false)
}

// receiptEntry is an entry of a batch of deletes or changes of visibility.
type receiptEntry struct {
	entryID
	handle     string
	visibility *int
}

func (e *receiptEntry) read(s source) {
	e.entryID.read(s)
	s.text("ReceiptHandle", &e.handle)
	s.number("VisibilityTimeout", &e.visibility)
}

type receiptEntries []receiptEntry

func (in *receiptEntries) read(s source, name listName) {
	s.list(name, func() input {
		*in = append(*in, receiptEntry{})
		return &(*in)[len(*in)-1]
	})
}

// check finds what fails a batch as a whole.
func (in receiptEntries) check(element string) error {
	return entryIDs(element, len(in), func(i int) *entryID { return &in[i].entryID }, func(i int) error {
		if in[i].handle == "" {
			return faultMissing.with(entryMember(element, i, "ReceiptHandle"))
		}
		return nil
	})
}

// doneOutput answers a batch of deletes or changes of visibility.
type doneOutput struct {
	name   listName // of those that worked
	done   []string // their ids
	failed failures
}

func (out *doneOutput) write(s sink) {
	s.list(out.name, len(out.done), func(i int) { s.text("Id", out.done[i]) })
	out.failed.write(s)
}

// settle notes how one entry ended.
func (out *doneOutput) settle(id string, err error) {
	if err != nil {
		out.failed.add(id, err)
		return
	}
	out.done = append(out.done, id)
}

type deleteBatchInput struct {
	queueURL string
	entries  receiptEntries
}

func (in *deleteBatchInput) read(s source) {
	s.text("QueueUrl", &in.queueURL)
	in.entries.read(s, deleteEntries)
}

func (c *call) deleteMessageBatch(in *deleteBatchInput) (output, error) {
	name, q, err := c.facts(in.queueURL)
	if err != nil {
		return nil, err
	}
	if err := in.entries.check(deleteEntries.element); err != nil {
		return nil, err
	}
	receipts := make([]engine.Receipt, 0, len(in.entries))
	refused := make([]error, len(in.entries))
	for i := range in.entries {
		r, err := receipt(in.entries[i].handle, q)
		if refused[i] = err; err == nil {
			receipts = append(receipts, r)
		}
	}
	var results []error
	if len(receipts) > 0 {
		if results, err = c.engine.DeleteBatch(c.ctx, receipts, strictness(name)); err != nil {
			return nil, err
		}
	}
	out := &doneOutput{
		name: listName{json: "Successful", element: "DeleteMessageBatchResultEntry"},
		done: make([]string, 0, len(in.entries)),
	}
	for i, e := range in.entries {
		if refused[i] == nil {
			refused[i], results = deleteRefusal(results[0], e.handle, true), results[1:]
		}
		out.settle(e.id, refused[i])
	}
	return out, nil
}

type visibilityInput struct {
	queueURL   string
	handle     string
	visibility *int
}

func (in *visibilityInput) read(s source) {
	s.text("QueueUrl", &in.queueURL)
	s.text("ReceiptHandle", &in.handle)
	s.number("VisibilityTimeout", &in.visibility)
}

func (c *call) changeVisibility(in *visibilityInput) (output, error) {
	name, q, err := c.facts(in.queueURL)
	switch {
	case err != nil:
		return nil, err
	case in.handle == "":
		return nil, faultMissing.with("ReceiptHandle")
	case in.visibility == nil:
		return nil, faultMissing.with("VisibilityTimeout")
	}
	return nil, c.change(name, q, in.handle, *in.visibility)
}

// change changes the visibility of one message.
func (c *call) change(name string, q *engine.Facts, handle string, seconds int) error {
	if seconds < 0 || seconds > maxVisibility {
		return faultVisibility.with(seconds)
	}
	r, err := receipt(handle, q)
	if err != nil {
		return err
	}
	_, _, err = c.engine.ChangeVisibility(c.ctx, engine.VisibilityRequest{
		Receipt: r, Visibility: time.Duration(seconds) * time.Second, Strictness: strictness(name), CapTotal: true,
	})
	var invalid *engine.InvalidError
	switch {
	case errors.Is(err, engine.ErrReceiptInvalid):
		return faultReceipt.with(handle)
	case errors.Is(err, engine.ErrMessageGone), errors.Is(err, engine.ErrReceiptExpired),
		errors.Is(err, engine.ErrReceiptStale), errors.Is(err, engine.ErrNotInFlight):
		return faultNotAvailable.with(handle)
	case errors.As(err, &invalid):
		return faultTotal.with(seconds)
	}
	return err
}

type visibilityBatchInput struct {
	queueURL string
	entries  receiptEntries
}

func (in *visibilityBatchInput) read(s source) {
	s.text("QueueUrl", &in.queueURL)
	in.entries.read(s, visibilityEntries)
}

func (c *call) changeVisibilityBatch(in *visibilityBatchInput) (output, error) {
	name, q, err := c.facts(in.queueURL)
	if err != nil {
		return nil, err
	}
	if err := in.entries.check(visibilityEntries.element); err != nil {
		return nil, err
	}
	out := &doneOutput{name: listName{json: "Successful", element: "ChangeMessageVisibilityBatchResultEntry"}}
	for i, e := range in.entries {
		if e.visibility == nil {
			out.settle(e.id, faultMissing.with(entryMember(visibilityEntries.element, i, "VisibilityTimeout")))
			continue
		}
		out.settle(e.id, c.change(name, q, e.handle, *e.visibility))
	}
	return out, nil
}
