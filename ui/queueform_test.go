package ui

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"inflight/engine"
)

func TestNewQueueForm(t *testing.T) {
	f := newQueueForm(testTheme(), testQueues())
	typeText(f, "returns")
	pressKeys(f, "down", "down", "ctrl+u")
	typeText(f, "5m")
	pressKeys(f, "tab", "tab", "tab", "tab", "tab")
	typeText(f, "orders-dlq")
	got := pressKeys(f, "tab", "tab", "tab", "right", "enter")
	want := engine.DefaultAttributes()
	want.VisibilityTimeout = 5 * time.Minute
	want.Redrive = engine.RedrivePolicy{DLQ: "orders-dlq", MaxReceives: 3}
	if !reflect.DeepEqual(got, doneMsg{createQueueMsg{name: "returns", attributes: want}}) {
		t.Errorf("asks for %#v", got)
	}
}

func TestNewQueueFormOffersToMakeTheDLQ(t *testing.T) {
	f := newQueueForm(testTheme(), testQueues()).(*queueForm)
	f.name.set("returns")
	f.dlq.set("returns-dlq")
	f.sync()
	f.focus = len(f.fields) + 1
	got := pressKeys(f, "enter").(doneMsg).then.(createQueueMsg)
	if !got.createDLQ || got.attributes.Redrive.DLQ != "returns-dlq" {
		t.Errorf("asks for %+v", got)
	}
	f.make.step(1)
	f.sync()
	f.focus = len(f.fields) + 1
	if got := pressKeys(f, "enter"); got != nil {
		t.Errorf("without making it: %#v", got)
	}
}

func TestQueueFormRefuses(t *testing.T) {
	tests := []struct {
		name   string
		change func(*queueForm)
		want   string
	}{
		{"no name", func(f *queueForm) { f.name.set("") }, "name: 1 to 120 characters"},
		{"a name that exists", func(f *queueForm) { f.name.set("orders") }, "name: a queue of that name exists"},
		{"a name with other characters", func(f *queueForm) { f.name.set("a b") }, "name: only letters, digits, - and _"},
		{"a long name", func(f *queueForm) { f.name.set(strings.Repeat("a", 121)) }, "name: at most 120 characters"},
		{"visibility over 12 h", func(f *queueForm) { f.visibility.set("13h") }, "visibility timeout: 0s to 12h, as 30, 30s, 5m, 4d"},
		{"retention under a minute", func(f *queueForm) { f.retention.set("59s") }, "retention: 1m to 14d, as 30, 30s, 5m, 4d"},
		{"size over the limit", func(f *queueForm) { f.size.set("2M") }, "maximum message size: 1K to 1M, as 1024, 64K, 1M"},
		{"wait over 30 s", func(f *queueForm) { f.wait.set("31") }, "receive wait: 0s to 30s, as 30, 30s, 5m, 4d"},
		{"max receives 0", func(f *queueForm) { f.dlq.set("orders-dlq"); f.receives.set("0") }, "max receives: 1 to 1,000"},
		{"itself as DLQ", func(f *queueForm) { f.dlq.set("fresh") }, "DLQ: a queue cannot be its own"},
		{"a DLQ that denies", func(f *queueForm) { f.dlq.set("emails") }, "DLQ: its redrive allow policy does not admit this queue"},
		{"a DLQ of another type", func(f *queueForm) { f.queues[2].Attributes.Type = engine.FIFO; f.dlq.set("orders-dlq") }, "DLQ: must be standard, as this queue is"},
		{"no sources", func(f *queueForm) { f.admits.at = 1 }, "sources: 1 to 10 queues, not 0"},
		{"11 sources", func(f *queueForm) { f.admits.at = 1; f.sources.set("a,b,c,d,e,f,g,h,i,j,k") }, "sources: 1 to 10 queues, not 11"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newQueueForm(testTheme(), testQueues()).(*queueForm)
			f.name.set("fresh")
			tt.change(f)
			f.sync()
			f.focus = len(f.fields) + 1
			if got := pressKeys(f, "enter"); got != nil {
				t.Fatalf("asks for %#v", got)
			}
			if got := f.current().trouble(); got != tt.want {
				t.Errorf("says %q, want %q", got, tt.want)
			}
			if view := f.View(100, 40); !strings.Contains(view, strings.Split(tt.want, ",")[0]) {
				t.Errorf("not on screen: %q", tt.want)
			}
		})
	}
}

func TestQueueFormWarns(t *testing.T) {
	f := newSettingsForm(testTheme(), testQueues()[1], testQueues()).(*queueForm)
	if len(f.warns) != 0 {
		t.Errorf("warns of %q", f.warns)
	}
	f.retention.set("14d")
	f.receives.set("1")
	f.sync()
	if len(f.warns) != 2 {
		t.Errorf("warns of %q, want retention and max receives", f.warns)
	}
	f.focus = len(f.fields) + 1
	got, ok := pressKeys(f, "enter").(doneMsg)
	if !ok || got.then.(configureQueueMsg).attributes.Redrive.MaxReceives != 1 {
		t.Errorf("a warning refuses: %#v", got)
	}
}

// A form that changes nothing asks for what is there.
func TestSettingsFormKeepsAttributes(t *testing.T) {
	q := testQueues()[1]
	q.Attributes.VisibilityTimeout = 26*time.Hour/10 + 7*time.Second
	q.Attributes.VisibilityTimeout = q.Attributes.VisibilityTimeout.Truncate(time.Second)
	q.Attributes.MaximumMessageSize = 12_345
	q.Attributes.Tags = map[string]string{"team": "billing"}
	q.Attributes.RedriveAllow = engine.RedriveAllowPolicy{Mode: engine.AllowByQueue, Sources: []string{"a", "b"}}
	f := newSettingsForm(testTheme(), q, testQueues()).(*queueForm)
	f.focus = len(f.fields) + 1
	got := pressKeys(f, "enter").(doneMsg).then.(configureQueueMsg)
	if !reflect.DeepEqual(got.attributes, q.Attributes) {
		t.Errorf("got  %+v\nwant %+v", got.attributes, q.Attributes)
	}
}

// What an application sets while the form is open stays.
func TestSettingsFormChangesOnlyWhatItChanged(t *testing.T) {
	d := watched(100, 40)
	d.keys("1", ",")
	now := &d.fake.find("orders").stats.Attributes
	now.VisibilityTimeout = 5 * time.Minute
	now.Extra = map[string]string{"Policy": "{}"}
	now.Tags = map[string]string{"team": "billing"}
	now.RedriveAllow = engine.RedriveAllowPolicy{Mode: engine.AllowByQueue, Sources: []string{"emails"}}
	want := *now
	want.Delay = 7 * time.Second
	d.refresh()
	d.keys("tab", "ctrl+u", "7", "s", "ctrl+s")
	if got := d.fake.find("orders").stats.Attributes; !reflect.DeepEqual(got, want) {
		t.Errorf("%s\ngot  %+v\nwant %+v", d.status.last.text, got, want)
	}
}

func TestSettingsFormChangesEachField(t *testing.T) {
	was := engine.DefaultAttributes()
	now := engine.Attributes{
		VisibilityTimeout: 1, Delay: 2, Retention: 3, MaximumMessageSize: 4, ReceiveWait: 5, ContentDeduplication: true,
		Redrive:      engine.RedrivePolicy{DLQ: "dlq", MaxReceives: 6},
		RedriveAllow: engine.RedriveAllowPolicy{Mode: engine.AllowByQueue, Sources: []string{"a"}},
	}
	got := was
	m := configureQueueMsg{opened: was, attributes: now}
	m.apply(&got)
	if !reflect.DeepEqual(got, now) {
		t.Errorf("got  %+v\nwant %+v", got, now)
	}
}
