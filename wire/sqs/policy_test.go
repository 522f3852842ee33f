package sqs

import (
	"fmt"
	"strings"
	"testing"
)

// many is a list of n equal JSON values.
func many(n int, one string) string { return "[" + strings.Repeat(one+",", n-1) + one + "]" }

func TestPolicyForm(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		set := func(policy string) M { return M{"QueueUrl": q, "Attributes": M{"Policy": policy}} }
		for _, good := range []string{`{"Statement":{}}`, ` { "Statement" : [ {"Effect":"Allow"}, {} ] } `, `{"Version":"2012-10-17","Statement":[]}`} {
			r.must("SetQueueAttributes", set(good))
			r.same("Policy", r.attributes(q)["Policy"], good)
		}
		for _, bad := range []string{"x", "1", "null", "[]", "{}", `"x"`, `{"Statement":null}`, `{"Statement":"x"}`, `{"Statement":["x"]}`, `{"Statement":{}} x`} {
			r.refused("SetQueueAttributes", set(bad), 400, "InvalidAttributeValue", "Invalid value for the parameter Policy.")
			r.refused("CreateQueue", M{"QueueName": "new", "Attributes": M{"Policy": bad}}, 400, "InvalidAttributeValue", "Invalid value for the parameter Policy.")
		}
	})
}

func TestPolicyLimits(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		set := func(policy string) M { return M{"QueueUrl": q, "Attributes": M{"Policy": policy}} }
		r.must("SetQueueAttributes", set(`{"Statement":{"Action":`+many(7, `"SQS:*"`)+`}}`))
		for _, statement := range []string{`{"Action":` + many(10, `"SQS:*"`) + `}`, `[{},{"Action":` + many(10, `"SQS:*"`) + `}]`} {
			r.refused("SetQueueAttributes", set(`{"Statement":`+statement+`}`), 403, "OverLimit",
				"10 actions were found in a statement from the submitted policy, max allowed is 7")
		}
		sized := func(n int) M { return set(`{"Statement":{"Sid":"` + strings.Repeat("x", n-24) + `"}}`) }
		r.must("SetQueueAttributes", sized(8192))
		r.refused("SetQueueAttributes", sized(8193), 403, "OverLimit", "Submitted policy is over max allowed size.")
		add := M{"QueueUrl": q, "Label": "l", "AWSAccountIds": L{"111111111111"}, "Actions": L{"SendMessage"}}
		r.refused("AddPermission", add, 403, "OverLimit", "Submitted policy is over max allowed size.")
		const tooMany = "21 statements were found in the submitted policy, max allowed is 20"
		r.refused("SetQueueAttributes", set(`{"Statement":`+many(21, `{}`)+`}`), 403, "OverLimit", tooMany)
		r.must("SetQueueAttributes", set(`{"Statement":`+many(20, `{}`)+`}`))
		r.refused("AddPermission", add, 403, "OverLimit", tooMany)
		r.same("Policy after refusals", r.attributes(q)["Policy"], `{"Statement":`+many(20, `{}`)+`}`)
	})
}

// A statement need not be in a list for another to be added, or for it to go.
func TestPermissionsBesideASingleStatement(t *testing.T) {
	both(t, func(r *rig) {
		const theirs = `{"Sid":"theirs","Effect":"Deny","Principal":"*","Action":"SQS:*"}`
		q := r.queue("q", "Policy", `{"Version":"2012-10-17","Statement":`+theirs+`}`)
		r.must("AddPermission", M{"QueueUrl": q, "Label": "ours", "AWSAccountIds": L{"111111111111"}, "Actions": L{"SendMessage"}})
		r.same("Policy", r.attributes(q)["Policy"], fmt.Sprintf(`{"Version":"2012-10-17","Id":"%s/SQSDefaultPolicy","Statement":[%s,`+
			`{"Sid":"ours","Effect":"Allow","Principal":{"AWS":"arn:aws:iam::111111111111:root"},"Action":"SQS:SendMessage","Resource":"%[1]s"}]}`, r.arnOf("q"), theirs))
		q = r.queue("other", "Policy", `{"Statement":`+theirs+`}`)
		r.must("RemovePermission", M{"QueueUrl": q, "Label": "theirs"})
		if p, ok := r.attributes(q)["Policy"]; ok {
			r.Errorf("Policy = %v after its statement went", p)
		}
	})
}

func TestPermissionRefusals(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		add := func(account, action string) M {
			return M{"QueueUrl": q, "Label": "l", "AWSAccountIds": L{"111111111111", account}, "Actions": L{"SendMessage", action}}
		}
		for _, bad := range []string{"*", "1", "1111111111111", "11111111111x"} {
			r.invalid("AddPermission", add(bad, "*"), "Value [111111111111, "+bad+"] for parameter PrincipalId is invalid. Reason: Unable to verify.")
		}
		for action, reason := range map[string]string{
			"CreateQueue": "Only the queue owner is allowed to invoke this action.",
			"NoSuch":      "Please refer to the appropriate WSDL for a list of valid actions.",
		} {
			r.invalid("AddPermission", add("222222222222", action), "Value SQS:"+action+" for parameter ActionName is invalid. Reason: "+reason)
		}
		r.must("AddPermission", add("222222222222", "*"))
	})
}
