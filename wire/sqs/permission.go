package sqs

import (
	"encoding/json"
	"slices"
	"strings"

	"inflight/engine"
)

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
		if slices.Contains(permitted, action) {
			continue
		}
		if _, known := actions[action]; !known {
			return faultNoSuchAction.with(action)
		}
		return faultPermission.with(action)
	}
	for _, account := range in.accounts {
		if len(account) != accountDigits || !digits(account) {
			return faultPrincipal.with(strings.Join(in.accounts, ", "))
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
		if err := p.read(a.Extra[attrPolicy]); err != nil {
			return err
		}
		if p.find(in.label) >= 0 {
			return faultLabelTaken.with(in.label)
		}
		text, err := json.Marshal(added)
		if err != nil {
			return err
		}
		p.Statement = append(p.Statement, text)
		if err := p.keep(a); err != nil {
			return err
		}
		return p.check(a.Extra[attrPolicy])
	})
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
		if err := p.read(a.Extra[attrPolicy]); err != nil {
			return err
		}
		at := p.find(in.label)
		if at < 0 {
			return faultNoLabel.with(in.label)
		}
		p.Statement = slices.Delete(p.Statement, at, at+1)
		return p.keep(a)
	})
}
