package ui

import "time"

// EndpointOptions are where applications reach the queues.
type EndpointOptions struct {
	Address string   // such as "127.0.0.1:9324"
	Lines   []string // what to type where an application is started
	// Requests says what has come in so far. It may be called from any
	// goroutine, and does not wait.
	Requests func() Requests
}

// Requests is what has come in at the endpoint.
type Requests struct {
	Total  uint64
	Client string    // who asked last, such as "boto3 AKIA…MPLE"
	At     time.Time // when
}
