package sqs

import (
	"strconv"

	"inflight/engine"
)

// The elements of batches.
var (
	sendEntries       = listName{json: "Entries", element: "SendMessageBatchRequestEntry"}
	deleteEntries     = listName{json: "Entries", element: "DeleteMessageBatchRequestEntry"}
	visibilityEntries = listName{json: "Entries", element: "ChangeMessageVisibilityBatchRequestEntry"}
	failedEntries     = listName{json: "Failed", element: "BatchResultErrorEntry"}
)

// batchFailure is an entry that failed alone.
type batchFailure struct {
	id  string
	err *Error
}

// failures are the entries of a batch that failed; they write themselves.
type failures []batchFailure

func (f *failures) add(id string, err error) {
	*f = append(*f, batchFailure{id, refusal(err)})
}

func (f failures) write(s sink) {
	s.list(failedEntries, len(f), func(i int) {
		s.text("Id", f[i].id)
		s.text("Code", f[i].err.code.query)
		s.text("Message", f[i].err.textFor(false))
		s.boolean("SenderFault", f[i].err.sender())
	})
}

// entryID is the id of a batch's entry.
type entryID struct {
	id    string
	named bool // there was one, if only an empty text
}

func (e *entryID) read(s source) {
	var id *string
	if s.optional("Id", &id); id != nil {
		e.id, e.named = *id, true
	}
}

// entryIDs checks what the three batches have in common, in the order of SQS:
// number, then entry by entry the id and whatever more says, then repeats.
func entryIDs(element string, n int, id func(i int) *entryID, more func(i int) error) error {
	if n == 0 {
		return faultEmptyBatch.with(element)
	}
	if n > maxBatch {
		return faultTooMany.with(n)
	}
	seen := make([]string, 0, maxBatch)
	for i := range n {
		if !id(i).named {
			return faultMissing.with(entryMember(element, i, "Id"))
		}
		one := id(i).id
		if !validEntryID(one) {
			return faultEntryID.with()
		}
		if more != nil {
			if err := more(i); err != nil {
				return err
			}
		}
		for _, other := range seen {
			if other == one {
				return faultRepeated.with(one)
			}
		}
		seen = append(seen, one)
	}
	return nil
}

func validEntryID(id string) bool {
	for i := range len(id) {
		if c := id[i]; !alphanumeric(c) && c != '-' && c != '_' {
			return false
		}
	}
	return len(id) >= 1 && len(id) <= maxEntryID
}

// entryMember is the name of a member of a batch's entry, as texts have it.
func entryMember(element string, i int, member string) string {
	return element + "." + strconv.Itoa(i+1) + "." + member
}

type sendEntry struct {
	entryID
	messageInput
}

func (e *sendEntry) read(s source) {
	e.entryID.read(s)
	e.messageInput.read(s)
}

type sendBatchInput struct {
	queueURL string
	entries  []sendEntry
}

func (in *sendBatchInput) read(s source) {
	s.text("QueueUrl", &in.queueURL)
	s.list(sendEntries, func() input {
		in.entries = append(in.entries, sendEntry{})
		return &in.entries[len(in.entries)-1]
	})
}

type sentEntry struct {
	id string
	sendOutput
}

type sendBatchOutput struct {
	sent   []sentEntry
	failed failures
}

var sentEntries = listName{json: "Successful", element: "SendMessageBatchResultEntry"}

func (out *sendBatchOutput) write(s sink) {
	s.list(sentEntries, len(out.sent), func(i int) {
		s.text("Id", out.sent[i].id)
		out.sent[i].sendOutput.write(s)
	})
	out.failed.write(s)
}

func (c *call) sendMessageBatch(in *sendBatchInput) (output, error) {
	name, q, err := c.facts(in.queueURL)
	if err != nil {
		return nil, err
	}
	if err := in.check(name, q); err != nil {
		return nil, err
	}
	out := &sendBatchOutput{sent: make([]sentEntry, 0, len(in.entries))}
	requests := make([]engine.SendRequest, 0, len(in.entries))
	from := make([]*sendEntry, 0, len(in.entries))
	for i := range in.entries {
		e := &in.entries[i]
		if len(e.body) == 0 {
			out.failed.add(e.id, faultMissing.with(entryMember(sendEntries.element, i, "MessageBody")))
			continue
		}
		request, err := c.message(&e.messageInput, name, q, true)
		if err != nil {
			out.failed.add(e.id, err)
			continue
		}
		requests, from = append(requests, request), append(from, e)
	}
	if len(requests) == 0 {
		return out, nil
	}
	results, err := c.engine.SendBatch(c.ctx, name, requests)
	if err != nil {
		return nil, err
	}
	for i := range results {
		if err := results[i].Err; err != nil {
			out.failed.add(from[i].id, err)
			continue
		}
		out.sent = append(out.sent, sentEntry{from[i].id, from[i].answer(&requests[i], &results[i].Sent)})
	}
	return out, nil
}

// check finds what fails a batch as a whole.
func (in *sendBatchInput) check(name string, q *engine.Facts) error {
	fifo := fifoName(name)
	err := entryIDs(sendEntries.element, len(in.entries), func(i int) *entryID { return &in.entries[i].entryID }, func(i int) error {
		e := &in.entries[i]
		if !fifo {
			return nil
		}
		if err := e.needDedup(q); err != nil {
			return err
		}
		if e.lacksGroup() {
			return faultEntryGroup.with()
		}
		return nil
	})
	if err != nil {
		return err
	}
	total := 0
	for i := range in.entries {
		total += in.entries[i].size()
	}
	if total > maxBatchBytes {
		return faultBatchTooLong.with(total)
	}
	return nil
}
