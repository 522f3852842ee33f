package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/aws/smithy-go"
)

// sdk is the AWS SDK for Go, with its retries and its check of digests, over
// loopback.
func sdk(t *testing.T, o Options, key, secret string) (*sqs.Client, *rig) {
	t.Helper()
	o.Now = time.Now // the SDK signs with the real time
	r := newRig(t, o)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		r.ServeHTTP(w, request)
		if r.served != nil {
			r.served <- request.Header.Get("X-Amz-Target")
		}
	}))
	transport := &http.Transport{}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.Close()
	})
	return sqs.New(sqs.Options{
		BaseEndpoint: &server.URL, Region: "us-east-1", HTTPClient: &http.Client{Transport: transport},
		Credentials: credentials.NewStaticCredentialsProvider(key, secret, ""),
	}), r
}

func TestSDKCycle(t *testing.T) {
	c, _ := sdk(t, Options{}, "test", "test")
	ctx := t.Context()
	made, err := c.CreateQueue(ctx, &sqs.CreateQueueInput{QueueName: aws.String("q"), Tags: map[string]string{"a": "b"},
		Attributes: map[string]string{"VisibilityTimeout": "10"}})
	if err != nil {
		t.Fatal(err)
	}
	q := made.QueueUrl
	sent, err := c.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: q, MessageBody: aws.String("body ☃ \x7f"),
		MessageAttributes: map[string]types.MessageAttributeValue{
			"text":   {DataType: aws.String("String"), StringValue: aws.String("v")},
			"number": {DataType: aws.String("Number.int"), StringValue: aws.String("7")},
			"bytes":  {DataType: aws.String("Binary"), BinaryValue: []byte{0, 255}},
		}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: q, WaitTimeSeconds: 1, MaxNumberOfMessages: 10,
		MessageAttributeNames: []string{"All"}, MessageSystemAttributeNames: []types.MessageSystemAttributeName{"All"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Messages) != 1 {
		t.Fatalf("received %d messages", len(got.Messages))
	}
	m := got.Messages[0]
	if *m.MessageId != *sent.MessageId || *m.Body != "body ☃ \x7f" || *m.MD5OfMessageAttributes != *sent.MD5OfMessageAttributes ||
		string(m.MessageAttributes["bytes"].BinaryValue) != "\x00\xff" || m.Attributes["ApproximateReceiveCount"] != "1" {
		t.Errorf("received %+v", m)
	}
	if _, err := c.ChangeMessageVisibility(ctx, &sqs.ChangeMessageVisibilityInput{QueueUrl: q, ReceiptHandle: m.ReceiptHandle, VisibilityTimeout: 20}); err != nil {
		t.Error(err)
	}
	if _, err := c.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: q, ReceiptHandle: m.ReceiptHandle}); err != nil {
		t.Error(err)
	}
	attributes, err := c.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{QueueUrl: q, AttributeNames: []types.QueueAttributeName{"All"}})
	if err != nil || attributes.Attributes["ApproximateNumberOfMessagesNotVisible"] != "0" || attributes.Attributes["VisibilityTimeout"] != "10" {
		t.Errorf("attributes = %v, %v", attributes, err)
	}
}

func TestSDKBatches(t *testing.T) {
	c, _ := sdk(t, Options{}, "test", "test")
	ctx := t.Context()
	made, err := c.CreateQueue(ctx, &sqs.CreateQueueInput{QueueName: aws.String("q.fifo"),
		Attributes: map[string]string{"FifoQueue": "true", "ContentBasedDeduplication": "true"}})
	if err != nil {
		t.Fatal(err)
	}
	var sends []types.SendMessageBatchRequestEntry
	for i := range 10 {
		sends = append(sends, types.SendMessageBatchRequestEntry{Id: aws.String(fmt.Sprint(i)), MessageBody: aws.String(fmt.Sprint("body ", i)), MessageGroupId: aws.String("g")})
	}
	sent, err := c.SendMessageBatch(ctx, &sqs.SendMessageBatchInput{QueueUrl: made.QueueUrl, Entries: sends})
	if err != nil || len(sent.Successful) != 10 || len(sent.Failed) != 0 {
		t.Fatalf("sent %+v, %v", sent, err)
	}
	got, err := c.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: made.QueueUrl, MaxNumberOfMessages: 10})
	if err != nil || len(got.Messages) != 10 {
		t.Fatalf("received %+v, %v", got, err)
	}
	var deletes []types.DeleteMessageBatchRequestEntry
	for i, m := range got.Messages {
		if *m.Body != fmt.Sprint("body ", i) {
			t.Errorf("message %d = %s", i, *m.Body)
		}
		deletes = append(deletes, types.DeleteMessageBatchRequestEntry{Id: aws.String(fmt.Sprint(i)), ReceiptHandle: m.ReceiptHandle})
	}
	deleted, err := c.DeleteMessageBatch(ctx, &sqs.DeleteMessageBatchInput{QueueUrl: made.QueueUrl, Entries: deletes})
	if err != nil || len(deleted.Successful) != 10 {
		t.Errorf("deleted %+v, %v", deleted, err)
	}
}

func TestSDKErrors(t *testing.T) {
	c, _ := sdk(t, Options{}, "test", "test")
	ctx := t.Context()
	_, err := c.GetQueueUrl(ctx, &sqs.GetQueueUrlInput{QueueName: aws.String("none")})
	if missing := new(types.QueueDoesNotExist); !errors.As(err, &missing) || missing.ErrorCode() != "AWS.SimpleQueueService.NonExistentQueue" {
		t.Errorf("a missing queue: %v", err)
	}
	made, err := c.CreateQueue(ctx, &sqs.CreateQueueInput{QueueName: aws.String("q")})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: made.QueueUrl, ReceiptHandle: aws.String("garbage")})
	if invalid := new(types.ReceiptHandleIsInvalid); !errors.As(err, &invalid) {
		t.Errorf("a garbage handle: %v", err)
	}
	_, err = c.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: made.QueueUrl, MaxNumberOfMessages: 11})
	var api smithy.APIError
	if !errors.As(err, &api) || api.ErrorCode() != "InvalidParameterValue" || api.ErrorFault() != smithy.FaultClient {
		t.Errorf("eleven messages: %v", err)
	}
}

func TestSDKMoveTasks(t *testing.T) {
	c, r := sdk(t, Options{}, "test", "test")
	ctx := t.Context()
	if _, err := c.CreateQueue(ctx, &sqs.CreateQueueInput{QueueName: aws.String("dlq")}); err != nil {
		t.Fatal(err)
	}
	made, err := c.CreateQueue(ctx, &sqs.CreateQueueInput{QueueName: aws.String("q"), Attributes: map[string]string{
		"RedrivePolicy": `{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:000000000000:dlq","maxReceiveCount":1}`, "VisibilityTimeout": "0"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: made.QueueUrl, MessageBody: aws.String("x")}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := c.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: made.QueueUrl}); err != nil {
			t.Fatal(err)
		}
	}
	source := aws.String("arn:aws:sqs:us-east-1:000000000000:dlq")
	if _, err := c.StartMessageMoveTask(ctx, &sqs.StartMessageMoveTaskInput{SourceArn: source}); err != nil {
		t.Fatal(err)
	}
	r.now = r.now.Add(time.Second)
	if err := r.engine.Tick(r.now); err != nil {
		t.Fatal(err)
	}
	tasks, err := c.ListMessageMoveTasks(ctx, &sqs.ListMessageMoveTasksInput{SourceArn: source})
	if err != nil || len(tasks.Results) != 1 || *tasks.Results[0].Status != "COMPLETED" || tasks.Results[0].ApproximateNumberOfMessagesMoved != 1 {
		t.Errorf("tasks = %+v, %v", tasks, err)
	}
}

func TestSDKSignature(t *testing.T) {
	keys, err := NewCredentials([]Credential{{AccessKey: "AKIAEXAMPLE", SecretKey: "secret/with+signs="}})
	if err != nil {
		t.Fatal(err)
	}
	c, _ := sdk(t, Options{Credentials: keys}, "AKIAEXAMPLE", "secret/with+signs=")
	if _, err := c.ListQueues(t.Context(), &sqs.ListQueuesInput{}); err != nil {
		t.Error(err)
	}
	c, _ = sdk(t, Options{Credentials: keys}, "AKIAEXAMPLE", "wrong")
	_, err = c.ListQueues(t.Context(), &sqs.ListQueuesInput{})
	var api smithy.APIError
	if !errors.As(err, &api) || api.ErrorCode() != "SignatureDoesNotMatch" {
		t.Errorf("a wrong secret: %v", err)
	}
}

func TestSDKHangsUp(t *testing.T) {
	seen := make(chan string, 10)
	c, r := sdk(t, Options{Seen: func(client, action string) {
		if action == "ReceiveMessage" {
			seen <- client
		}
	}}, "AKIAIOSFODNN7EXAMPLE", "test")
	made, err := c.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: aws.String("q")})
	if err != nil {
		t.Fatal(err)
	}
	r.served = make(chan string, 10)
	ctx, hangUp := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := c.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: made.QueueUrl, WaitTimeSeconds: 20})
		done <- err
	}()
	if client := <-seen; client != "aws-go AKIA…MPLE" {
		t.Errorf("the client is called %q", client)
	}
	hangUp()
	if err := <-done; err == nil {
		t.Error("the long poll did not end")
	}
	<-r.served // the server has noticed
	if _, err := c.SendMessage(t.Context(), &sqs.SendMessageInput{QueueUrl: made.QueueUrl, MessageBody: aws.String("x")}); err != nil {
		t.Fatal(err)
	}
	got, err := c.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: made.QueueUrl, WaitTimeSeconds: 20})
	if err != nil || len(got.Messages) != 1 {
		t.Errorf("the next client got %+v, %v", got, err)
	}
	if !strings.Contains(*made.QueueUrl, "127.0.0.1") {
		t.Errorf("queue URL = %s", *made.QueueUrl)
	}
}
