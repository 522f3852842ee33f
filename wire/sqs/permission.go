package sqs

import (
	"encoding/json"
	"slices"

	"inflight/engine"
)

// policy is a queue's Policy as AddPermission writes it (Q33). It is kept and
// returned, and not enforced.
type policy struct {
	Version   string            `json:"Version"`
	ID        string            `json:"Id,omitempty"`
	Statement []json.RawMessage `json:"Statement"`
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

// permitted are the actions that a queue's owner can share.
var permitted = []string{
	"*", "SendMessage", "ReceiveMessage", "DeleteMessage", "ChangeMessageVisibility", "GetQueueAttributes",
	"GetQueueUrl", "ListDeadLetterSourceQueues", "PurgeQueue", "ListMessageMoveTasks", "StartMessageMoveTask", "CancelMessageMoveTask",
}

type permissionInput struct {
	queueURL string
	label    string
	accounts []string
	actions  []string
}

func (in *permissionInput) read(s source) {
	s.text("QueueUrl", &in.queueURL)
	s.text("Label", &in.label)
	s.texts(listName{json: "AWSAccountIds", element: "AWSAccountId"}, &in.accounts)
	s.texts(listName{json: "Actions", element: "ActionName"}, &in.actions)
}

func (in *permissionInput) check() error {
	switch {
	case in.label == "":
		return faultMissing.with("Label")
	case !validEntryID(in.label):
		return faultLabel.with(in.label)
	case len(in.accounts) == 0:
		return faultMissing.with("AWSAccountId")
	case len(in.actions) == 0:
		return faultMissing.with("ActionName")
	case len(in.actions) > maxActions:
		return faultTooManyActions.with(len(in.actions))
	}
	for _, action := range in.actions {
		if !slices.Contains(permitted, action) {
			return faultPermission.with(action)
		}
	}
	return nil
}

func (c *call) addPermission(in *permissionInput) (output, error) {
	name, _, err := c.facts(in.queueURL)
	if err != nil {
		return nil, err
	}
	if err := in.check(); err != nil {
		return nil, err
	}
	added := statement{Sid: in.label, Effect: "Allow", Resource: c.arn(name)}
	for _, account := range in.accounts {
		added.Principal.AWS = append(added.Principal.AWS, "arn:aws:iam::"+account+":root")
	}
	for _, action := range in.actions {
		added.Action = append(added.Action, "SQS:"+action)
	}
	return nil, c.configure(name, func(a *engine.Attributes) error {
		p := policy{Version: "2008-10-17", ID: c.arn(name) + "/SQSDefaultPolicy"}
		if text := a.Extra[attrPolicy]; text != "" {
			if err := json.Unmarshal([]byte(text), &p); err != nil {
				return faultPolicy.with()
			}
		}
		if p.find(in.label) >= 0 {
			return faultLabelTaken.with(in.label)
		}
		text, err := json.Marshal(added)
		if err != nil {
			return err
		}
		p.Statement = append(p.Statement, text)
		return p.keep(a)
	})
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

func (c *call) removePermission(in *permissionInput) (output, error) {
	name, _, err := c.facts(in.queueURL)
	if err != nil {
		return nil, err
	}
	if in.label == "" {
		return nil, faultMissing.with("Label")
	}
	return nil, c.configure(name, func(a *engine.Attributes) error {
		var p policy
		if text := a.Extra[attrPolicy]; text != "" {
			if err := json.Unmarshal([]byte(text), &p); err != nil {
				return faultPolicy.with()
			}
		}
		at := p.find(in.label)
		if at < 0 {
			return faultNoLabel.with(in.label)
		}
		p.Statement = slices.Delete(p.Statement, at, at+1)
		return p.keep(a)
	})
}
