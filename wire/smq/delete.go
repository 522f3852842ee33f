package smq

import (
	"net/http"
	"strings"
	"time"

	"inflight/engine"
)

// receipt reads a receipt handle. That of another queue was never issued by
// this one.
func receipt(handle string, q *engine.Facts) (engine.Receipt, error) {
	r, err := engine.ParseReceipt(strings.TrimSpace(handle))
	if err != nil || r.Ref.Queue != q.Number {
		return engine.Receipt{}, faultReceipt.with()
	}
	return r, nil
}

type deleteInput struct{ handle string }

func (in *deleteInput) read(s *source) { in.handle = s.parameter("receipthandle") }

func (c *call) deleteMessage(in *deleteInput) (answer, error) {
	q, err := c.facts()
	if err != nil {
		return answer{}, err
	}
	if in.handle == "" {
		return answer{}, faultMissingReceipt.with()
	}
	r, err := receipt(in.handle, q)
	if err == nil {
		err = c.engine.Delete(c.ctx, r, engine.LastDelivery)
	}
	return answer{status: http.StatusNoContent}, err
}

type batchDeleteInput struct {
	root    string
	handles []string
	nested  bool // a handle has elements in it
}

func (in *batchDeleteInput) read(s *source) {
	in.root = s.body.name
	for _, e := range s.body.all("ReceiptHandle") {
		in.handles = append(in.handles, string(e.text))
		in.nested = in.nested || !e.plain()
	}
}

// undeleted is a handle of a batch that was refused.
type undeleted struct {
	handle  string
	refused *Error
}

type undeletedOutput struct{ list []undeleted }

func (out *undeletedOutput) write(x *xmlWriter) {
	x.document("Errors", func() {
		for _, u := range out.list {
			x.nest("Error", func() { // these children exactly
				x.text("ErrorCode", u.refused.code.name)
				x.text("ErrorMessage", u.refused.text)
				x.text("ReceiptHandle", u.handle)
			})
		}
	})
}

// batchDelete deletes what it can; if something is refused it says only what.
func (c *call) batchDelete(in *batchDeleteInput) (answer, error) {
	q, err := c.facts()
	if err != nil {
		return answer{}, err
	}
	if in.root != "ReceiptHandles" {
		return answer{}, faultSchema.with(in.root)
	}
	if in.nested {
		return answer{}, faultSchema.with("ReceiptHandle")
	}
	count := number{true, int64(len(in.handles))}
	if err := count.within("ReceiptHandles", 1, maxBatch, ""); err != nil {
		return answer{}, err
	}
	refused := make([]error, len(in.handles))
	var receipts []engine.Receipt
	var at []int
	for i, handle := range in.handles {
		r, err := receipt(handle, q)
		if refused[i] = err; err == nil {
			receipts, at = append(receipts, r), append(at, i)
		}
	}
	if len(receipts) > 0 {
		results, err := c.engine.DeleteBatch(c.ctx, receipts, engine.LastDelivery)
		if err != nil {
			return answer{}, err
		}
		for i, err := range results {
			refused[at[i]] = err
		}
	}
	out := &undeletedOutput{}
	for i, err := range refused {
		if err != nil {
			out.list = append(out.list, undeleted{in.handles[i], refusal(err)})
		}
	}
	if len(out.list) == 0 {
		return answer{status: http.StatusNoContent}, nil
	}
	return answer{status: http.StatusNotFound, body: out}, nil
}

type visibilityInput struct {
	handle     string
	visibility number
}

func (in *visibilityInput) read(s *source) {
	in.handle = s.parameter("receipthandle")
	if s.parameter("visibilitytimeout") != "" {
		in.visibility = s.number("visibilitytimeout")
	}
}

type visibilityOutput struct {
	handle  string
	visible time.Time
}

func (out *visibilityOutput) write(x *xmlWriter) {
	x.document("ChangeVisibility", func() {
		x.text("ReceiptHandle", out.handle)
		x.milliseconds("NextVisibleTime", out.visible)
	})
}

// changeVisibility hides a message from now on, and issues the only handle
// that is good from then on. What was sent with a delay stays delayed.
func (c *call) changeVisibility(in *visibilityInput) (answer, error) {
	q, err := c.facts()
	switch {
	case err != nil:
		return answer{}, err
	case in.handle == "":
		return answer{}, faultMissingReceipt.with()
	case !in.visibility.given:
		return answer{}, faultMissingVisibility.with()
	}
	if err := in.visibility.within("VisibilityTimeout", minVisibility, maxVisibility, "seconds"); err != nil {
		return answer{}, err
	}
	r, err := receipt(in.handle, q)
	if err != nil {
		return answer{}, err
	}
	due, renewed, err := c.engine.ChangeVisibility(c.ctx, engine.VisibilityRequest{
		Receipt: r, Visibility: duration(in.visibility.n), Strictness: engine.LastDelivery, Renew: true,
	})
	if err != nil {
		return answer{}, err
	}
	return answer{status: http.StatusOK, body: &visibilityOutput{renewed.String(), due}}, nil
}
