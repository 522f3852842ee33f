// Package engine is the queue itself: which message a consumer may see, for
// how long, and what becomes of it when that time is up.
//
// Rules take the present time as an argument; only Engine.Run waits for it.
// Every exported method of Engine is safe for concurrent use. The engine speaks no wire
// protocol and knows no database: see wire and storage.
package engine

// Engine holds queues and applies their rules.
type Engine struct {
	meta Meta
}
