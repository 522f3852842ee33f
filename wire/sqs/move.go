package sqs

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/google/uuid"

	"inflight/engine"
)

// A move task on the wire is a redrive task of the engine.

type startMoveInput struct {
	source      string
	destination *string
	rate        *int
}

func (in *startMoveInput) read(s source) {
	s.text("SourceArn", &in.source)
	s.optional("DestinationArn", &in.destination)
	s.number("MaxNumberOfMessagesPerSecond", &in.rate)
}

type handleOutput struct{ handle string }

func (out *handleOutput) write(s sink) { s.text("TaskHandle", out.handle) }

// taskHandle is what a client gets to name a task (M8).
type taskHandle struct {
	TaskID string `json:"taskId"`
	Source string `json:"sourceArn"`
}

// UnmarshalJSON takes the members by their exact names.
func (t *taskHandle) UnmarshalJSON(text []byte) error {
	var members map[string]any
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	t.TaskID, _ = members["taskId"].(string)
	t.Source, _ = members["sourceArn"].(string)
	return nil
}

// taskSpace is the name space of the UUIDs that tasks get from their numbers.
var taskSpace = uuid.MustParse("5b7cf0e4-6a0a-4f5e-9d0b-3a6a2d9b6d11")

func taskUUID(number uint64) string {
	return uuid.NewSHA1(taskSpace, strconv.AppendUint(nil, number, 10)).String()
}

func (h *Handler) handle(t *engine.Task) string {
	text, _ := json.Marshal(taskHandle{taskUUID(t.ID), h.arn(t.Source)}) // strings always can
	return base64.StdEncoding.EncodeToString(text)
}

// moveQueue finds the queue of an ARN (M2, M5).
func (c *call) moveQueue(parameter, arn string) (string, *engine.QueueStats, error) {
	parts, ok := parseARN(arn)
	if !ok || parts.service != "sqs" {
		return "", nil, faultARN.with(parameter)
	}
	name := c.ofARN(parts)
	if name == "" {
		return "", nil, faultNoResource.with(parameter)
	}
	q, err := c.engine.Queue(c.ctx, name)
	if errors.Is(err, engine.ErrQueueNotFound) {
		return "", nil, faultNoResource.with(parameter)
	}
	return name, &q, err
}

func (c *call) startMove(in *startMoveInput) (output, error) {
	if in.source == "" {
		return nil, faultMissing.with("SourceArn")
	}
	source, q, err := c.moveQueue("SourceArn", in.source)
	if err != nil {
		return nil, err
	}
	r := engine.RedriveRequest{Source: source}
	if in.rate != nil {
		if r.Rate = *in.rate; r.Rate < 1 || r.Rate > maxMoveRate {
			return nil, faultMoveRate.with()
		}
	}
	if len(q.Sources) == 0 {
		return nil, faultNotDead.with()
	}
	if in.destination != nil {
		destination, to, err := c.moveQueue("DestinationArn", *in.destination)
		switch {
		case err != nil:
			return nil, err
		case destination == source:
			return nil, faultSameQueue.with()
		case to.Attributes.Type != q.Attributes.Type:
			return nil, faultTypesDiffer.with()
		}
		r.Destination = destination
	}
	// The task acts with the rights of whoever starts it.
	for _, needed := range []string{"ReceiveMessage", "DeleteMessage", "SendMessage"} {
		if err := c.allow(needed); err != nil {
			return nil, err
		}
	}
	t, err := c.engine.StartRedrive(c.ctx, r)
	var invalid *engine.InvalidError
	switch {
	case errors.Is(err, engine.ErrTaskRunning):
		return nil, faultTaskRunning.with()
	case errors.Is(err, engine.ErrOverLimit):
		return nil, faultTooManyTasks.with()
	case errors.As(err, &invalid) && invalid.Field == "Source":
		return nil, faultNotDead.with()
	case err != nil:
		return nil, err
	}
	return &handleOutput{c.handle(&t)}, nil
}

type listMovesInput struct {
	source string
	max    *int
}

func (in *listMovesInput) read(s source) {
	s.text("SourceArn", &in.source)
	s.number("MaxResults", &in.max)
}

type movesOutput struct {
	h     *Handler
	tasks []engine.Task
}

var moveEntries = listName{json: "Results", element: "ListMessageMoveTasksResultEntry"}

func (out *movesOutput) write(s sink) {
	s.list(moveEntries, len(out.tasks), func(i int) {
		t := &out.tasks[i]
		if t.State.Active() && t.State != engine.TaskCancelling {
			s.text("TaskHandle", out.h.handle(t))
		}
		s.text("Status", taskStatus[t.State])
		s.text("SourceArn", out.h.arn(t.Source))
		if t.Destination != "" {
			s.text("DestinationArn", out.h.arn(t.Destination))
		}
		if t.Rate != 0 {
			s.number("MaxNumberOfMessagesPerSecond", int64(t.Rate))
		}
		s.number("ApproximateNumberOfMessagesMoved", int64(t.Moved))
		s.number("ApproximateNumberOfMessagesToMove", int64(t.ToMove))
		if t.State == engine.TaskFailed {
			s.text("FailureReason", failureReason(t.Reason))
		}
		s.number("StartedTimestamp", t.Started.UnixMilli())
	})
}

// taskStatus names the states of a task. SQS cannot pause: a task that the
// console holds is running.
var taskStatus = map[engine.TaskState]string{
	engine.TaskRunning: "RUNNING", engine.TaskPaused: "RUNNING", engine.TaskCancelling: "CANCELLING",
	engine.TaskCancelled: "CANCELLED", engine.TaskCompleted: "COMPLETED", engine.TaskFailed: "FAILED",
}

// failureReason says why a task failed in the words of SQS, where it has any
// (M7, M12).
func failureReason(reason string) string {
	switch reason {
	case engine.ReasonOriginUnknown:
		return "CouldNotDetermineMessageSource"
	case engine.ReasonDestinationDeleted, engine.ReasonSourceDeleted:
		return codeNoQueue.query
	}
	return reason
}

func (c *call) listMoves(in *listMovesInput) (output, error) {
	if in.source == "" {
		return nil, faultMissing.with("SourceArn")
	}
	source, _, err := c.moveQueue("SourceArn", in.source)
	if err != nil {
		return nil, err
	}
	most := 1
	if in.max != nil {
		if most = *in.max; most < 1 || most > maxTasksListed {
			return nil, faultMaxResults.with()
		}
	}
	all, err := c.engine.Tasks(c.ctx)
	if err != nil {
		return nil, err
	}
	out := &movesOutput{h: c.Handler}
	for i := range all {
		if all[i].Source == source && len(out.tasks) < most {
			out.tasks = append(out.tasks, all[i])
		}
	}
	return out, nil
}

type cancelMoveInput struct{ handle string }

func (in *cancelMoveInput) read(s source) { s.text("TaskHandle", &in.handle) }

type cancelMoveOutput struct{ moved int }

func (out *cancelMoveOutput) write(s sink) {
	s.number("ApproximateNumberOfMessagesMoved", int64(out.moved))
}

func (c *call) cancelMove(in *cancelMoveInput) (output, error) {
	if in.handle == "" {
		return nil, faultMissing.with("TaskHandle")
	}
	text, err := base64.StdEncoding.DecodeString(in.handle)
	var handle taskHandle
	if err != nil || json.Unmarshal(text, &handle) != nil || handle.TaskID == "" || handle.Source == "" {
		return nil, faultTaskHandle.with()
	}
	source, _, err := c.moveQueue("SourceArn", handle.Source)
	if err != nil {
		return nil, err
	}
	all, err := c.engine.Tasks(c.ctx)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if all[i].Source != source || taskUUID(all[i].ID) != handle.TaskID {
			continue
		}
		switch err := c.engine.CancelRedrive(c.ctx, all[i].ID); {
		case errors.Is(err, engine.ErrTaskState):
			return nil, faultTaskOver.with()
		case errors.Is(err, engine.ErrTaskNotFound):
			return nil, faultNoTask.with()
		case err != nil:
			return nil, err
		}
		return &cancelMoveOutput{all[i].Moved}, nil
	}
	return nil, faultNoTask.with()
}
