package sqs

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"inflight/engine"
)

// InspectPath is where messages can be listed without receiving them, as with
// LocalStack: InspectPath?QueueUrl=…, or InspectPath/REGION/ACCOUNT/NAME.
const InspectPath = "/_aws/sqs/messages"

// How much one inspection shows.
const (
	inspectDefault = 1000    // messages
	inspectMost    = 10_000  // with the parameter Limit
	inspectBytes   = 8 << 20 // of bodies: an answer in JSON takes some twenty times as much memory
)

// backdoor stands for the receipt handle that an inspected message lacks.
const backdoor = "SQS/BACKDOOR/ACCESS"

// ServeMessages lists a queue's messages and touches none: the visible ones,
// with ShowInvisible=true those in flight and with ShowDelayed=true the
// delayed ones too, oldest first. A client that takes the path for its endpoint
// and calls ReceiveMessage gets the same in its own protocol. Whoever may
// receive may inspect. When there is more than is shown, the answer has the
// header X-Inflight-Truncated.
func (h *Handler) ServeMessages(w http.ResponseWriter, r *http.Request) {
	body := bodies.Get().(*bytes.Buffer)
	defer release(body)
	p := h.protocol(w, r)
	if q, ok := p.(*queryProtocol); ok && q.tree {
		p = &inspectProtocol{queryProtocol: *q}
	}
	if _, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, MaxBody)); err != nil {
		p.refuse(bodyRefusal(err))
		return
	}
	action, err := p.begin(r, body.Bytes())
	if err == nil && action != "" && action != "ReceiveMessage" {
		err = faultNotInspected.with()
	}
	if err != nil {
		p.refuse(refusal(err))
		return
	}
	c, err := h.newCall(r, body.Bytes(), "ReceiveMessage", true)
	if err != nil {
		p.refuse(refusal(err))
		return
	}
	c.query = true
	switch p := p.(type) {
	case *jsonProtocol:
		c.query = false
	case *queryProtocol:
		p.action = "ReceiveMessage" // a GET need not say so
	}
	c.at = inspectTarget(r.URL.Path)
	var in inspectInput
	if err = p.decode(&in); err != nil {
		p.refuse(refusal(err))
		return
	}
	select { // one at a time, from the first body read to the last byte sent
	case h.inspecting <- struct{}{}:
		defer func() { <-h.inspecting }()
	case <-r.Context().Done():
		finish(r.Context(), p, nil, r.Context().Err())
		return
	}
	out, err := c.inspect(&in, w.Header())
	finish(r.Context(), p, out, err)
}

// inspectTarget reads REGION/ACCOUNT/NAME behind the path.
func inspectTarget(path string) target {
	parts := strings.Split(strings.Trim(strings.TrimPrefix(path, InspectPath), "/"), "/")
	if len(parts) != 3 {
		return target{}
	}
	return target{name: parts[2], region: parts[0]}
}

type inspectInput struct {
	queueURL           string
	invisible, delayed string
	limit              string
}

func (in *inspectInput) read(s source) {
	s.text("QueueUrl", &in.queueURL)
	s.text("ShowInvisible", &in.invisible)
	s.text("ShowDelayed", &in.delayed)
	s.text("Limit", &in.limit)
}

func (c *call) inspect(in *inspectInput, header http.Header) (output, error) {
	if in.queueURL == "" && c.at.name == "" {
		return nil, noQueue()
	}
	name, err := c.queueOf(in.queueURL)
	if err != nil {
		return nil, err
	}
	limit, err := strconv.Atoi(in.limit)
	if err != nil || limit < 1 || limit > inspectMost {
		limit = inspectDefault
	}
	states := []engine.State{engine.Ready}
	if strings.EqualFold(in.invisible, "true") {
		states = append(states, engine.InFlight)
	}
	if strings.EqualFold(in.delayed, "true") {
		states = append(states, engine.Delayed)
	}
	var rows []engine.Row
	truncated := false
	for _, state := range states {
		more, cut, err := c.rows(name, state, limit)
		if err != nil {
			return nil, err
		}
		rows, truncated = append(rows, more...), truncated || cut
	}
	slices.SortStableFunc(rows, func(a, b engine.Row) int {
		return cmp.Or(a.Message.Sent.Compare(b.Message.Sent), cmp.Compare(a.Message.Sequence, b.Message.Sequence),
			cmp.Compare(a.Ref.Lane, b.Ref.Lane), cmp.Compare(a.Ref.Pos, b.Ref.Pos))
	})
	if len(rows) > limit {
		rows, truncated = rows[:limit], true
	}
	out, cut, err := c.shown(rows)
	if truncated || cut {
		header.Set("X-Inflight-Truncated", "true")
	}
	return out, err
}

// rows reads the first messages in one state, with the beginning of each body.
func (c *call) rows(name string, state engine.State, limit int) (rows []engine.Row, more bool, err error) {
	for {
		page, err := c.engine.Page(c.ctx, engine.PageRequest{
			Queue: name, State: state, Offset: len(rows), Limit: min(engine.MaxBatch, limit-len(rows)),
		})
		if err != nil {
			return nil, false, err
		}
		rows = append(rows, page.Rows...)
		if len(page.Rows) == 0 || len(rows) >= min(limit, page.Total) {
			return rows, page.Total > len(rows), nil
		}
	}
}

// shown reads the bodies that a page cuts, and makes messages of rows.
func (c *call) shown(rows []engine.Row) (out *receiveOutput, cut bool, err error) {
	out = &receiveOutput{}
	all := wanted{all: true, user: []string{"All"}}
	size := 0
	for i := range rows {
		row := &rows[i]
		if size += row.Message.Size; size > inspectBytes {
			return out, true, nil
		}
		if row.Message.Size > len(row.Message.Body) {
			detail, err := c.engine.Inspect(c.ctx, row.Ref)
			if errors.Is(err, engine.ErrMessageGone) {
				continue
			}
			if err != nil {
				return nil, false, err
			}
			*row = detail.Row
		}
		m := &row.Message
		shown := messageOutput{id: m.ID.String(), receipt: backdoor, body: m.Body, digest: bodyDigest(m.Body), user: m.Attributes}
		first := m.FirstReceived
		if first.IsZero() {
			first = row.FirstReceived
		}
		shown.system = c.systemOf(m, m.EarlierReceives+row.Receives, first, &all)
		if first.IsZero() {
			shown.system = append(shown.system, pair{"ApproximateFirstReceiveTimestamp", "0"})
		}
		shown.system = append(shown.system,
			pair{"IsVisible", strconv.FormatBool(row.State == engine.Ready)}, pair{"IsDelayed", strconv.FormatBool(row.State == engine.Delayed)})
		out.messages = append(out.messages, shown)
	}
	return out, false, nil
}

// inspectProtocol is Query with answers in the JSON that LocalStack's endpoint
// has: the XML tree, where only what is repeated is a list.
type inspectProtocol struct{ queryProtocol }

func (p *inspectProtocol) answer(out output) {
	p.render(http.StatusOK, writeXML(nil, "ReceiveMessage", p.id, out))
}

func (p *inspectProtocol) refuse(e *Error) {
	p.render(e.code.status, writeXMLError(nil, p.id, e))
}

func (p *inspectProtocol) render(status int, text []byte) {
	var root xmlNode
	rendered := []byte("{}")
	if err := xml.Unmarshal(text, &root); err == nil { // our own XML always is
		rendered, _ = json.Marshal(map[string]any{root.XMLName.Local: root.tree()})
	}
	p.send(status, new(bytes.Buffer), rendered)
}

// xmlNode is any element of an answer.
type xmlNode struct {
	XMLName  xml.Name
	Text     string    `xml:",chardata"`
	Children []xmlNode `xml:",any"`
}

// tree is the element as JSON: its text, nothing, or its children by name.
func (n *xmlNode) tree() any {
	if len(n.Children) == 0 {
		if n.Text == "" {
			return nil
		}
		return n.Text
	}
	tree := map[string]any{}
	for i := range n.Children {
		name, value := n.Children[i].XMLName.Local, n.Children[i].tree()
		switch before := tree[name].(type) {
		case nil:
			tree[name] = value
		case []any:
			tree[name] = append(before, value)
		default:
			tree[name] = []any{before, value}
		}
	}
	return tree
}
