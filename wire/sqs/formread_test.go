package sqs

import "testing"

// Old SDKs for Java and PHP name a list by its member.
func TestQueryListsByMember(t *testing.T) {
	r := newRig(t, Options{})
	for _, form := range []string{
		"CreateQueue&QueueName=q&Attributes.1.Name=DelaySeconds&Attributes.1.Value=7&Tags.1.Key=a&Tags.1.Value=1",
		"TagQueue&QueueUrl=q&Tags.1.Key=b&Tags.1.Value=2&Tags.2.Key=c&Tags.2.Value=3",
		"UntagQueue&QueueUrl=q&TagKeys.1=c",
		"SendMessage&QueueUrl=q&MessageBody=x&DelaySeconds=0&MessageAttributes.1.Name=k&MessageAttributes.1.Value.DataType=String&MessageAttributes.1.Value.StringValue=v",
		"SendMessageBatch&QueueUrl=q&Entries.1.Id=a&Entries.1.MessageBody=y&Entries.1.DelaySeconds=0",
	} {
		if a := r.get("http://h/?Action=" + form); a.status != 200 {
			t.Fatalf("%s = %s", form, a.text)
		}
	}
	r.same("DelaySeconds", r.attributes("q")["DelaySeconds"], 7)
	r.same("tags", r.must("ListQueueTags", M{"QueueUrl": "q"})["Tags"], M{"a": "1", "b": "2"})
	m := r.takes("q", 10, "x y")[0]
	r.same("attributes", m["MessageAttributes"], M{"k": M{"DataType": "String", "StringValue": "v"}})
	r.query = true
	r.put("q", "z", M{"DelaySeconds": 0})
	a := r.get("http://h/0/q?Action=ReceiveMessage&AttributeNames.1=SentTimestamp")
	r.same("system attributes", len(a.members["Messages"].(L)[0].(M)["Attributes"].(M)), 1)
}

// A list of one needs no number.
func TestQueryListsWithoutNumbers(t *testing.T) {
	r := newRig(t, Options{})
	q := r.queue("q")
	for _, form := range []string{
		"SetQueueAttributes&Attribute.Name=VisibilityTimeout&Attribute.Value=7",
		"TagQueue&Tag.Key=a&Tag.Value=1",
		"SendMessage&MessageBody=x&MessageAttribute.Name=k&MessageAttribute.Value.DataType=String&MessageAttribute.Value.StringValue=v",
		"SendMessageBatch&SendMessageBatchRequestEntry.Id=a&SendMessageBatchRequestEntry.MessageBody=y",
	} {
		if a := r.get("http://h/0/q?Action=" + form); a.status != 200 {
			t.Fatalf("%s = %s", form, a.text)
		}
	}
	r.same("tags", r.must("ListQueueTags", M{"QueueUrl": q})["Tags"], M{"a": "1"})
	a := r.get("http://h/0/q?Action=GetQueueAttributes&AttributeName=VisibilityTimeout")
	r.same("attributes", a.members["Attributes"], M{"VisibilityTimeout": "7"})
	a = r.get("http://h/0/q?Action=ReceiveMessage&MaxNumberOfMessages=2&AttributeName=All&MessageAttributeName=All")
	list := a.members["Messages"].(L)
	r.same("messages", len(list), 2)
	r.same("attributes", list[0].(M)["MessageAttributes"], M{"k": M{"DataType": "String", "StringValue": "v"}})
	r.same("a system attribute", list[0].(M)["Attributes"].(M)["ApproximateReceiveCount"], 1)
}
