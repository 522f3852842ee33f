package sqs

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"inflight/engine"
)

// equal says whether two sets of attributes are the same; nil and empty maps are.
func equal(a, b *engine.Attributes) bool {
	x, y := *a, *b
	if !maps.Equal(x.Tags, y.Tags) || !maps.Equal(x.Extra, y.Extra) || !slices.Equal(x.RedriveAllow.Sources, y.RedriveAllow.Sources) {
		return false
	}
	x.Tags, x.Extra, x.RedriveAllow.Sources = nil, nil, nil
	y.Tags, y.Extra, y.RedriveAllow.Sources = nil, nil, nil
	return reflect.DeepEqual(x, y)
}

type tagInput struct {
	queueURL string
	tags     map[string]string
}

func (in *tagInput) read(s source) {
	s.text("QueueUrl", &in.queueURL)
	s.pairs(tagPairs, &in.tags)
}

// checkTags checks tags to add to a queue that will then have total of them;
// 0: as many as there are.
func checkTags(queue string, tags map[string]string, total int) error {
	if max(total, len(tags)) > maxTags {
		return faultTooManyTags.with(queue)
	}
	for key, value := range tags {
		switch {
		case !validTagKey(key):
			return faultTagKey.with()
		case utf8.RuneCountInString(value) > maxTagValue:
			return faultTagValue.with()
		case strings.HasPrefix(strings.ToLower(key), "aws:"):
			return faultTagPrefix.with()
		}
	}
	return nil
}

func validTagKey(key string) bool { return key != "" && utf8.RuneCountInString(key) <= maxTagKey }

func (c *call) tagQueue(in *tagInput) (output, error) {
	name, _, err := c.facts(in.queueURL)
	if err != nil {
		return nil, err
	}
	if len(in.tags) == 0 {
		return nil, faultMissing.with("Tags")
	}
	return nil, c.configure(name, func(a *engine.Attributes) error {
		if a.Tags == nil {
			a.Tags = map[string]string{}
		}
		maps.Copy(a.Tags, in.tags)
		short, _ := c.split(name)
		return checkTags(short, in.tags, len(a.Tags))
	})
}

type untagInput struct {
	queueURL string
	keys     []string
}

func (in *untagInput) read(s source) {
	s.text("QueueUrl", &in.queueURL)
	s.texts(listName{json: "TagKeys", element: "TagKey"}, &in.keys)
}

func (c *call) untagQueue(in *untagInput) (output, error) {
	name, _, err := c.facts(in.queueURL)
	if err != nil {
		return nil, err
	}
	if len(in.keys) == 0 || !validTagKey(in.keys[0]) {
		return nil, faultTagKey.with()
	}
	return nil, c.configure(name, func(a *engine.Attributes) error {
		for _, key := range in.keys {
			delete(a.Tags, key)
		}
		return nil
	})
}

type tagsOutput struct{ tags map[string]string }

func (out *tagsOutput) write(s sink) {
	list := make([]pair, 0, len(out.tags))
	for _, key := range slices.Sorted(maps.Keys(out.tags)) {
		list = append(list, pair{key, out.tags[key]})
	}
	s.pairs(tagPairs, list)
}

func (c *call) listTags(in *queueInput) (output, error) {
	_, q, err := c.facts(in.queueURL)
	if err != nil {
		return nil, err
	}
	return &tagsOutput{q.Attributes.Tags}, nil
}
