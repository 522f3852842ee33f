package engine

import "time"

// TaskState is where a redrive task stands.
type TaskState uint8

// The states of a redrive task. The first three are active.
const (
	TaskRunning TaskState = iota
	TaskPaused
	TaskCancelling
	TaskCancelled
	TaskCompleted
	TaskFailed
)

func (s TaskState) String() string {
	return [...]string{"running", "paused", "cancelling", "cancelled", "completed", "failed"}[s]
}

// Active says that the task may still move messages.
func (s TaskState) Active() bool { return s <= TaskCancelling }

// Task is one redrive: messages moving out of a dead-letter queue.
type Task struct {
	ID          uint64
	Source      string
	Destination string // empty: each message to the queue it came from
	Rate        int    // messages a second, 1..500; 0: as fast as it goes
	Selected    bool   // moves chosen messages only
	State       TaskState
	Reason      string // why it failed
	Moved       int
	ToMove      int // ready in the source, or chosen, when it started
	Started     time.Time
	Finished    time.Time // zero while active
}

// RedriveRequest starts a redrive task.
type RedriveRequest struct {
	Source      string
	Destination string // empty: each message to the queue it came from
	Rate        int    // 1..500 a second; 0: as fast as it goes
	// Selection, if not empty, are the only messages to move, at most 100,000.
	Selection []Ref
}
