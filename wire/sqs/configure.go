package sqs

import (
	"maps"
	"slices"
	"strings"

	"inflight/engine"
)

// apply checks attributes as a client gives them, in the order of the table,
// and puts them into a. The type of the queue must stand in a already.
func (c *call) apply(queue string, a *engine.Attributes, given map[string]string) error {
	if err := checkNames(a.Type == engine.FIFO, given); err != nil {
		return err
	}
	if given[attrKey] != "" && strings.EqualFold(given[attrEncryption], "true") {
		return faultTwoEncryptions.with()
	}
	for _, attribute := range queueAttributes {
		v, ok := given[attribute.name]
		if !ok {
			continue
		}
		var err error
		if attribute.setIn != nil {
			err = attribute.setIn(c, queue, a, v)
		} else {
			err = attribute.set(a, v)
		}
		if err != nil {
			return err
		}
	}
	if a.ThroughputPerGroup && !a.DeduplicateByGroup {
		return faultThroughput.with()
	}
	return nil
}

// checkNames refuses attributes that cannot be set on a queue of that type
// (Q11, Q12).
func checkNames(fifo bool, given map[string]string) error {
	names := make([]string, 0, len(given))
	for name := range given {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		i := slices.IndexFunc(queueAttributes, func(a queueAttribute) bool { return a.name == name })
		switch {
		case i < 0 || queueAttributes[i].set == nil && queueAttributes[i].setIn == nil:
			return faultAttributeName.with(name)
		case !queueAttributes[i].fifo || fifo:
		case name == "DeduplicationScope" || name == "FifoThroughputLimit":
			return faultFIFOOnly.with(name)
		default:
			return faultAttributeName.with(name)
		}
	}
	return nil
}

type getAttributesInput struct {
	queueURL string
	names    []string
}

func (in *getAttributesInput) read(s source) {
	s.text("QueueUrl", &in.queueURL)
	s.texts(attributeNames, &in.names)
}

type attributesOutput struct{ attributes []pair }

func (out *attributesOutput) write(s sink) { s.pairs(attributePairs, out.attributes) }

func (c *call) getAttributes(in *getAttributesInput) (output, error) {
	name, err := c.queueOf(in.queueURL)
	if err != nil {
		return nil, err
	}
	q, err := c.engine.Queue(c.ctx, name)
	if err != nil {
		return nil, err
	}
	for _, wanted := range in.names {
		known := slices.ContainsFunc(queueAttributes, func(a queueAttribute) bool { return a.name == wanted })
		if wanted != "All" && !known {
			return nil, faultAttributeName.with(wanted)
		}
	}
	out := &attributesOutput{}
	all := slices.Contains(in.names, "All")
	for _, a := range queueAttributes {
		if !all && !slices.Contains(in.names, a.name) || a.fifo && q.Attributes.Type != engine.FIFO {
			continue
		}
		if v, ok := a.get(c.Handler, &q); ok {
			out.attributes = append(out.attributes, pair{a.name, v})
		}
	}
	return out, nil
}

type setAttributesInput struct {
	queueURL   string
	attributes map[string]string
}

func (in *setAttributesInput) read(s source) {
	s.text("QueueUrl", &in.queueURL)
	s.pairs(attributePairs, &in.attributes)
}

// setAttributes with nothing to set is refused (Q16, not settled).
func (c *call) setAttributes(in *setAttributesInput) (output, error) {
	name, _, err := c.facts(in.queueURL)
	if err != nil {
		return nil, err
	}
	if len(in.attributes) == 0 {
		return nil, faultMissing.with("Attribute.Name")
	}
	return nil, c.configure(name, func(a *engine.Attributes) error { return c.apply(name, a, in.attributes) })
}

// configure changes a queue's attributes, or nothing if change fails. The
// change is tried on a copy first, because the engine takes no refusal, and
// because it may ask about other queues, which the engine does not allow while
// it is at work on this one.
func (c *call) configure(name string, change func(*engine.Attributes) error) error {
	for {
		q, err := c.engine.Queue(c.ctx, name)
		if err != nil {
			return err
		}
		next := q.Attributes
		next.Tags, next.Extra = maps.Clone(next.Tags), maps.Clone(next.Extra)
		if err := change(&next); err != nil {
			return err
		}
		again := false
		err = c.engine.Configure(c.ctx, name, func(a *engine.Attributes) {
			if again = !equal(a, &q.Attributes); !again {
				*a = next
			}
		})
		if err != nil || !again {
			return err
		}
	}
}
