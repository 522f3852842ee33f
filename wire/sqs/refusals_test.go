package sqs

import (
	"strings"
	"testing"
)

func TestOwnerIsNotLookedAt(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		for _, owner := range []string{"000000000000", "111111111111"} {
			r.same("URL for owner "+owner, r.must("GetQueueUrl", M{"QueueName": "q", "QueueOwnerAWSAccountId": owner})["QueueUrl"], q)
		}
	})
}

func TestPermissionsLack(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		full := M{"QueueUrl": q, "Label": "l", "AWSAccountIds": L{"111111111111"}, "Actions": L{"SendMessage"}}
		for member, name := range map[string]string{"Label": "Label", "AWSAccountIds": "AWSAccountId", "Actions": "ActionName"} {
			in := with(full)
			delete(in, member)
			r.refused("AddPermission", in, 400, "MissingParameter", "The request must contain the parameter "+name+".")
		}
		r.refused("RemovePermission", M{"QueueUrl": q}, 400, "MissingParameter", "The request must contain the parameter Label.")
		if p, ok := r.attributes(q)["Policy"]; ok {
			r.Errorf("Policy = %v after refusals alone", p)
		}
	})
}

func TestMoveOfOtherServices(t *testing.T) {
	both(t, func(r *rig) {
		r.dead("q", "dlq", 1)
		const format = " arn:<partition>:<service>:<region>:<account-id>:<resource-id>"
		const topic = "arn:aws:sns:us-east-1:000000000000:dlq"
		r.invalid("StartMessageMoveTask", M{"SourceArn": topic}, "You must use this format to specify the SourceArn:"+format)
		r.invalid("ListMessageMoveTasks", M{"SourceArn": topic}, "You must use this format to specify the SourceArn:"+format)
		r.invalid("StartMessageMoveTask", M{"SourceArn": r.arnOf("dlq"), "DestinationArn": topic}, "You must use this format to specify the DestinationArn:"+format)
	})
}

func TestTokensOfOtherLists(t *testing.T) {
	both(t, func(r *rig) {
		page := func(action string, in M) M { return r.must(action, with(in, M{"MaxResults": 1})) }
		urls := map[string]string{}
		for _, name := range []string{"dlq", "other"} {
			urls[name] = r.queue(name)
			r.queue(name+"1", "RedrivePolicy", r.deadTo(name, 1))
			r.queue(name+"2", "RedrivePolicy", r.deadTo(name, 1))
		}
		const text = "Invalid NextToken value. If you are passing in NextToken, you must not change the other request parameters."
		token := page("ListDeadLetterSourceQueues", M{"QueueUrl": urls["dlq"]})["NextToken"]
		r.invalid("ListDeadLetterSourceQueues", M{"QueueUrl": urls["other"], "MaxResults": 1, "NextToken": token}, text)
		r.invalid("ListQueues", M{"MaxResults": 1, "NextToken": token}, text)
		all := page("ListQueues", M{})["NextToken"]
		r.invalid("ListDeadLetterSourceQueues", M{"QueueUrl": urls["dlq"], "MaxResults": 1, "NextToken": all}, text)
		r.invalid("ListDeadLetterSourceQueues", M{"QueueUrl": urls["dlq"], "NextToken": token},
			"MaxResults is a mandatory parameter when you provide a value for NextToken.")
	})
}

func TestOwnDeadLetterQueue(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		in := M{"QueueUrl": q, "Attributes": M{"RedrivePolicy": r.deadTo("q", 1)}}
		r.invalid("SetQueueAttributes", in, "")
		text := "Value " + r.deadTo("q", 1) + " for parameter RedrivePolicy is invalid. Reason: " // the rest is ours
		if a := r.ask("SetQueueAttributes", in); !strings.HasPrefix(a.message, text) {
			r.Errorf("itself as dead-letter queue = %q, want %q at its start", a.message, text)
		}
		if p, ok := r.attributes(q)["RedrivePolicy"]; ok {
			r.Errorf("RedrivePolicy = %v, the queue itself", p)
		}
		r.invalid("CreateQueue", M{"QueueName": "new", "Attributes": M{"RedrivePolicy": r.deadTo("new", 1)}},
			"Value "+r.deadTo("new", 1)+" for parameter RedrivePolicy is invalid. Reason: Dead letter target does not exist.")
	})
}
