package sqs

import (
	"encoding/json"
	"errors"
	"slices"

	"inflight/engine"
)

// policy is a queue's Policy as AddPermission writes it (Q33). It is kept and
// returned, and not enforced.
type policy struct {
	Version   string     `json:"Version"`
	ID        string     `json:"Id,omitempty"`
	Statement statements `json:"Statement"`
}

// statements are those of a policy; one alone need not be in a list.
type statements []json.RawMessage

func (l *statements) UnmarshalJSON(text []byte) error {
	if text[0] == '{' { // the decoder cuts off white space
		*l = statements{slices.Clone(text)}
		return nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	for _, one := range list {
		if one[0] != '{' {
			return errors.New("a statement that is no object")
		}
	}
	*l = list
	return nil
}

type statement struct {
	Sid       string    `json:"Sid"`
	Effect    string    `json:"Effect"`
	Principal principal `json:"Principal"`
	Action    oneOrMore `json:"Action"`
	Resource  string    `json:"Resource"`
}

type principal struct {
	AWS oneOrMore `json:"AWS"`
}

// oneOrMore is written as a plain value when there is but one.
type oneOrMore []string

func (l oneOrMore) MarshalJSON() ([]byte, error) {
	if len(l) == 1 {
		return json.Marshal(l[0])
	}
	return json.Marshal([]string(l))
}

func setPolicy(a *engine.Attributes, v string) error {
	var p policy
	if err := p.read(v); err != nil {
		return err
	}
	if err := p.check(v); err != nil {
		return err
	}
	keep(a, attrPolicy, v)
	return nil
}

// read reads a queue's Policy over p; an empty text leaves it as it is. It must
// be an object with statements, of which nothing more is asked.
func (p *policy) read(text string) error {
	if text == "" {
		return nil
	}
	p.Statement = nil
	if json.Unmarshal([]byte(text), p) != nil || p.Statement == nil {
		return faultPolicy.with()
	}
	return nil
}

// check holds a policy and its text against the limits.
func (p *policy) check(text string) error {
	if n := len(p.Statement); n > maxStatements {
		return faultStatements.with(n)
	}
	for _, one := range p.Statement {
		var s struct{ Action json.RawMessage }
		var actions []json.RawMessage
		if json.Unmarshal(one, &s) == nil && json.Unmarshal(s.Action, &actions) == nil && len(actions) > maxActions {
			return faultActions.with(len(actions))
		}
	}
	if len(text) > maxPolicy {
		return faultPolicySize.with()
	}
	return nil
}

// find returns the index of the statement with a label, or -1.
func (p *policy) find(label string) int {
	return slices.IndexFunc(p.Statement, func(text json.RawMessage) bool {
		var s struct{ Sid string }
		return json.Unmarshal(text, &s) == nil && s.Sid == label
	})
}

func (p *policy) keep(a *engine.Attributes) error {
	if len(p.Statement) == 0 {
		keep(a, attrPolicy, "")
		return nil
	}
	text, err := json.Marshal(p)
	if err == nil {
		keep(a, attrPolicy, string(text))
	}
	return err
}
