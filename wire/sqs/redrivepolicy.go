package sqs

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"inflight/engine"
)

func getRedrive(h *Handler, q *engine.QueueStats) (string, bool) {
	p := q.Attributes.Redrive
	if p == (engine.RedrivePolicy{}) {
		return "", false
	}
	return fmt.Sprintf(`{"deadLetterTargetArn":%q,"maxReceiveCount":%d}`, h.arn(p.DLQ), p.MaxReceives), true
}

// setRedrive checks a RedrivePolicy (D1, D3, D4, D10).
func setRedrive(c *call, queue string, a *engine.Attributes, text string) error {
	if text == "" {
		a.Redrive = engine.RedrivePolicy{}
		return nil
	}
	next, region, err := c.readRedrive(text)
	if err != nil {
		return err
	}
	reason, err := c.checkDLQ(queue, a.Type, next.DLQ, region)
	if err != nil {
		return err
	}
	if reason != "" {
		return faultRedrive.with(text, reason)
	}
	a.Redrive = next
	return nil
}

// readRedrive reads a RedrivePolicy and the region of its target, which need
// not exist.
func (h *Handler) readRedrive(text string) (p engine.RedrivePolicy, region string, err error) {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &members) != nil || members == nil {
		return p, "", faultRedriveJSON.with()
	}
	refuse := func(format string, args ...any) (engine.RedrivePolicy, string, error) {
		return p, "", faultRedrive.with(text, fmt.Sprintf(format, args...))
	}
	for _, name := range []string{"maxReceiveCount", "deadLetterTargetArn"} {
		if _, ok := members[name]; !ok {
			return refuse("Redrive policy does not contain mandatory attribute: %s.", name)
		}
	}
	if len(members) > 2 {
		return refuse("Only following attributes are supported: [maxReceiveCount, deadLetterTargetArn].")
	}
	count := strings.Trim(string(members["maxReceiveCount"]), `"`) // a string will do
	max, err := strconv.Atoi(count)
	if err != nil || max < 1 || max > maxReceiveCount {
		return refuse("Invalid value for maxReceiveCount: %s, valid values are from 1 to 1000 both inclusive.", count)
	}
	var arn string
	json.Unmarshal(members["deadLetterTargetArn"], &arn) // what is no string is no ARN either
	parts, ok := parseARN(arn)
	switch {
	case !ok:
		return refuse("Invalid value for deadLetterTargetArn.")
	case parts.service != "sqs":
		return refuse("Only SQS queues are valid resources for deadLetterTargetArn.")
	}
	return engine.RedrivePolicy{DLQ: h.ofARN(parts), MaxReceives: max}, parts.region, nil
}

// checkDLQ says why a queue cannot have that dead-letter queue, if so.
func (c *call) checkDLQ(queue string, kind engine.Type, dlq, region string) (reason string, err error) {
	if _, own := c.split(queue); dlq == "" || region != own {
		return "Dead letter target does not exist.", nil
	}
	q, err := c.engine.Queue(c.ctx, dlq)
	switch {
	case errors.Is(err, engine.ErrQueueNotFound):
		return "Dead letter target does not exist.", nil
	case err != nil:
		return "", err
	case q.Attributes.Type != kind:
		return "Dead-letter queue must be same type of queue as the source..", nil
	case dlq == queue:
		return "Dead-letter queue must not be the source queue itself.", nil
	}
	allow := q.Attributes.RedriveAllow
	if allow.Mode == engine.DenyAll || allow.Mode == engine.AllowByQueue && !slices.Contains(allow.Sources, queue) {
		return "The dead-letter queue's redrive allow policy does not allow this source queue.", nil
	}
	return "", nil
}

// The values of redrivePermission.
var allowModes = []string{engine.AllowAll: "allowAll", engine.AllowByQueue: "byQueue", engine.DenyAll: "denyAll"}

// allowPolicy is a RedriveAllowPolicy as a client writes it.
type allowPolicy struct {
	Permission string   `json:"redrivePermission"`
	Sources    []string `json:"sourceQueueArns,omitempty"`
}

// UnmarshalJSON takes the members by their exact names, and no others.
func (p *allowPolicy) UnmarshalJSON(text []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	for name, v := range members {
		var err error
		switch name {
		case "redrivePermission":
			err = json.Unmarshal(v, &p.Permission)
		case "sourceQueueArns":
			err = json.Unmarshal(v, &p.Sources)
		default:
			err = errors.New("unknown member " + name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// attrAllowSet marks in Extra that allowAll was given and is to be shown.
const attrAllowSet = "redriveAllowPolicyGiven"

func getAllow(h *Handler, q *engine.QueueStats) (string, bool) {
	p := q.Attributes.RedriveAllow
	if p.Mode == engine.AllowAll && q.Attributes.Extra[attrAllowSet] == "" {
		return "", false
	}
	shown := allowPolicy{Permission: allowModes[p.Mode]}
	for _, source := range p.Sources {
		shown.Sources = append(shown.Sources, h.arn(source))
	}
	text, _ := json.Marshal(shown) // strings always can
	return string(text), true
}

// setAllow checks a RedriveAllowPolicy (D10). Source queues need not exist.
func setAllow(c *call, _ string, a *engine.Attributes, text string) error {
	keep(a, attrAllowSet, "")
	if text == "" {
		a.RedriveAllow = engine.RedriveAllowPolicy{}
		return nil
	}
	var given allowPolicy
	if json.Unmarshal([]byte(text), &given) != nil {
		return faultAllowJSON.with()
	}
	mode := slices.Index(allowModes, given.Permission)
	byQueue := mode == int(engine.AllowByQueue)
	switch n := len(given.Sources); {
	case mode < 0:
		return faultAllowJSON.with()
	case byQueue && n == 0:
		return faultAllow.with(text, "When you specify the byQueue permission type, you must also specify one or more sourceQueueArns values.")
	case n > maxAllowedSources:
		return faultAllow.with(text, "The maximum number of source queue ARNs you can specify is 10.")
	case !byQueue && n > 0:
		return faultAllow.with(text, "To specify one or more source queue ARNs, you must set redrivePermission to byQueue.")
	}
	next := engine.RedriveAllowPolicy{Mode: engine.AllowMode(mode)}
	for _, source := range given.Sources {
		parts, ok := parseARN(source)
		if !ok || c.ofARN(parts) == "" {
			return faultAllowJSON.with()
		}
		next.Sources = append(next.Sources, c.ofARN(parts))
	}
	a.RedriveAllow = next
	if next.Mode == engine.AllowAll {
		keep(a, attrAllowSet, "true")
	}
	return nil
}
