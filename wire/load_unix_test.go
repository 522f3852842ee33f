//go:build unix

package wire

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"inflight/engine"
	"inflight/storage"
)

// loadVariable tells the test binary, started once more, to be the load
// driver: its value is the server's address. A driver in another process does
// not count as the server's CPU time.
const loadVariable = "INFLIGHT_LOAD"

func init() {
	if address := os.Getenv(loadVariable); address != "" {
		if err := drive(address, os.Args[len(os.Args)-2], os.Args[len(os.Args)-1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
}

const (
	connections = 64
	bodySize    = 1024
)

// BenchmarkCycle sends, receives and deletes messages of 1 KiB in batches of
// ten over 64 connections, every call synced to disk. b.N counts messages.
func BenchmarkCycle(b *testing.B) { benchmarkCycle(b, 10, 0) }

// BenchmarkCycleBehind is BenchmarkCycle with few and with many messages
// waiting before those that it sends: the ratio matters. A million are there
// when INFLIGHT_BENCH=full.
func BenchmarkCycleBehind(b *testing.B) {
	many := 20_000
	if os.Getenv("INFLIGHT_BENCH") == "full" {
		many = 1_000_000
	}
	for _, waiting := range []int{1_000, many} {
		b.Run(strconv.Itoa(waiting), func(b *testing.B) { benchmarkCycle(b, 10, waiting) })
	}
}

// BenchmarkSingle is BenchmarkCycle with one message a request.
func BenchmarkSingle(b *testing.B) { benchmarkCycle(b, 1, 0) }

func benchmarkCycle(b *testing.B, batch, waiting int) {
	store, err := storage.Open(b.TempDir(), storage.Options{})
	if err != nil {
		b.Fatal(err)
	}
	e, err := engine.Open(store, engine.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	ctx, stop := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- e.Run(ctx) }()
	s, err := New(e, Options{Listen: "127.0.0.1:0"})
	if err != nil {
		b.Fatal(err)
	}
	l, err := s.Listen()
	if err != nil {
		b.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, l) }()
	if err := e.CreateQueue(ctx, "q", engine.DefaultAttributes()); err != nil {
		b.Fatal(err)
	}
	for ; waiting > 0; waiting -= engine.MaxBatch {
		fill := make([]engine.SendRequest, engine.MaxBatch)
		for i := range fill {
			fill[i].Body = bytes.Repeat([]byte("x"), bodySize)
		}
		if _, err := e.SendBatch(ctx, "q", fill); err != nil {
			b.Fatal(err)
		}
	}
	before := cpu()
	b.ResetTimer()
	cycles := max(1, b.N/batch)
	driver := exec.Command(os.Args[0], strconv.Itoa(batch), strconv.Itoa(cycles))
	driver.Env = append(os.Environ(), loadVariable+"="+l.Addr().String())
	driver.Stderr = os.Stderr
	if err := driver.Run(); err != nil {
		b.Fatal(err)
	}
	b.StopTimer()
	n := float64(cycles * batch)
	b.ReportMetric(n/b.Elapsed().Seconds(), "messages/s")
	b.ReportMetric(float64((cpu()-before).Microseconds())/n, "cpu-µs/message")
	stop()
	<-served
	<-ran
}

// cpu is the CPU time of this process so far.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// drive runs so many cycles of a batch of messages, spread over all connections.
func drive(address, size, cycles string) error {
	batch, err := strconv.Atoi(size)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(cycles)
	if err != nil {
		return err
	}
	work := make(chan struct{}, n)
	for range n {
		work <- struct{}{}
	}
	close(work)
	failed := make(chan error, connections)
	var running sync.WaitGroup
	for range connections {
		running.Go(func() {
			if err := driveOne(address, batch, work); err != nil {
				failed <- err
			}
		})
	}
	running.Wait()
	close(failed)
	return <-failed
}

// client speaks just enough HTTP and JSON 1.0, so that its cost does not hide
// the server's.
type client struct {
	conn   net.Conn
	reader *bufio.Reader
	body   []byte
}

func driveOne(address string, batch int, work <-chan struct{}) error {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer conn.Close()
	c := &client{conn: conn, reader: bufio.NewReaderSize(conn, 64<<10)}
	var entries []string
	for i := range batch {
		entries = append(entries, fmt.Sprintf(`{"Id":"%d","MessageBody":"%s"}`, i, strings.Repeat("x", bodySize)))
	}
	send := request("SendMessageBatch", `{"QueueUrl":"q","Entries":[`+strings.Join(entries, ",")+`]}`)
	receive := request("ReceiveMessage", fmt.Sprintf(`{"QueueUrl":"q","MaxNumberOfMessages":%d}`, batch))
	if batch == 1 {
		send = request("SendMessage", `{"QueueUrl":"q","MessageBody":"`+strings.Repeat("x", bodySize)+`"}`)
	}
	for range work {
		if err := c.ask(send); err != nil {
			return err
		}
		if err := c.ask(receive); err != nil {
			return err
		}
		if deletes := c.deletes(); deletes != nil {
			if err := c.ask(deletes); err != nil {
				return err
			}
		}
	}
	return nil
}

func request(action, body string) []byte {
	return []byte("POST / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: load\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: AmazonSQS." +
		action + "\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body)
}

// ask sends a request and reads its answer into c.body.
func (c *client) ask(text []byte) error {
	if _, err := c.conn.Write(text); err != nil {
		return err
	}
	status, err := c.reader.ReadString('\n')
	if err != nil {
		return err
	}
	length := 0
	for {
		line, err := c.reader.ReadString('\n')
		if err != nil {
			return err
		}
		if line == "\r\n" {
			break
		}
		if value, ok := strings.CutPrefix(line, "Content-Length: "); ok {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return err
			}
		}
	}
	if cap(c.body) < length {
		c.body = make([]byte, length)
	}
	c.body = c.body[:length]
	if _, err := io.ReadFull(c.reader, c.body); err != nil {
		return err
	}
	if !strings.HasPrefix(status, "HTTP/1.1 200") {
		return fmt.Errorf("%s%s", status, c.body)
	}
	return nil
}

// deletes makes a batch of deletes of what was received, nil if that was nothing.
func (c *client) deletes() []byte {
	var entries []string
	rest := c.body
	const member = `"ReceiptHandle":"`
	for {
		at := bytes.Index(rest, []byte(member))
		if at < 0 {
			break
		}
		rest = rest[at+len(member):]
		handle := rest[:bytes.IndexByte(rest, '"')]
		entries = append(entries, fmt.Sprintf(`{"Id":"%d","ReceiptHandle":"%s"}`, len(entries), handle))
	}
	switch len(entries) {
	case 0:
		return nil
	case 1:
		return request("DeleteMessage", `{"QueueUrl":"q",`+entries[0][len(`{"Id":"0",`):])
	}
	return request("DeleteMessageBatch", `{"QueueUrl":"q","Entries":[`+strings.Join(entries, ",")+`]}`)
}

// BenchmarkIdlePolls reports what a thousand long polls on an empty queue cost
// per second; b.N counts seconds.
func BenchmarkIdlePolls(b *testing.B) {
	const polls = 1000
	waiting := make(chan struct{}, polls)
	r := newRig(b, Options{Listen: "127.0.0.1:0", Now: time.Now, Seen: func(string, string) { waiting <- struct{}{} }})
	if err := r.engine.CreateQueue(context.Background(), "q", engine.DefaultAttributes()); err != nil {
		b.Fatal(err)
	}
	l, err := r.Listen()
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served, ran := make(chan error, 1), make(chan error, 1)
	go func() { served <- r.Serve(ctx, l) }()
	go func() { ran <- r.engine.Run(ctx) }()
	poll := request("ReceiveMessage", `{"QueueUrl":"q","WaitTimeSeconds":20}`)
	for range polls {
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			b.Fatal(err)
		}
		defer conn.Close()
		if _, err := conn.Write(poll); err != nil {
			b.Fatal(err)
		}
	}
	for range polls {
		<-waiting
	}
	before := cpu()
	b.ResetTimer()
	for range b.N {
		time.Sleep(time.Second)
	}
	b.StopTimer()
	b.ReportMetric(float64((cpu()-before).Microseconds())/float64(b.N), "cpu-µs/s")
	stop()
	<-served
	<-ran
}
