package sqs

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"inflight/engine"
)

func TestNames(t *testing.T) {
	const (
		bad     = "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length"
		badFIFO = "The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo suffix and be 1 to 80 in length."
	)
	both(t, func(r *rig) {
		for _, name := range []string{"a", "A-b_9", strings.Repeat("x", 80), strings.Repeat("x", 75) + ".fifo"} {
			r.same("URL", r.queue(name), "http://queues.test:9324/000000000000/"+name)
		}
		for _, name := range []string{"a b", "ü", "a.b", "a/b", "a@b", strings.Repeat("x", 81), "a.fifo"} {
			r.invalid("CreateQueue", M{"QueueName": name}, bad)
		}
		for _, name := range []string{"a", "a.fif", ".fifo", "a b.fifo", strings.Repeat("x", 76) + ".fifo"} {
			r.invalid("CreateQueue", M{"QueueName": name, "Attributes": M{"FifoQueue": "true"}}, badFIFO)
		}
		r.refused("CreateQueue", M{}, 400, "MissingParameter", "The request must contain the parameter QueueName.")
		r.must("GetQueueUrl", M{"QueueName": "A-b_9", "QueueOwnerAWSAccountId": "000000000000"})
		r.refused("GetQueueUrl", M{"QueueName": "a-B_9"}, 400, "AWS.SimpleQueueService.NonExistentQueue", "") // case counts
	})
}

func TestMissingQueue(t *testing.T) {
	both(t, func(r *rig) {
		gone := r.queue("gone")
		r.put(gone, "x")
		handle := r.take(gone, 1)[0]["ReceiptHandle"]
		r.must("DeleteQueue", M{"QueueUrl": gone})
		text := "The specified queue does not exist."
		if r.query {
			text = "The specified queue does not exist for this wsdl version."
		}
		for action, in := range map[string]M{
			"SendMessage": {"MessageBody": "x"}, "SendMessageBatch": {"Entries": entries(1, body("x"))}, "ReceiveMessage": {},
			"DeleteMessage": {"ReceiptHandle": handle}, "DeleteMessageBatch": {"Entries": L{M{"Id": "a", "ReceiptHandle": handle}}},
			"ChangeMessageVisibility": {"ReceiptHandle": handle, "VisibilityTimeout": 1}, "GetQueueAttributes": {}, "DeleteQueue": {}, "PurgeQueue": {},
			"SetQueueAttributes": {"Attributes": M{"DelaySeconds": "1"}}, "TagQueue": {"Tags": M{"a": "b"}}, "ListQueueTags": {},
			"UntagQueue": {"TagKeys": L{"a"}}, "ListDeadLetterSourceQueues": {}, "RemovePermission": {"Label": "l"},
			"AddPermission":                {"Label": "l", "AWSAccountIds": L{"1"}, "Actions": L{"SendMessage"}},
			"ChangeMessageVisibilityBatch": {"Entries": L{M{"Id": "a", "ReceiptHandle": handle, "VisibilityTimeout": 1}}},
		} {
			for _, queue := range []string{gone, "http://other.host/000000000000/never"} {
				r.refused(action, with(in, M{"QueueUrl": queue}), 400, "AWS.SimpleQueueService.NonExistentQueue", text)
			}
		}
		r.refused("GetQueueUrl", M{"QueueName": "gone"}, 400, "AWS.SimpleQueueService.NonExistentQueue", text)
	})
}

func TestAttributeRanges(t *testing.T) {
	tests := []struct {
		name      string
		good, bad []string
	}{
		{"VisibilityTimeout", []string{"0", "43200"}, []string{"-1", "43201", "x", ""}},
		{"DelaySeconds", []string{"0", "900"}, []string{"-1", "901", "1.5"}},
		{"MaximumMessageSize", []string{"1024", "1048576"}, []string{"1023", "1048577"}},
		{"MessageRetentionPeriod", []string{"60", "1209600"}, []string{"59", "1209601"}},
		{"ReceiveMessageWaitTimeSeconds", []string{"0", "20"}, []string{"-1", "21"}},
		{"SqsManagedSseEnabled", []string{"false", "true"}, []string{"yes"}},
	}
	both(t, func(r *rig) {
		q := r.queue("q")
		for _, tt := range tests {
			for _, v := range tt.good {
				r.must("SetQueueAttributes", M{"QueueUrl": q, "Attributes": M{tt.name: v}})
				r.same(tt.name, r.attributes(q, tt.name)[tt.name], v)
			}
			for _, v := range tt.bad {
				for action, in := range map[string]M{"SetQueueAttributes": {"QueueUrl": q}, "CreateQueue": {"QueueName": "other"}} {
					r.refused(action, with(in, M{"Attributes": M{tt.name: v}}), 400, "InvalidAttributeValue", "Invalid value for the parameter "+tt.name+".")
				}
			}
		}
		for _, name := range []string{"NoSuch", "visibilityTimeout", "QueueArn", "CreatedTimestamp", "ApproximateNumberOfMessages"} {
			for action, in := range map[string]M{"SetQueueAttributes": {"QueueUrl": q}, "CreateQueue": {"QueueName": "other"}} {
				r.refused(action, with(in, M{"Attributes": M{name: "1"}}), 400, "InvalidAttributeName", "Unknown Attribute "+name+".")
			}
		}
		r.refused("GetQueueAttributes", M{"QueueUrl": q, "AttributeNames": L{"All", "NoSuch"}}, 400, "InvalidAttributeName", "Unknown Attribute NoSuch.")
		r.refused("SetQueueAttributes", M{"QueueUrl": q}, 400, "MissingParameter", "The request must contain the parameter Attribute.Name.")
	})
}

func TestAllAttributes(t *testing.T) {
	both(t, func(r *rig) {
		created := r.now.Unix()
		q := r.queue("q")
		want := M{
			"ApproximateNumberOfMessages": "0", "ApproximateNumberOfMessagesNotVisible": "0", "ApproximateNumberOfMessagesDelayed": "0",
			"CreatedTimestamp": fmt.Sprint(created), "LastModifiedTimestamp": fmt.Sprint(created), "QueueArn": r.arnOf("q"),
			"VisibilityTimeout": "30", "DelaySeconds": "0", "MaximumMessageSize": "1048576", "MessageRetentionPeriod": "345600",
			"ReceiveMessageWaitTimeSeconds": "0", "SqsManagedSseEnabled": "true",
		}
		r.same("All of a standard queue", r.attributes(q), want)
		if got := r.must("GetQueueAttributes", M{"QueueUrl": q}); len(got) != 0 {
			r.Errorf("no names = %v, want no members", got)
		}
		r.pass(5 * time.Second)
		r.must("SetQueueAttributes", M{"QueueUrl": q, "Attributes": M{"DelaySeconds": "1"}})
		got := r.attributes(q, "CreatedTimestamp", "LastModifiedTimestamp")
		r.same("timestamps", got, M{"CreatedTimestamp": fmt.Sprint(created), "LastModifiedTimestamp": fmt.Sprint(created + 5)})
		f := r.attributes(r.queue("q.fifo"))
		for name, v := range map[string]string{
			"FifoQueue": "true", "ContentBasedDeduplication": "false", "DeduplicationScope": "queue", "FifoThroughputLimit": "perQueue",
		} {
			r.same(name, f[name], v)
		}
	})
}

func TestFIFOAttributes(t *testing.T) {
	both(t, func(r *rig) {
		q, f := r.queue("q"), r.queue("f.fifo")
		for _, action := range []string{"SetQueueAttributes", "CreateQueue"} {
			in := M{"QueueUrl": q}
			if action == "CreateQueue" {
				in = M{"QueueName": "other"}
			}
			for _, name := range []string{"FifoQueue", "ContentBasedDeduplication"} {
				r.refused(action, with(in, M{"Attributes": M{name: "false"}}), 400, "InvalidAttributeName", "Unknown Attribute "+name+".")
			}
			for name, v := range map[string]string{"DeduplicationScope": "queue", "FifoThroughputLimit": "perQueue"} {
				r.refused(action, with(in, M{"Attributes": M{name: v}}), 400, "InvalidAttributeName",
					"You can specify the "+name+" only when FifoQueue is set to true.")
			}
		}
		set := func(attributes M) M { return M{"QueueUrl": f, "Attributes": attributes} }
		r.must("SetQueueAttributes", set(M{"FifoQueue": "true"}))
		r.refused("SetQueueAttributes", set(M{"FifoQueue": "false"}), 400, "InvalidAttributeValue",
			"Invalid value for the parameter FifoQueue. Reason: Modifying queue type is not supported.")
		r.must("SetQueueAttributes", set(M{"ContentBasedDeduplication": "TRUE"}))
		r.same("ContentBasedDeduplication", r.attributes(f)["ContentBasedDeduplication"], "true")
		r.invalid("SetQueueAttributes", set(M{"FifoThroughputLimit": "perMessageGroupId"}),
			"The perMessageGroupId value is allowed only when the value for DeduplicationScope is messageGroup")
		r.must("SetQueueAttributes", set(M{"FifoThroughputLimit": "perMessageGroupId", "DeduplicationScope": "messageGroup"}))
		r.refused("SetQueueAttributes", set(M{"DeduplicationScope": "other"}), 400, "InvalidAttributeValue", "")
		r.must("CreateQueue", M{"QueueName": "g.fifo", "Attributes": M{"FifoQueue": "True"}})
	})
}

func TestEncryption(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q", "KmsMasterKeyId", "alias/key")
		got := r.attributes(q, "KmsMasterKeyId", "KmsDataKeyReusePeriodSeconds", "SqsManagedSseEnabled")
		r.same("with a key", got, M{"KmsMasterKeyId": "alias/key", "KmsDataKeyReusePeriodSeconds": "300", "SqsManagedSseEnabled": "false"})
		r.must("SetQueueAttributes", M{"QueueUrl": q, "Attributes": M{"KmsDataKeyReusePeriodSeconds": "60"}})
		r.same("reuse", r.attributes(q)["KmsDataKeyReusePeriodSeconds"], "60")
		r.refused("SetQueueAttributes", M{"QueueUrl": q, "Attributes": M{"KmsDataKeyReusePeriodSeconds": "59"}}, 400, "InvalidAttributeValue", "")
		r.must("SetQueueAttributes", M{"QueueUrl": q, "Attributes": M{"KmsMasterKeyId": ""}})
		got = r.attributes(q, "KmsMasterKeyId", "KmsDataKeyReusePeriodSeconds", "SqsManagedSseEnabled")
		r.same("without the key again", got, M{"SqsManagedSseEnabled": "false"})
		r.refused("SetQueueAttributes", M{"QueueUrl": q, "Attributes": M{"KmsMasterKeyId": "k", "SqsManagedSseEnabled": "true"}}, 400, "InvalidAttributeName",
			"You can use one type of server-side encryption (SSE) at one time. You can either enable KMS SSE or SQS SSE.")
	})
}

func TestCreateAgain(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q", "DelaySeconds", "0", "Policy", `{"Statement":[]}`)
		r.same("nothing passed", r.queue("q"), q)
		r.same("the same passed", r.queue("q", "DelaySeconds", "0", "VisibilityTimeout", "30"), q)
		r.must("SetQueueAttributes", M{"QueueUrl": q, "Attributes": M{"DelaySeconds": "1"}})
		r.refused("CreateQueue", M{"QueueName": "q", "Attributes": M{"DelaySeconds": "0"}}, 400, "QueueAlreadyExists",
			"A queue already exists with the same name and a different value for attribute DelaySeconds")
		r.put(q, "x")
		r.same("counters do not matter", r.queue("q"), q)
		r.same("tags do not matter", r.must("CreateQueue", M{"QueueName": "q", "tags": M{"a": "b"}})["QueueUrl"], q)
		r.refused("CreateQueue", M{"QueueName": "q", "Attributes": M{"Policy": `{"Statement":{}}`}}, 400, "QueueAlreadyExists",
			"A queue already exists with the same name and a different value for attribute Policy")
		r.must("SetQueueAttributes", M{"QueueUrl": q, "Attributes": M{"Policy": ""}})
		if p, ok := r.attributes(q)["Policy"]; ok {
			r.Errorf("Policy = %v after it was emptied", p)
		}
	})
}

func TestDeletedQueueIsEmptyAgain(t *testing.T) {
	both(t, func(r *rig) {
		q := r.fifo()
		r.must("TagQueue", M{"QueueUrl": q, "Tags": M{"a": "b"}})
		r.group(q, "g", "x")
		r.must("DeleteQueue", M{"QueueUrl": q})
		q = r.fifo()
		r.wantCounts(q, "0 0 0")
		r.group(q, "g", "x") // the deduplication history has gone
		r.wantCounts(q, "1 0 0")
		if tags := r.must("ListQueueTags", M{"QueueUrl": q}); len(tags) != 0 {
			r.Errorf("tags = %v", tags)
		}
	})
}

func TestCooldowns(t *testing.T) {
	for _, query := range []bool{false, true} {
		r := newRig(t, Options{Cooldown: true})
		r.query = query
		q := r.queue("q")
		r.must("PurgeQueue", M{"QueueUrl": q})
		r.pass(59 * time.Second)
		r.refused("PurgeQueue", M{"QueueUrl": q}, 403, "AWS.SimpleQueueService.PurgeQueueInProgress",
			"Only one PurgeQueue operation on q is allowed every 60 seconds.")
		r.pass(time.Second)
		r.must("PurgeQueue", M{"QueueUrl": q})
		r.must("DeleteQueue", M{"QueueUrl": q})
		r.pass(59 * time.Second)
		r.refused("CreateQueue", M{"QueueName": "q"}, 400, "AWS.SimpleQueueService.QueueDeletedRecently",
			"You must wait 60 seconds after deleting a queue before you can create another with the same name.")
		r.pass(time.Second)
		r.queue("q")
	}
}

func TestPurge(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		r.put(q, "in flight")
		m := r.take(q, 1)[0]
		r.put(q, "visible")
		r.put(q, "delayed", M{"DelaySeconds": 60})
		r.wantCounts(q, "1 1 1")
		r.must("PurgeQueue", M{"QueueUrl": q})
		r.must("PurgeQueue", M{"QueueUrl": q}) // the 60 s rule is off by default
		r.wantCounts(q, "0 0 0")
		r.pass(time.Hour)
		r.wantCounts(q, "0 0 0")
		r.drop(q, m)
		r.invalid("ChangeMessageVisibility", M{"QueueUrl": q, "ReceiptHandle": m["ReceiptHandle"], "VisibilityTimeout": 0}, "")
	})
}

func TestListQueues(t *testing.T) {
	both(t, func(r *rig) {
		if got := r.must("ListQueues", M{}); len(got) != 0 {
			r.Errorf("no queues = %v, want no members", got)
		}
		for i := range 5 {
			r.queue(fmt.Sprintf("a%d", i))
		}
		r.queue("B")
		list := func(in M) (names, token string) {
			got := r.must("ListQueues", in)
			urls, _ := got["QueueUrls"].(L)
			var all []string
			for _, u := range urls {
				all = append(all, u.(string)[strings.LastIndex(u.(string), "/")+1:])
			}
			token, _ = got["NextToken"].(string)
			return strings.Join(all, " "), token
		}
		names, token := list(M{})
		r.same("all", names+token, "B a0 a1 a2 a3 a4")
		names, _ = list(M{"QueueNamePrefix": "a"})
		r.same("with a prefix", names, "a0 a1 a2 a3 a4")
		names, _ = list(M{"QueueNamePrefix": "A"})
		r.same("with a prefix in another case", names, "")
		page := M{"QueueNamePrefix": "a", "MaxResults": 2}
		names, token = list(page)
		r.same("first page", names, "a0 a1")
		r.must("DeleteQueue", M{"QueueUrl": "a1"})
		r.queue("a1x")
		names, second := list(with(page, M{"NextToken": token}))
		r.same("second page", names, "a1x a2")
		names, last := list(with(page, M{"NextToken": second}))
		r.same("last page", names+last, "a3 a4")
		r.invalid("ListQueues", M{"NextToken": token}, "MaxResults is a mandatory parameter when you provide a value for NextToken.")
		for _, n := range []int{0, 1001, -1} {
			r.invalid("ListQueues", M{"MaxResults": n}, "Value for parameter MaxResults is invalid. Reason: MaxResults must be an integer between 1 and 1000.")
		}
		r.invalid("ListQueues", M{"MaxResults": 1, "NextToken": "nonsense"}, "Invalid or expired next token.")
		r.invalid("ListQueues", M{"MaxResults": 1, "NextToken": token},
			"Invalid NextToken value. If you are passing in NextToken, you must not change the other request parameters.")
	})
}

func TestAtMostAThousandQueues(t *testing.T) {
	r := newRig(t, Options{})
	for i := range 1001 {
		r.queue(fmt.Sprint("q", i))
	}
	got := r.must("ListQueues", M{})
	if n := len(got["QueueUrls"].(L)); n != 1000 || got["NextToken"] != nil {
		t.Errorf("without MaxResults %d queues and token %v, want 1000 and none", n, got["NextToken"])
	}
	if got := r.must("ListQueues", M{"MaxResults": 1000}); got["NextToken"] == nil {
		t.Error("with MaxResults no token, though there is one more")
	}
}

func TestListSources(t *testing.T) {
	both(t, func(r *rig) {
		dlq := r.queue("dlq")
		got := r.must("ListDeadLetterSourceQueues", M{"QueueUrl": dlq})
		if list, ok := got["queueUrls"].(L); !r.query && (!ok || len(list) != 0) {
			r.Errorf("queueUrls = %v, want an empty list", got["queueUrls"])
		}
		a, b := r.queue("a", "RedrivePolicy", r.deadTo("dlq", 1)), r.queue("b", "RedrivePolicy", r.deadTo("dlq", 2))
		r.same("queueUrls", r.must("ListDeadLetterSourceQueues", M{"QueueUrl": dlq})["queueUrls"], L{a, b})
		got = r.must("ListDeadLetterSourceQueues", M{"QueueUrl": dlq, "MaxResults": 1})
		r.same("first page", got["queueUrls"], L{a})
		got = r.must("ListDeadLetterSourceQueues", M{"QueueUrl": dlq, "MaxResults": 1, "NextToken": got["NextToken"]})
		r.same("second page", got["queueUrls"], L{b})
		r.must("SetQueueAttributes", M{"QueueUrl": b, "Attributes": M{"RedrivePolicy": ""}})
		r.same("after a policy went", r.must("ListDeadLetterSourceQueues", M{"QueueUrl": dlq})["queueUrls"], L{a})
	})
}

func TestTags(t *testing.T) {
	both(t, func(r *rig) {
		q := r.must("CreateQueue", M{"QueueName": "q", "tags": M{"a": "1", "A": ""}})["QueueUrl"]
		tags := func() any { return r.must("ListQueueTags", M{"QueueUrl": q})["Tags"] }
		r.same("tags", tags(), M{"a": "1", "A": ""})
		r.must("TagQueue", M{"QueueUrl": q, "Tags": M{"a": "2", "b": "3"}})
		r.same("tags", tags(), M{"a": "2", "A": "", "b": "3"})
		r.must("UntagQueue", M{"QueueUrl": q, "TagKeys": L{"a", "absent"}})
		r.same("tags", tags(), M{"A": "", "b": "3"})
		r.must("UntagQueue", M{"QueueUrl": q, "TagKeys": L{"A", "b"}})
		if got := r.must("ListQueueTags", M{"QueueUrl": q}); len(got) != 0 {
			r.Errorf("no tags = %v, want no members", got)
		}
		r.refused("TagQueue", M{"QueueUrl": q, "Tags": M{}}, 400, "MissingParameter", "The request must contain the parameter Tags.")
		r.invalid("UntagQueue", M{"QueueUrl": q, "TagKeys": L{}}, "Tag keys must be between 1 and 128 characters in length.")
		r.invalid("TagQueue", M{"QueueUrl": q, "Tags": M{strings.Repeat("k", 129): "v"}}, "Tag keys must be between 1 and 128 characters in length.")
		r.invalid("TagQueue", M{"QueueUrl": q, "Tags": M{"k": strings.Repeat("v", 257)}}, "")
		r.invalid("TagQueue", M{"QueueUrl": q, "Tags": M{"aws:k": "v"}}, "")
		many := M{}
		for i := range 50 {
			many[fmt.Sprint(i)] = "v"
		}
		r.must("TagQueue", M{"QueueUrl": q, "Tags": many})
		r.invalid("TagQueue", M{"QueueUrl": q, "Tags": M{"one more": "v"}}, "Too many tags added for queue q.")
	})
}

func TestChangesAtOnce(t *testing.T) {
	r := newRig(t, Options{})
	q := r.queue("q")
	c := &call{Handler: r.Handler, ctx: t.Context(), region: "us-east-1"}
	tries := 0
	err := c.configure("q", func(a *engine.Attributes) error {
		if tries++; tries == 1 { // another request comes between
			r.must("TagQueue", M{"QueueUrl": q, "Tags": M{"theirs": "v"}})
		}
		if a.Tags == nil {
			a.Tags = map[string]string{}
		}
		a.Tags["ours"] = "v"
		return nil
	})
	if err != nil || tries != 2 {
		t.Errorf("configure = %v after %d tries, want 2", err, tries)
	}
	r.same("tags", r.must("ListQueueTags", M{"QueueUrl": q})["Tags"], M{"ours": "v", "theirs": "v"})
}

func TestPermissions(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		add := func(label string, accounts, actions L) M {
			return M{"QueueUrl": q, "Label": label, "AWSAccountIds": accounts, "Actions": actions}
		}
		r.must("AddPermission", add("one", L{"111111111111"}, L{"SendMessage"}))
		r.must("AddPermission", add("two", L{"111111111111", "222222222222"}, L{"SendMessage", "*"}))
		arn := r.arnOf("q")
		r.same("Policy", r.attributes(q, "Policy")["Policy"], `{"Version":"2008-10-17","Id":"`+arn+`/SQSDefaultPolicy","Statement":[`+
			`{"Sid":"one","Effect":"Allow","Principal":{"AWS":"arn:aws:iam::111111111111:root"},"Action":"SQS:SendMessage","Resource":"`+arn+`"},`+
			`{"Sid":"two","Effect":"Allow","Principal":{"AWS":["arn:aws:iam::111111111111:root","arn:aws:iam::222222222222:root"]},"Action":["SQS:SendMessage","SQS:*"],"Resource":"`+arn+`"}]}`)
		r.invalid("AddPermission", add("one", L{"111111111111"}, L{"SendMessage"}), "Value one for parameter Label is invalid. Reason: Already exists.")
		r.must("RemovePermission", M{"QueueUrl": q, "Label": "one"})
		r.invalid("RemovePermission", M{"QueueUrl": q, "Label": "one"}, "Value one for parameter Label is invalid. Reason: can't find label.")
		r.must("RemovePermission", M{"QueueUrl": q, "Label": "two"})
		if p, ok := r.attributes(q)["Policy"]; ok {
			r.Errorf("Policy = %v after its last statement went", p)
		}
		r.refused("AddPermission", add("l", L{"1"}, L{"SendMessage", "ReceiveMessage", "DeleteMessage", "ChangeMessageVisibility",
			"GetQueueAttributes", "GetQueueUrl", "PurgeQueue", "ListDeadLetterSourceQueues"}), 403, "OverLimit", "")
		r.refused("AddPermission", add("l", L{"1"}, L{}), 400, "MissingParameter", "The request must contain the parameter ActionName.")
		r.invalid("AddPermission", add("l", L{"1"}, L{"CreateQueue"}), "")
	})
}
