package sqs

// action is one operation of the API, routable.
type action struct {
	run     func(c *call, decode func(input) error) (output, error)
	noQueue bool // in Query it cannot be sent to a queue's URL (W15)
}

// on makes a function from struct to struct routable.
func on[T any, P interface {
	*T
	input
}](do func(*call, P) (output, error)) action {
	return action{run: func(c *call, decode func(input) error) (output, error) {
		in := P(new(T))
		if err := decode(in); err != nil {
			return nil, err
		}
		return do(c, in)
	}}
}

// atEndpoint is on for an action that is about no queue.
func atEndpoint(a action) action {
	a.noQueue = true
	return a
}

// actions are all operations of the API.
var actions map[string]action

func init() {
	actions = map[string]action{
		"SendMessage":        on((*call).sendMessage),
		"SendMessageBatch":   on((*call).sendMessageBatch),
		"ReceiveMessage":     on((*call).receiveMessage),
		"DeleteMessage":      on((*call).deleteMessage),
		"DeleteMessageBatch": on((*call).deleteMessageBatch),

		"ChangeMessageVisibility":      on((*call).changeVisibility),
		"ChangeMessageVisibilityBatch": on((*call).changeVisibilityBatch),

		"CreateQueue":                atEndpoint(on((*call).createQueue)),
		"DeleteQueue":                on((*call).deleteQueue),
		"GetQueueUrl":                on((*call).getQueueURL),
		"ListQueues":                 atEndpoint(on((*call).listQueues)),
		"ListDeadLetterSourceQueues": on((*call).listSources),
		"GetQueueAttributes":         on((*call).getAttributes),
		"SetQueueAttributes":         on((*call).setAttributes),
		"PurgeQueue":                 on((*call).purgeQueue),

		"TagQueue":         on((*call).tagQueue),
		"UntagQueue":       on((*call).untagQueue),
		"ListQueueTags":    on((*call).listTags),
		"AddPermission":    on((*call).addPermission),
		"RemovePermission": on((*call).removePermission),

		"StartMessageMoveTask":  on((*call).startMove),
		"ListMessageMoveTasks":  on((*call).listMoves),
		"CancelMessageMoveTask": on((*call).cancelMove),
	}
}
