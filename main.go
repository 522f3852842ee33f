// Command inflight is a terminal console over a durable message queue.
package main

import (
	"os"

	"inflight/cli"
)

func main() { os.Exit(cli.Main()) }
