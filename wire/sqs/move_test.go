package sqs

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

// dead makes a queue with a dead-letter queue that has n messages from it.
func (r *rig) dead(name, dlq string, n int) (queue, deadQueue string) {
	r.Helper()
	d := r.queue(dlq)
	q := r.queue(name, "RedrivePolicy", r.deadTo(dlq, 1), "VisibilityTimeout", "0")
	for i := range n {
		r.put(q, fmt.Sprint(name, i))
	}
	for range n {
		r.take(q, 10)
	}
	r.take(q, 10)
	return q, d
}

func (r *rig) start(in M) any {
	r.Helper()
	return r.must("StartMessageMoveTask", in)["TaskHandle"]
}

// tasks lists the move tasks of a queue.
func (r *rig) tasks(source string, max int) L {
	r.Helper()
	list, _ := r.must("ListMessageMoveTasks", M{"SourceArn": r.arnOf(source), "MaxResults": max})["Results"].(L)
	return list
}

func TestMoveToOrigin(t *testing.T) {
	both(t, func(r *rig) {
		a, dlq := r.dead("a", "dlq", 2)
		b, _ := r.dead("b", "dlq", 3)
		r.wantCounts(dlq, "5 0 0")
		started := r.now.UnixMilli()
		handle := r.start(M{"SourceArn": r.arnOf("dlq")})
		one := r.tasks("dlq", 10)[0].(M)
		r.same("running", one, M{
			"TaskHandle": handle, "Status": "RUNNING", "SourceArn": r.arnOf("dlq"), "ApproximateNumberOfMessagesMoved": "0",
			"ApproximateNumberOfMessagesToMove": "5", "StartedTimestamp": fmt.Sprint(started),
		})
		text, err := base64.StdEncoding.DecodeString(handle.(string))
		var parsed struct{ TaskID, SourceArn string }
		if err != nil || json.Unmarshal(text, &parsed) != nil || len(parsed.TaskID) != 36 || parsed.SourceArn != r.arnOf("dlq") {
			r.Errorf("task handle = %s", text)
		}
		r.pass(time.Second)
		one = r.tasks("dlq", 10)[0].(M)
		if one["TaskHandle"] != nil || one["Status"] != "COMPLETED" || fmt.Sprint(one["ApproximateNumberOfMessagesMoved"]) != "5" {
			r.Errorf("task = %v, want completed, 5 moved, without handle", one)
		}
		r.wantCounts(dlq, "0 0 0")
		r.wantCounts(b, "3 0 0")
		moved := r.takes(a, 10, "a0 a1")[0]
		r.same("receives", moved["Attributes"].(M)["ApproximateReceiveCount"], 1)
		if moved["Attributes"].(M)["DeadLetterQueueSourceArn"] != nil {
			r.Errorf("a redriven message still names its origin: %v", moved)
		}
	})
}

func TestRedrivenMessageIsNew(t *testing.T) {
	both(t, func(r *rig) {
		r.queue("dlq")
		q := r.queue("q", "RedrivePolicy", r.deadTo("dlq", 1), "VisibilityTimeout", "0")
		sent := r.put(q, "x")
		r.take(q, 1)
		r.take(q, 1)
		r.pass(time.Minute)
		r.start(M{"SourceArn": r.arnOf("dlq")})
		r.pass(time.Second)
		m := r.takes(q, 1, "x")[0]
		if m["MessageId"] == sent["MessageId"] {
			r.Error("a redriven message kept its id")
		}
		r.same("SentTimestamp", m["Attributes"].(M)["SentTimestamp"], r.now.UnixMilli())
	})
}

func TestMoveElsewhere(t *testing.T) {
	both(t, func(r *rig) {
		q, dlq := r.dead("q", "dlq", 4)
		other := r.queue("other")
		r.start(M{"SourceArn": r.arnOf("dlq"), "DestinationArn": r.arnOf("other"), "MaxNumberOfMessagesPerSecond": 1})
		r.invalid("StartMessageMoveTask", M{"SourceArn": r.arnOf("dlq")},
			"There is already a task running. Only one active task is allowed for a source queue arn at a given time.")
		for range 2 {
			r.pass(time.Second)
		}
		one := r.tasks("dlq", 1)[0].(M)
		r.same("DestinationArn", one["DestinationArn"], r.arnOf("other"))
		r.same("rate", one["MaxNumberOfMessagesPerSecond"], 1)
		r.same("moved in 2 s", one["ApproximateNumberOfMessagesMoved"], 2)
		for range 2 {
			r.pass(time.Second)
		}
		r.wantCounts(other, "4 0 0")
		r.wantCounts(dlq, "0 0 0")
		r.wantCounts(q, "0 0 0")
	})
}

func TestMoveRefusals(t *testing.T) {
	both(t, func(r *rig) {
		r.dead("q", "dlq", 1)
		r.queue("f.fifo")
		start := func(more M) M { return with(M{"SourceArn": r.arnOf("dlq")}, more) }
		r.refused("StartMessageMoveTask", M{}, 400, "MissingParameter", "The request must contain the parameter SourceArn.")
		r.refused("StartMessageMoveTask", M{"SourceArn": r.arnOf("nothing")}, 404, "ResourceNotFoundException",
			"The resource that you specified for the SourceArn parameter doesn't exist.")
		r.refused("StartMessageMoveTask", start(M{"DestinationArn": r.arnOf("nothing")}), 404, "ResourceNotFoundException",
			"The resource that you specified for the DestinationArn parameter doesn't exist.")
		r.invalid("StartMessageMoveTask", M{"SourceArn": r.arnOf("q")}, "Source queue must be configured as a Dead Letter Queue.")
		const format = " arn:<partition>:<service>:<region>:<account-id>:<resource-id>"
		r.invalid("StartMessageMoveTask", M{"SourceArn": "dlq"}, "You must use this format to specify the SourceArn:"+format)
		r.invalid("StartMessageMoveTask", start(M{"DestinationArn": "q"}), "You must use this format to specify the DestinationArn:"+format)
		r.invalid("StartMessageMoveTask", start(M{"DestinationArn": r.arnOf("dlq")}), "Source queue arn and destination queue arn cannot be the same.")
		r.invalid("StartMessageMoveTask", start(M{"DestinationArn": r.arnOf("f.fifo")}), "The source queue and destination queue must be of the same queue type.")
		for _, n := range []int{0, 501} {
			r.invalid("StartMessageMoveTask", start(M{"MaxNumberOfMessagesPerSecond": n}),
				"Value for parameter MaxNumberOfMessagesPerSecond is invalid. Reason: You must enter a number that's between 1 and 500.")
		}
		r.refused("ListMessageMoveTasks", M{"SourceArn": r.arnOf("nothing")}, 404, "ResourceNotFoundException",
			"The resource that you specified for the SourceArn parameter doesn't exist.")
		for _, n := range []int{0, 11} {
			r.invalid("ListMessageMoveTasks", M{"SourceArn": r.arnOf("dlq"), "MaxResults": n},
				"Value for parameter MaxResults is invalid. Reason: You must enter a number that's between 1 and 10.")
		}
		if got := r.must("ListMessageMoveTasks", M{"SourceArn": r.arnOf("dlq")}); len(got) != 0 {
			r.Errorf("no tasks = %v, want no members", got)
		}
	})
}

func TestMoveFails(t *testing.T) {
	both(t, func(r *rig) {
		_, dlq := r.dead("q", "dlq", 0)
		r.put(dlq, "put here")
		r.start(M{"SourceArn": r.arnOf("dlq")})
		r.pass(time.Second)
		one := r.tasks("dlq", 1)[0].(M)
		r.same("Status", one["Status"], "FAILED")
		r.same("FailureReason", one["FailureReason"], "CouldNotDetermineMessageSource")
		r.wantCounts(dlq, "1 0 0")

		_, d2 := r.dead("q2", "dlq2", 10)
		other := r.queue("other")
		r.start(M{"SourceArn": r.arnOf("dlq2"), "DestinationArn": r.arnOf("other"), "MaxNumberOfMessagesPerSecond": 3})
		r.pass(time.Second)
		r.must("DeleteQueue", M{"QueueUrl": other})
		r.pass(time.Second)
		one = r.tasks("dlq2", 1)[0].(M)
		r.same("Status", one["Status"], "FAILED")
		r.same("FailureReason", one["FailureReason"], "AWS.SimpleQueueService.NonExistentQueue")
		r.same("moved", one["ApproximateNumberOfMessagesMoved"], 3)
		r.same("to move", one["ApproximateNumberOfMessagesToMove"], 10)
		r.wantCounts(d2, "7 0 0")
	})
}

func TestCancelMove(t *testing.T) {
	both(t, func(r *rig) {
		q, dlq := r.dead("q", "dlq", 10)
		handle := r.start(M{"SourceArn": r.arnOf("dlq"), "MaxNumberOfMessagesPerSecond": 2})
		r.pass(time.Second)
		r.same("moved", r.must("CancelMessageMoveTask", M{"TaskHandle": handle})["ApproximateNumberOfMessagesMoved"], 2)
		r.same("Status", r.tasks("dlq", 1)[0].(M)["Status"], "CANCELLING")
		r.pass(time.Second)
		r.same("Status", r.tasks("dlq", 1)[0].(M)["Status"], "CANCELLED")
		r.wantCounts(q, "2 0 0")
		r.wantCounts(dlq, "8 0 0")
		r.invalid("CancelMessageMoveTask", M{"TaskHandle": handle}, "Only active tasks can be cancelled.")
		made := func(task, source string) M {
			text, _ := json.Marshal(M{"taskId": task, "sourceArn": source})
			return M{"TaskHandle": base64.StdEncoding.EncodeToString(text)}
		}
		for _, bad := range []string{"x", "{}", `{"TaskID":"id","SourceArn":"` + r.arnOf("dlq") + `"}`, `{"taskId":"id","sourceArn":"` + r.arnOf("dlq") + `"}}`} {
			if bad != "x" {
				bad = base64.StdEncoding.EncodeToString([]byte(bad))
			}
			r.invalid("CancelMessageMoveTask", M{"TaskHandle": bad}, "Value for parameter TaskHandle is invalid.")
		}
		r.refused("CancelMessageMoveTask", made("id", r.arnOf("nothing")), 404, "ResourceNotFoundException",
			"The resource that you specified for the SourceArn parameter doesn't exist.")
		r.refused("CancelMessageMoveTask", made("id", r.arnOf("dlq")), 404, "ResourceNotFoundException", "Task does not exist.")
		r.refused("CancelMessageMoveTask", M{}, 400, "MissingParameter", "The request must contain the parameter TaskHandle.")
	})
}

func TestLastTenTasks(t *testing.T) {
	both(t, func(r *rig) {
		r.dead("q", "dlq", 0)
		for range 12 {
			r.start(M{"SourceArn": r.arnOf("dlq")})
			r.pass(time.Second)
		}
		list := r.tasks("dlq", 10)
		r.same("tasks listed", len(list), 10)
		r.same("newest first", list[0].(M)["StartedTimestamp"], fmt.Sprint(r.now.Add(-time.Second).UnixMilli()))
		list, _ = r.must("ListMessageMoveTasks", M{"SourceArn": r.arnOf("dlq")})["Results"].(L)
		r.same("tasks listed by default", len(list), 1)
	})
}

// A listing shows ten at most, so only a task's handle tells whether it is
// remembered.
func TestOlderTasksAreForgotten(t *testing.T) {
	both(t, func(r *rig) {
		r.dead("q", "dlq", 0)
		var handles []any
		for range 12 {
			handles = append(handles, r.start(M{"SourceArn": r.arnOf("dlq")}))
			r.pass(time.Second)
		}
		r.start(M{"SourceArn": r.arnOf("dlq")}) // active, and makes room
		for i, handle := range handles {
			if i < 2 {
				r.refused("CancelMessageMoveTask", M{"TaskHandle": handle}, 404, "ResourceNotFoundException", "Task does not exist.")
				continue
			}
			r.invalid("CancelMessageMoveTask", M{"TaskHandle": handle}, "Only active tasks can be cancelled.")
		}
	})
}

func TestMoveTaskLimits(t *testing.T) {
	r := newRig(t, Options{})
	for i := range 101 {
		name := fmt.Sprint("dlq", i)
		q := r.queue(name)
		r.queue(fmt.Sprint("q", i), "RedrivePolicy", r.deadTo(name, 1))
		r.put(q, "x")
		in := M{"SourceArn": r.arnOf(name), "DestinationArn": r.arnOf(fmt.Sprint("q", i)), "MaxNumberOfMessagesPerSecond": 1}
		if i == 100 {
			r.refused("StartMessageMoveTask", in, 403, "OverLimit", "")
			break
		}
		r.start(in)
	}
}

func TestFIFOMove(t *testing.T) {
	both(t, func(r *rig) {
		dlq := r.queue("dlq.fifo", "ContentBasedDeduplication", "true")
		q := r.fifo("RedrivePolicy", r.deadTo("dlq.fifo", 1), "VisibilityTimeout", "0")
		sent := r.put(q, "x", M{"MessageGroupId": "g"})
		r.take(q, 1)
		r.take(q, 1)
		r.wantCounts(dlq, "1 0 0")
		r.start(M{"SourceArn": r.arnOf("dlq.fifo")})
		r.pass(time.Second)
		got := r.takes(q, 1, "x")[0]["Attributes"].(M)
		r.same("group", got["MessageGroupId"], "g")
		r.same("deduplication id", got["MessageDeduplicationId"], sent["MessageId"]) // the one it has in the DLQ
	})
}

func TestMovePassesOverWhatIsInFlight(t *testing.T) {
	both(t, func(r *rig) {
		q, dlq := r.dead("q", "dlq", 3)
		r.take(dlq, 1)
		r.start(M{"SourceArn": r.arnOf("dlq")})
		r.pass(time.Second)
		one := r.tasks("dlq", 1)[0].(M)
		r.same("Status", one["Status"], "COMPLETED")
		r.same("to move", one["ApproximateNumberOfMessagesToMove"], 2)
		r.wantCounts(dlq, "0 1 0")
		r.wantCounts(q, "2 0 0")
	})
}
