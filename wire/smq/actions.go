package smq

import (
	"net/http"
	"net/url"
	"strings"
)

// input is what an action takes. Its read takes it out of a request, without
// judging values: which fault comes first is the action's matter.
type input interface{ read(*source) }

// output is the body of an answer.
type output interface{ write(*xmlWriter) }

// action is one operation of the API, routable.
type action func(*call, *source) (answer, error)

// on makes a function from struct to struct routable.
func on[T any, P interface {
	*T
	input
}](do func(*call, P) (answer, error)) action {
	return func(c *call, s *source) (answer, error) {
		in := P(new(T))
		in.read(s)
		return do(c, in)
	}
}

// actions are all operations of the API.
var actions map[string]action

func init() {
	actions = map[string]action{
		"CreateQueue":        on((*call).createQueue),
		"SetQueueAttributes": on((*call).setAttributes),
		"GetQueueAttributes": on((*call).getAttributes),
		"DeleteQueue":        on((*call).deleteQueue),
		"ListQueue":          on((*call).listQueues),

		"SendMessage":         on((*call).sendMessage),
		"BatchSendMessage":    on((*call).batchSend),
		"ReceiveMessage":      on((*call).receiveMessage),
		"BatchReceiveMessage": on((*call).batchReceive),
		"PeekMessage":         on((*call).peekMessage),
		"BatchPeekMessage":    on((*call).batchPeek),
		"DeleteMessage":       on((*call).deleteMessage),
		"BatchDeleteMessage":  on((*call).batchDelete),

		"ChangeMessageVisibility": on((*call).changeVisibility),
	}
}

// nothing is the input of an action that only names a queue.
type nothing struct{}

func (*nothing) read(*source) {}

// target is what a path names: all queues, a queue, or its messages.
type target struct {
	queue    string
	messages bool
}

// parseTarget reads /queues, /queues/NAME and /queues/NAME/messages. No name
// has a slash in it: version 4 signs the path unescaped, so that a signature
// for /queues/NAME/messages would do for the queue "NAME/messages".
func parseTarget(escaped string) (target, error) {
	parts := strings.Split(strings.TrimPrefix(strings.TrimSuffix(escaped, "/"), "/"), "/")
	if n := len(parts); n > 3 || n == 3 && parts[2] != "messages" || "/"+parts[0] != Path {
		return target{}, faultURL.with()
	}
	t := target{messages: len(parts) == 3}
	if len(parts) > 1 {
		name, err := url.PathUnescape(parts[1])
		if err != nil || name == "" || strings.Contains(name, "/") {
			return target{}, faultURL.with()
		}
		t.queue = name
	}
	return t, nil
}

// route finds the name of the action (section 4 of the sheet).
func route(method string, t target, s *source) (string, error) {
	name := ""
	switch {
	case t.queue == "":
		name = map[string]string{http.MethodGet: "ListQueue"}[method]
	case !t.messages:
		name = map[string]string{
			http.MethodPut: "CreateQueue", http.MethodGet: "GetQueueAttributes", http.MethodDelete: "DeleteQueue",
		}[method]
		if name == "CreateQueue" {
			set, err := s.flag("metaoverride")
			if err != nil {
				return "", err
			}
			if set {
				name = "SetQueueAttributes"
			}
		}
	default:
		return routeMessages(method, s)
	}
	if name == "" {
		return "", faultURL.with()
	}
	return name, nil
}

// routeMessages tells the operations on messages apart: a GET by its
// parameters, a POST by its body, a DELETE by whether it has one.
func routeMessages(method string, s *source) (string, error) {
	switch method {
	case http.MethodPut:
		return "ChangeMessageVisibility", nil
	case http.MethodGet:
		name := "ReceiveMessage"
		peek, err := s.flag("peekonly")
		if err != nil {
			return "", err
		}
		if peek {
			name = "PeekMessage"
		}
		if _, batch := s.query["numofmessages"]; batch {
			name = "Batch" + name
		}
		return name, nil
	case http.MethodDelete:
		if s.body != nil && s.parameter("receipthandle") == "" {
			return "BatchDeleteMessage", nil
		}
		return "DeleteMessage", nil
	case http.MethodPost:
		switch {
		case s.body == nil:
			return "", faultMalformed.with()
		case s.body.name == "Message":
			return "SendMessage", nil
		case s.body.name == "Messages":
			return "BatchSendMessage", nil
		}
		return "", faultSchema.with(s.body.name)
	}
	return "", faultURL.with()
}

func isTrue(s string) bool { return strings.EqualFold(s, "true") }
