package sqs

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestRedrivePolicies(t *testing.T) {
	both(t, func(r *rig) {
		r.queue("dlq")
		r.queue("dlq.fifo")
		q := r.queue("q")
		set := func(policy string) M { return M{"QueueUrl": q, "Attributes": M{"RedrivePolicy": policy}} }
		r.must("SetQueueAttributes", set(`{"maxReceiveCount":"3", "deadLetterTargetArn":"`+r.arnOf("dlq")+`"}`))
		r.same("RedrivePolicy", r.attributes(q)["RedrivePolicy"], r.deadTo("dlq", 3))
		tests := []struct{ policy, reason string }{
			{`{"deadLetterTargetArn":"` + r.arnOf("dlq") + `"}`, "Redrive policy does not contain mandatory attribute: maxReceiveCount."},
			{`{}`, "Redrive policy does not contain mandatory attribute: maxReceiveCount."},
			{`{"x":1}`, "Redrive policy does not contain mandatory attribute: maxReceiveCount."},
			{`{"maxReceiveCount":1,"x":1}`, "Redrive policy does not contain mandatory attribute: deadLetterTargetArn."},
			{`{"maxReceiveCount":1}`, "Redrive policy does not contain mandatory attribute: deadLetterTargetArn."},
			{r.deadTo("dlq", 0), "Invalid value for maxReceiveCount: 0, valid values are from 1 to 1000 both inclusive."},
			{r.deadTo("dlq", 1001), "Invalid value for maxReceiveCount: 1001, valid values are from 1 to 1000 both inclusive."},
			{r.deadTo("nothing", 1), "Dead letter target does not exist."},
			{r.deadTo("dlq.fifo", 1), "Dead-letter queue must be same type of queue as the source.."},
			{`{"deadLetterTargetArn":"arn:aws:sqs:eu-west-1:000000000000:dlq","maxReceiveCount":1}`, "Dead letter target does not exist."},
			{`{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:111111111111:dlq","maxReceiveCount":1}`, "Dead letter target does not exist."},
			{`{"deadLetterTargetArn":"arn:aws:sns:us-east-1:000000000000:dlq","maxReceiveCount":1}`, "Only SQS queues are valid resources for deadLetterTargetArn."},
			{`{"deadLetterTargetArn":"dlq","maxReceiveCount":1}`, "Invalid value for deadLetterTargetArn."},
			{`{"deadLetterTargetArn":"` + r.arnOf("dlq") + `","maxReceiveCount":1,"x":1}`, "Only following attributes are supported: [maxReceiveCount, deadLetterTargetArn]."},
		}
		for _, tt := range tests {
			r.invalid("SetQueueAttributes", set(tt.policy), "Value "+tt.policy+" for parameter RedrivePolicy is invalid. Reason: "+tt.reason)
		}
		for _, bad := range []string{"x", "1", "null", "{"} {
			r.refused("SetQueueAttributes", set(bad), 400, "InvalidAttributeValue",
				"Invalid value for the parameter RedrivePolicy. Reason: Redrive policy is not a valid JSON map.")
		}
		r.same("RedrivePolicy after refusals", r.attributes(q)["RedrivePolicy"], r.deadTo("dlq", 3))
		r.must("SetQueueAttributes", set(""))
		if p, ok := r.attributes(q)["RedrivePolicy"]; ok {
			r.Errorf("RedrivePolicy = %v after it was emptied", p)
		}
		r.queue("next", "RedrivePolicy", r.deadTo("q", 1)) // a source as dead-letter queue
		r.must("SetQueueAttributes", set(r.deadTo("dlq", 1)))
	})
}

func TestRedriveAllowPolicies(t *testing.T) {
	both(t, func(r *rig) {
		dlq, q := r.queue("dlq"), r.queue("q")
		set := func(policy string) M { return M{"QueueUrl": dlq, "Attributes": M{"RedriveAllowPolicy": policy}} }
		use := M{"QueueUrl": q, "Attributes": M{"RedrivePolicy": r.deadTo("dlq", 1)}}
		if p, ok := r.attributes(dlq)["RedriveAllowPolicy"]; ok {
			r.Errorf("RedriveAllowPolicy = %v, though nobody set it", p)
		}
		for policy, allowed := range map[string]bool{
			`{"redrivePermission":"allowAll"}`:                                               true,
			`{"redrivePermission":"denyAll"}`:                                                false,
			`{"redrivePermission":"byQueue","sourceQueueArns":["` + r.arnOf("q") + `"]}`:     true,
			`{"redrivePermission":"byQueue","sourceQueueArns":["` + r.arnOf("other") + `"]}`: false,
		} {
			r.must("SetQueueAttributes", set(policy))
			r.same("RedriveAllowPolicy", r.attributes(dlq)["RedriveAllowPolicy"], policy)
			if allowed {
				r.must("SetQueueAttributes", use)
				r.must("SetQueueAttributes", M{"QueueUrl": q, "Attributes": M{"RedrivePolicy": ""}})
				continue
			}
			r.invalid("SetQueueAttributes", use, "")
			r.invalid("CreateQueue", M{"QueueName": "new", "Attributes": use["Attributes"]}, "")
		}
		for _, bad := range []string{"x", "{}", `{"redrivePermission":"some"}`, `{"redrivePermission":"denyAll","x":1}`, "null",
			`{"RedrivePermission":"denyAll"}`, `{"redrivePermission":"denyAll"}}`, `{"redrivePermission":"denyAll"}]`} {
			r.refused("SetQueueAttributes", set(bad), 400, "InvalidAttributeValue",
				"Invalid value for the parameter RedriveAllowPolicy. Reason: Amazon SQS can't create the redrive allow policy, as it’s in an unsupported format.")
		}
		eleven := `["` + strings.Repeat(r.arnOf("q")+`","`, 10) + r.arnOf("q") + `"]`
		for policy, reason := range map[string]string{
			`{"redrivePermission":"byQueue"}`:                                             "When you specify the byQueue permission type, you must also specify one or more sourceQueueArns values.",
			`{"redrivePermission":"byQueue","sourceQueueArns":` + eleven + `}`:            "The maximum number of source queue ARNs you can specify is 10.",
			`{"redrivePermission":"allowAll","sourceQueueArns":["` + r.arnOf("q") + `"]}`: "To specify one or more source queue ARNs, you must set redrivePermission to byQueue.",
		} {
			r.invalid("SetQueueAttributes", set(policy),
				"Value "+policy+" for parameter RedriveAllowPolicy is invalid. Reason: Amazon SQS can't create the redrive allow policy. "+reason)
		}
		r.must("SetQueueAttributes", set(""))
		r.must("SetQueueAttributes", use)
	})
}

func TestDeadLettering(t *testing.T) {
	both(t, func(r *rig) {
		dlq := r.queue("dlq")
		q := r.queue("q", "RedrivePolicy", r.deadTo("dlq", 1), "VisibilityTimeout", "5")
		sent := r.put(q, "x", M{"MessageAttributes": M{"k": M{"DataType": "String", "StringValue": "v"}}})
		at := fmt.Sprint(r.now.UnixMilli())
		r.takes(q, 1, "x")
		r.pass(time.Hour)
		r.wantCounts(dlq, "0 0 0") // not by time
		r.takes(q, 1, "")
		r.wantCounts(q, "0 0 0")
		m := r.takes(dlq, 1, "x")[0]
		got := m["Attributes"].(M)
		r.same("MessageId", m["MessageId"], sent["MessageId"])
		r.same("attributes", m["MessageAttributes"], M{"k": M{"DataType": "String", "StringValue": "v"}})
		r.same("receives", got["ApproximateReceiveCount"], 2)
		r.same("SentTimestamp", got["SentTimestamp"], at)
		r.same("DeadLetterQueueSourceArn", got["DeadLetterQueueSourceArn"], r.arnOf("q"))
		r.same("first receive", got["ApproximateFirstReceiveTimestamp"], at)
	})
}

func TestDeadLetteringOfUnhiddenReceives(t *testing.T) {
	both(t, func(r *rig) {
		dlq := r.queue("dlq")
		q := r.queue("q", "RedrivePolicy", r.deadTo("dlq", 2), "VisibilityTimeout", "0")
		r.put(q, "x")
		r.takes(q, 1, "x")
		r.takes(q, 1, "x")
		r.takes(q, 1, "")
		r.wantCounts(dlq, "1 0 0")
	})
}

func TestDeadLetterQueueDeleted(t *testing.T) {
	both(t, func(r *rig) {
		dlq := r.queue("dlq")
		q := r.queue("q", "RedrivePolicy", r.deadTo("dlq", 1), "VisibilityTimeout", "0")
		r.put(q, "x")
		r.must("DeleteQueue", M{"QueueUrl": dlq})
		for range 3 {
			r.takes(q, 1, "x")
		}
	})
}

func TestCreateAgainWithDeadLetters(t *testing.T) {
	both(t, func(r *rig) {
		dlq := r.queue("dlq")
		q := r.queue("q", "RedrivePolicy", r.deadTo("dlq", 1))
		r.must("SetQueueAttributes", M{"QueueUrl": dlq, "Attributes": M{"RedriveAllowPolicy": `{"redrivePermission":"denyAll"}`}})
		r.same("the target denies now", r.queue("q", "RedrivePolicy", r.deadTo("dlq", 1)), q)
		r.must("DeleteQueue", M{"QueueUrl": dlq})
		r.same("the target has gone", r.queue("q", "RedrivePolicy", r.deadTo("dlq", 1)), q)
		r.invalid("CreateQueue", M{"QueueName": "q", "Attributes": M{"RedrivePolicy": r.deadTo("dlq", 2)}}, "")
		r.invalid("SetQueueAttributes", M{"QueueUrl": q, "Attributes": M{"RedrivePolicy": r.deadTo("dlq", 1)}}, "")
		other := r.queue("other", "RedrivePolicy", r.deadTo("q", 1))
		r.refused("CreateQueue", M{"QueueName": "other", "Attributes": M{"RedrivePolicy": r.deadTo("q", 2)}}, 400, "QueueAlreadyExists",
			"A queue already exists with the same name and a different value for attribute RedrivePolicy")
		r.same("the same passed", r.queue("other", "RedrivePolicy", r.deadTo("q", 1)), other)
	})
}

// The clock of the retention goes on in the dead-letter queue: the message
// gets there, and has but a second left. One that is older already expires
// there, and not on the way.
func TestDeadLetterExpiry(t *testing.T) {
	both(t, func(r *rig) {
		dlq := r.queue("dlq", "MessageRetentionPeriod", "60")
		q := r.queue("q", "RedrivePolicy", r.deadTo("dlq", 1), "VisibilityTimeout", "0")
		r.put(q, "59 s")
		r.takes(q, 1, "59 s")
		r.pass(59 * time.Second)
		r.takes(q, 1, "")
		r.takes(dlq, 1, "59 s")
		r.wantCounts(dlq, "0 1 0")
		r.pass(time.Second)
		r.wantCounts(dlq, "0 0 0")

		r.put(q, "61 s")
		r.takes(q, 1, "61 s")
		r.pass(61 * time.Second)
		r.takes(q, 1, "")
		r.takes(dlq, 1, "")
		r.wantCounts(q, "0 0 0")
		r.wantCounts(dlq, "0 0 0")
		r.pass(time.Second)
		stats, err := r.engine.Queue(r.Context(), "dlq")
		if c := stats.Counters; err != nil || c.DeadLetteredIn != 2 || c.Expired != 2 {
			r.Errorf("%d came into the dead-letter queue and %d expired there, %v; want 2 and 2", c.DeadLetteredIn, c.Expired, err)
		}
	})
}

func TestFIFODeadLettering(t *testing.T) {
	both(t, func(r *rig) {
		dlq := r.queue("dlq.fifo", "ContentBasedDeduplication", "true")
		q := r.fifo("RedrivePolicy", r.deadTo("dlq.fifo", 1), "VisibilityTimeout", "0", "DeduplicationScope", "messageGroup")
		a := r.put(q, "same", M{"MessageGroupId": "a", "MessageDeduplicationId": "d"})
		b := r.put(q, "same", M{"MessageGroupId": "b", "MessageDeduplicationId": "d"})
		r.group(q, "a", "next")
		r.takes(q, 1, "same")
		r.takes(q, 1, "same")
		r.pass(time.Second)
		r.takes(q, 10, "next") // both moved, and the group goes on
		for i, m := range r.takes(dlq, 10, "same same") {
			sent := []M{a, b}[i]
			got := m["Attributes"].(M)
			r.same("MessageId", m["MessageId"], sent["MessageId"])
			r.same("deduplication id", got["MessageDeduplicationId"], sent["MessageId"])
			r.same("group", got["MessageGroupId"], []string{"a", "b"}[i])
			r.same("SentTimestamp", got["SentTimestamp"], r.now.UnixMilli())
			r.same("receives", got["ApproximateReceiveCount"], 2)
		}
	})
}
