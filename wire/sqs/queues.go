package sqs

import (
	"errors"
	"maps"
	"strings"
	"sync"
	"time"

	"inflight/engine"
)

// cooldowns remembers when queues were deleted and purged, for the 60 s rules.
// They are forgotten at a restart.
type cooldowns struct {
	mu      sync.Mutex
	deleted map[string]time.Time
	purged  map[string]time.Time
}

func newCooldowns() cooldowns {
	return cooldowns{deleted: map[string]time.Time{}, purged: map[string]time.Time{}}
}

// startCooldown notes that something happens to a queue, unless it did less
// than 60 s ago. Whoever then fails to do it calls stopCooldown.
func (h *Handler) startCooldown(kind map[string]time.Time, queue string) bool {
	if !h.options.Cooldown {
		return true
	}
	h.cooldowns.mu.Lock()
	defer h.cooldowns.mu.Unlock()
	if h.cools(kind, queue) {
		return false
	}
	kind[queue] = h.options.Now()
	return true
}

func (h *Handler) stopCooldown(kind map[string]time.Time, queue string) {
	h.cooldowns.mu.Lock()
	defer h.cooldowns.mu.Unlock()
	delete(kind, queue)
}

// hot says whether something happened to a queue less than 60 s ago.
func (h *Handler) hot(kind map[string]time.Time, queue string) bool {
	h.cooldowns.mu.Lock()
	defer h.cooldowns.mu.Unlock()
	return h.cools(kind, queue)
}

// cools is hot for who holds the lock. It forgets what is older.
func (h *Handler) cools(kind map[string]time.Time, queue string) bool {
	now := h.options.Now()
	for name, at := range kind {
		if now.Sub(at) >= cooldown {
			delete(kind, name)
		}
	}
	_, ok := kind[queue]
	return ok
}

// queueInput is the input of actions that only name a queue.
type queueInput struct{ queueURL string }

func (in *queueInput) read(s source) { s.text("QueueUrl", &in.queueURL) }

type urlOutput struct{ url string }

func (out *urlOutput) write(s sink) { s.text("QueueUrl", out.url) }

type createInput struct {
	name       string
	attributes map[string]string
	tags       map[string]string
}

var (
	attributePairs = pairName{json: "Attributes", element: "Attribute", key: "Name", value: "Value"}
	tagPairs       = pairName{json: "Tags", element: "Tag", key: "Key", value: "Value"}
	createTagPairs = pairName{json: "tags", element: "Tag", key: "Key", value: "Value"}
)

func (in *createInput) read(s source) {
	s.text("QueueName", &in.name)
	s.pairs(attributePairs, &in.attributes)
	s.pairs(createTagPairs, &in.tags)
}

// checkQueueName checks a new queue's name (Q1 to Q3).
func checkQueueName(name string, fifo bool) error {
	good := nameCharacters(name) && len(name) <= maxName
	switch suffix := strings.HasSuffix(name, ".fifo"); {
	case fifo && !(good && suffix):
		return faultFIFOName.with()
	case !good || !fifo && suffix:
		return faultName.with()
	}
	return nil
}

func (c *call) createQueue(in *createInput) (output, error) {
	if in.name == "" {
		return nil, faultMissing.with("QueueName")
	}
	fifo := strings.EqualFold(in.attributes["FifoQueue"], "true")
	if err := checkQueueName(in.name, fifo); err != nil {
		return nil, err
	}
	if err := checkTags(in.name, in.tags, 0); err != nil {
		return nil, err
	}
	name := c.nameIn(in.name, c.region)
	for {
		present, err := c.engine.Queue(c.ctx, name)
		if err == nil {
			return c.sameQueue(name, in, &present)
		}
		if !errors.Is(err, engine.ErrQueueNotFound) {
			return nil, err
		}
		if c.options.Cooldown && c.hot(c.cooldowns.deleted, name) {
			return nil, faultRecent.with()
		}
		attributes := engine.DefaultAttributes()
		if fifo {
			attributes.Type = engine.FIFO
		}
		if err := c.apply(name, &attributes, in.attributes); err != nil {
			return nil, err
		}
		if len(in.tags) > 0 {
			attributes.Tags = in.tags
		}
		err = c.engine.CreateQueue(c.ctx, name, attributes)
		if errors.Is(err, engine.ErrQueueExists) {
			continue // made by another request just now: compare with that
		}
		if err != nil {
			return nil, err
		}
		return &urlOutput{c.url(name)}, nil
	}
}

// sameQueue compares what was passed with a queue that exists (Q20). A redrive
// policy that it has may be passed again whatever became of its target.
func (c *call) sameQueue(name string, in *createInput, present *engine.QueueStats) (output, error) {
	next := *present
	next.Attributes.Extra = maps.Clone(next.Attributes.Extra)
	given := maps.Clone(in.attributes)
	if p, _, err := c.readRedrive(given[attrRedrive]); err == nil && p == present.Attributes.Redrive {
		delete(given, attrRedrive)
	}
	if err := c.apply(name, &next.Attributes, given); err != nil {
		return nil, err
	}
	for _, a := range queueAttributes {
		if _, passed := in.attributes[a.name]; !passed {
			continue
		}
		was, _ := a.get(c.Handler, present)
		if is, _ := a.get(c.Handler, &next); is != was {
			return nil, faultExists.with(a.name)
		}
	}
	return &urlOutput{c.url(name)}, nil
}

func (c *call) deleteQueue(in *queueInput) (output, error) {
	name, err := c.queueOf(in.queueURL)
	if err != nil {
		return nil, err
	}
	if err := c.engine.DeleteQueue(c.ctx, name); err != nil {
		return nil, err
	}
	c.startCooldown(c.cooldowns.deleted, name)
	return nil, nil
}

func (c *call) purgeQueue(in *queueInput) (output, error) {
	name, _, err := c.facts(in.queueURL)
	if err != nil {
		return nil, err
	}
	if !c.startCooldown(c.cooldowns.purged, name) {
		short, _ := c.split(name)
		return nil, faultPurge.with(short)
	}
	if _, err = c.engine.Purge(c.ctx, name); err != nil {
		c.stopCooldown(c.cooldowns.purged, name) // the next may try at once
	}
	return nil, err
}

type getURLInput struct{ name, owner string }

func (in *getURLInput) read(s source) {
	s.text("QueueName", &in.name)
	s.text("QueueOwnerAWSAccountId", &in.owner)
}

func (c *call) getQueueURL(in *getURLInput) (output, error) {
	if in.name == "" {
		return nil, faultMissing.with("QueueName")
	}
	name, err := c.engineName(target{name: in.name})
	if err != nil {
		return nil, err
	}
	if _, err := c.engine.Queue(c.ctx, name); err != nil {
		return nil, err
	}
	return &urlOutput{c.url(name)}, nil
}

type listInput struct {
	queueURL string
	prefix   string
	pageInput
}

func (in *listInput) read(s source) {
	s.text("QueueUrl", &in.queueURL)
	s.text("QueueNamePrefix", &in.prefix)
	in.pageInput.read(s)
}

type listOutput struct {
	name listName
	urls []string
	next string
}

func (out *listOutput) write(s sink) {
	s.texts(out.name, out.urls)
	if out.next != "" {
		s.text("NextToken", out.next)
	}
}

func (c *call) listQueues(in *listInput) (output, error) {
	all, err := c.engine.Names()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, full := range all {
		if name, region := c.split(full); region == c.region && strings.HasPrefix(name, in.prefix) {
			names = append(names, full)
		}
	}
	return c.page(in, names, "ListQueues/"+in.prefix, listName{json: "QueueUrls", element: "QueueUrl", tree: "queueUrls"})
}

func (c *call) listSources(in *listInput) (output, error) {
	name, err := c.queueOf(in.queueURL)
	if err != nil {
		return nil, err
	}
	q, err := c.engine.Queue(c.ctx, name)
	if err != nil {
		return nil, err
	}
	return c.page(in, q.Sources, "ListDeadLetterSourceQueues/"+name, listName{json: "queueUrls", element: "QueueUrl", keep: true})
}

// page answers with one page of sorted engine names.
func (c *call) page(in *listInput, names []string, request string, list listName) (output, error) {
	part, next, err := in.cut(names, c.region+"/"+request)
	if err != nil {
		return nil, err
	}
	out := &listOutput{name: list, next: next}
	for _, name := range part {
		out.urls = append(out.urls, c.url(name))
	}
	return out, nil
}
