package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"inflight/storage"
)

// process is inflight serve, at work.
type process struct {
	t        *testing.T
	cmd      *exec.Cmd
	endpoint string
	said     string // on standard output
	errs     bytes.Buffer
}

// serving starts inflight serve at a free port and waits until it says where.
func serving(t *testing.T, args ...string) *process {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted there")
	}
	p := &process{t: t, cmd: inflight(t, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Stderr = &p.errs
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 4096)
	for strings.Count(p.said, "\n") < 4 && err == nil {
		var n int
		n, err = out.Read(b)
		p.said += string(b[:n])
	}
	p.endpoint = regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+`).FindString(p.said)
	if err != nil || p.endpoint == "" {
		_ = p.cmd.Process.Kill()
		t.Fatalf("it said %q, %v; standard error: %v", p.said, p.cmd.Wait(), p.errs.String())
	}
	return p
}

// ask calls an action and returns its answer.
func (p *process) ask(action, body string) string {
	p.t.Helper()
	r, err := http.NewRequest(http.MethodPost, p.endpoint, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "AmazonSQS."+action)
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return fmt.Sprint(answer.StatusCode, " ", string(text))
}

// end interrupts the process and returns its exit code.
func (p *process) end() int {
	p.t.Helper()
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		p.t.Fatal(err)
	}
	_ = p.cmd.Wait()
	return p.cmd.ProcessState.ExitCode()
}

func TestServe(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	p := serving(t, "--data", dir, "--account", "123456789012", "--region", "eu-north-1")
	for _, line := range []string{
		"# inflight serves " + p.endpoint + "; data: " + dir + "\n",
		"AWS_ENDPOINT_URL_SQS=", "AWS_ACCESS_KEY_ID=", "AWS_SECRET_ACCESS_KEY=", "AWS_REGION=", "AWS_DEFAULT_REGION=", "eu-north-1",
	} {
		if !strings.Contains(p.said, line) {
			t.Errorf("it said %q, which lacks %q", p.said, line)
		}
	}
	if got := p.ask("CreateQueue", `{"QueueName":"orders"}`); !strings.Contains(got, p.endpoint+"/123456789012/orders") {
		t.Errorf("CreateQueue answered %s", got)
	}
	if got := p.ask("SendMessage", `{"QueueUrl":"orders","MessageBody":"one"}`); !strings.HasPrefix(got, "200 ") {
		t.Errorf("SendMessage answered %s", got)
	}

	// Who else wants the store, or the port, hears who has them.
	port := strings.TrimPrefix(p.endpoint, "http://")
	for _, args := range [][]string{
		{"check", "--data", dir},
		{"serve", "--data", dir, "--listen", "127.0.0.1:0"},
		{"serve", "--data", dir, "--listen", port},
	} {
		oneClearLine(t, finish(t, inflight(t, args...)), []string{
			dir, fmt.Sprintf("process %d (inflight serve)", p.cmd.Process.Pid), "which serves " + p.endpoint,
		})
	}
	other := filepath.Join(t.TempDir(), "other")
	oneClearLine(t, finish(t, inflight(t, "serve", "--data", other, "--listen", port)), []string{
		"cannot listen on " + port, "nothing was changed", "--listen ADDRESS:PORT",
	})
	if _, err := os.Stat(other); err == nil {
		t.Errorf("a port that is taken, and it made %s", other)
	}

	if code := p.end(); code != 0 || p.errs.Len() > 0 {
		t.Errorf("interrupted, it ended with %d and said %q", code, p.errs.String())
	}
	if got := finish(t, inflight(t, "check", "--data", dir)); got.code != 0 {
		t.Errorf("the store afterwards: %v", got)
	}
	again := serving(t, "--data", dir)
	if got := again.ask("ReceiveMessage", `{"QueueUrl":"orders"}`); !strings.Contains(got, `"Body":"one"`) {
		t.Errorf("after a restart ReceiveMessage answered %s", got)
	}
	if code := again.end(); code != 0 {
		t.Errorf("interrupted, it ended with %d", code)
	}
}

// A long poll is told to ask again, and does not hold the end up.
func TestServeEndsUnderALongPoll(t *testing.T) {
	p := serving(t, "--memory")
	p.ask("CreateQueue", `{"QueueName":"q"}`)
	answered := make(chan string, 1)
	go func() { answered <- p.ask("ReceiveMessage", `{"QueueUrl":"q","WaitTimeSeconds":20}`) }()
	for begun := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		answer, err := http.Get(p.endpoint + "/_inflight/metrics")
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || time.Since(begun) > time.Minute {
			t.Fatalf("the poll did not arrive: %v, %s", err, text)
		}
		if bytes.Contains(text, []byte(`action="ReceiveMessage"} 1`)) {
			break
		}
	}
	http.DefaultClient.CloseIdleConnections()
	begun := time.Now()
	if code := p.end(); code != 0 || time.Since(begun) > 10*time.Second {
		t.Errorf("it ended with %d after %v, %s", code, time.Since(begun), p.errs.String())
	}
	if got := <-answered; !strings.HasPrefix(got, "503 ") {
		t.Errorf("the poll was answered %s", got)
	}
}

func TestServeWithCredentials(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(file, []byte("AKIDANA hush SendMessage\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := serving(t, "--memory", "--credentials", file)
	if strings.Contains(p.said, "hush") || !strings.Contains(p.said, file) {
		t.Errorf("it said %q, want the file and no secret", p.said)
	}
	got := p.ask("CreateQueue", `{"QueueName":"orders"}`)
	var refusal struct {
		Type string `json:"__type"`
	}
	if _, text, _ := strings.Cut(got, " "); json.Unmarshal([]byte(text), &refusal) != nil || refusal.Type == "" {
		t.Errorf("without a signature CreateQueue answered %s", got)
	}
	if code := p.end(); code != 0 {
		t.Errorf("interrupted, it ended with %d", code)
	}
}

func TestServeRefuses(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	tests := []struct {
		name string
		args string
		code int
		want string
	}{
		{"no port", "serve --listen 127.0.0.1", 2, `--listen "127.0.0.1" is not ADDRESS:PORT`},
		{"no address", "serve --listen=", 2, "--listen needs an address"},
		{"an account that is none", "serve --memory --account 12", 2, `--account "12" is not 12 digits`},
		{"a region that is none", "serve --memory --region Mars!", 2, `--region "Mars!" is not`},
		{"a host with its port", "serve --memory --hostname queues:9324", 2, `--hostname "queues:9324" is not a name`},
		{"other machines", "serve --memory --listen 0.0.0.0:0", 2, "--allow-insecure-remote"},
		{"no credentials there", "serve --memory --credentials /none/such", 1, "/none/such"},
		{"both ways", "--memory --listen 127.0.0.1:0 --no-listen", 2, "exclude each other"},
		{"a region too long", "serve --memory --region " + strings.Repeat("a", 33), 2, "32 at most"},
		{"a region of nothing", "--memory --no-listen --region eu-north-1", 2, "--region is about an endpoint, and there is none"},
		{"a demo without a port", "demo --aws-waits", 2, "--aws-waits is about an endpoint, and there is none"},
		{"a demo with made-up time", "demo --plain --listen 127.0.0.1:0", 2, "does not go with --plain"},
		{"a port that is taken", "serve --memory --listen " + taken.Addr().String(), 1, "cannot listen on " + taken.Addr().String()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := here(t, strings.Fields(tt.args)...)
			if got.code != tt.code || got.out != "" || !strings.Contains(got.err, tt.want) || strings.Count(got.err, "\n") != 1 {
				t.Errorf("inflight %s: %v\nwant exit code %d and one line with %q", tt.args, got, tt.code, tt.want)
			}
		})
	}
}

func TestConnectLines(t *testing.T) {
	got := connectLines("windows", "http://127.0.0.1:9324", "eu-north-1", `C:\keys`)
	want := `$env:AWS_ENDPOINT_URL_SQS="http://127.0.0.1:9324"` + "\n" +
		`$env:AWS_ACCESS_KEY_ID="KEY"; $env:AWS_SECRET_ACCESS_KEY="SECRET"   # from C:\keys` + "\n" +
		`$env:AWS_REGION="eu-north-1"; $env:AWS_DEFAULT_REGION="eu-north-1"`
	if strings.Join(got, "\n") != want {
		t.Errorf("connectLines = %q, want %q", got, want)
	}
}

func TestReachable(t *testing.T) {
	for address, want := range map[string]string{
		"127.0.0.1:9324": "127.0.0.1:9324", "[::]:80": "queues:80", "0.0.0.0:80": "queues:80", "[::1]:80": "[::1]:80",
	} {
		a, err := net.ResolveTCPAddr("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if got := reachable(a, []string{"queues"}); got != want {
			t.Errorf("reachable(%s) = %s, want %s", address, got, want)
		}
	}
}

func TestInUseNamesTheEndpoint(t *testing.T) {
	got := describe(&storage.InUseError{Dir: "d", PID: 7, Endpoint: "http://127.0.0.1:9324"})
	want := "d is in use by process 7, which serves http://127.0.0.1:9324; close that, or: " + otherPlaces
	if len(got) != 1 || got[0] != want {
		t.Errorf("describe = %q, want %q", got, want)
	}
}
