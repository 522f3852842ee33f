package sqs

import (
	"errors"
	"net/http"
	"strings"
	"time"
)

// Authorizer decides who may ask. It returns one of the errors below, or
// *SkewError, wrapped or not.
type Authorizer interface {
	Authorize(r *http.Request, body []byte) (*Client, error)
}

// Client is who sent a request.
type Client struct {
	Key    string // access key
	Region string // what the signature says; empty if it says none
	// Actions are what the client may do, such as "SendMessage" or
	// "sqs:SendMessage"; "*" and nil are everything.
	Actions []string
}

// May says whether the client may do an action.
func (c *Client) May(action string) bool {
	if c.Actions == nil {
		return true
	}
	for _, allowed := range c.Actions {
		if allowed = bareAction(allowed); allowed == "*" || strings.EqualFold(allowed, action) {
			return true
		}
	}
	return false
}

// bareAction is an action's name without the "sqs:" that IAM writes before it.
func bareAction(name string) string {
	if len(name) > 4 && strings.EqualFold(name[:4], "sqs:") {
		return name[4:]
	}
	return name
}

// KnowsAction says whether a client can be allowed this: an action's name, as
// also after "sqs:", or "*".
func KnowsAction(name string) bool {
	name = bareAction(name)
	for action := range actions {
		if strings.EqualFold(name, action) {
			return true
		}
	}
	return name == "*"
}

// Why a request's signature was not accepted.
var (
	ErrNoCredentials = errors.New("request carries no signature")
	ErrUnknownKey    = errors.New("access key is not known")
	ErrSignature     = errors.New("signature does not match")
)

// IncompleteError reports a signature that lacks something.
type IncompleteError struct{ Reason string }

func (e *IncompleteError) Error() string { return e.Reason }

// SkewError reports a signature from another time than ours.
type SkewError struct {
	Signed time.Time
	Now    time.Time
}

func (e *SkewError) Error() string { return "request was signed at another time" }

const amzTime = "20060102T150405Z"

// allowedSkew is how far a client's clock may be off.
const allowedSkew = 15 * time.Minute

func accessRefusal(err error) *Error {
	var skew *SkewError
	var incomplete *IncompleteError
	switch {
	case errors.Is(err, ErrNoCredentials):
		return faultNoCredentials.with()
	case errors.Is(err, ErrUnknownKey):
		return faultUnknownKey.with()
	case errors.As(err, &incomplete):
		return faultIncomplete.with(incomplete.Reason)
	case errors.As(err, &skew):
		signed, now := skew.Signed.UTC().Format(amzTime), skew.Now.UTC().Format(amzTime)
		if skew.Signed.After(skew.Now) {
			return faultNotYet.with(signed, skew.Now.Add(allowedSkew).UTC().Format(amzTime), now)
		}
		return faultExpired.with(signed, skew.Now.Add(-allowedSkew).UTC().Format(amzTime), now)
	case errors.Is(err, ErrSignature):
		return faultSignature.with()
	}
	return refusal(err)
}

// unbatched turns the name of a batch action into that of the action it repeats.
var unbatched = strings.NewReplacer("Batch", "")

// allow refuses an action that the client's credential does not list. As in
// IAM, the right to an action includes its batch form.
func (c *call) allow(action string) error {
	if c.client.May(action) || c.client.May(unbatched.Replace(action)) {
		return nil
	}
	resource := "arn:aws:sqs:" + c.region + ":" + c.options.Account + ":" + c.at.name
	if c.at.name == "" {
		resource += "*"
	}
	return faultDenied.with(c.options.Account, c.client.Key, strings.ToLower(unbatched.Replace(action)), resource)
}
