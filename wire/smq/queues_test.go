package smq

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// allSet is every setting of a queue, none at its default. Its policy names a
// queue called demo-queue.
var allSet = []string{
	"DelaySeconds", "5", "MaximumMessageSize", "2048", "MessageRetentionPeriod", "600", "VisibilityTimeout", "60", "PollingWaitSeconds", "7",
	"LoggingEnabled", "True", "DlqPolicy", policyXML("demo-queue", 3),
}

func TestCreateQueue(t *testing.T) {
	r := newRig(t, Options{})
	const url = "http://1234567890.mns.localhost:9324/queues/demo-queue"
	a := r.must(http.StatusCreated, "PUT", "/queues/demo-queue", "")
	r.same("Location", a.header.Get("Location"), url)
	r.same("body", a.text, "")
	for _, body := range []string{
		"", `<?xml version="1.0" encoding="UTF-8"?><Queue xmlns="http://mns.aliyuncs.com/doc/v1/"></Queue>`,
		settingsXML("VisibilityTimeout", " 30 ", "LoggingEnabled", "False", "DelaySeconds", ""),
	} {
		a = r.must(http.StatusNoContent, "PUT", "/queues/demo-queue", body)
		r.same("Location of a queue that exists", a.header.Get("Location"), url)
	}
	r.refused(409, "QueueAlreadyExist", "The queue you want to create is already exist.", "PUT", "/queues/demo-queue", settingsXML("VisibilityTimeout", "31"))
	r.must(http.StatusCreated, "PUT", "/queues/7"+strings.Repeat("-", 119), "")
	r.queue("other")
	r.queue("set", allSet...)
	r.must(http.StatusNoContent, "PUT", "/queues/set", settingsXML(allSet...))
	for i := 0; i < len(allSet); i += 2 {
		r.refused(409, "QueueAlreadyExist", "", "PUT", "/queues/other", settingsXML(allSet[i:i+2]...))
	}
	for name, code := range map[string]string{
		strings.Repeat("a", 121): "QueueNameLengthError", "-a": "InvalidQueueName", "a_b": "InvalidQueueName",
		"a.fifo": "InvalidQueueName", "a@eu-west-1": "InvalidQueueName", "a%20b": "InvalidQueueName", "%E4": "InvalidQueueName",
	} {
		r.refused(400, code, "", "PUT", "/queues/"+name, "")
	}
}

func TestSettingsRanges(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("there")
	tests := []struct{ name, low, high, under, over, text string }{
		{"DelaySeconds", "0", "604800", "-1", "604801", "between 0 and 604800 seconds."},
		{"MaximumMessageSize", "1024", "65536", "1023", "65537", "between 1024 and 65536 bytes."},
		{"MessageRetentionPeriod", "60", "604800", "59", "604801", "between 60 and 604800 seconds."},
		{"VisibilityTimeout", "1", "43200", "0", "43201", "between 1 and 43200 seconds."},
		{"PollingWaitSeconds", "0", "30", "-1", "31", "between 0 and 30 seconds."},
	}
	for _, tt := range tests {
		for _, good := range []string{tt.low, tt.high} {
			r.must(http.StatusCreated, "PUT", "/queues/"+tt.name+good, settingsXML(tt.name, good))
			r.same(tt.name, r.ask("GET", "/queues/"+tt.name+good, "").root.words(tt.name), good)
		}
		for _, bad := range []string{tt.under, tt.over, "x", "99999999999999999999"} {
			text := "The value of " + tt.name + " must be " + tt.text
			r.refused(400, "InvalidArgument", text, "PUT", "/queues/bad", settingsXML(tt.name, bad))
			r.refused(400, "InvalidArgument", text, "PUT", "/queues/there?metaoverride=true", settingsXML(tt.name, bad))
		}
	}
	r.refused(400, "InvalidArgument", "", "PUT", "/queues/bad", settingsXML("LoggingEnabled", "perhaps"))
	r.refused(400, "InvalidArgument", "", "PUT", "/queues/bad", "<Message/>")
}

func TestSetQueueAttributes(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q", "VisibilityTimeout", "60", "LoggingEnabled", "true")
	r.pass(time.Minute)
	for _, name := range []string{"metaoverride=true", "metaOverride=True", "Metaoverride=TRUE"} {
		a := r.must(http.StatusNoContent, "PUT", "/queues/q?"+name, settingsXML("DelaySeconds", "5"))
		r.same("body", a.text, "")
	}
	q := r.must(http.StatusOK, "GET", "/queues/q", "").root
	r.same("what was given", q.words("DelaySeconds"), 5)
	r.same("what was left out", q.words("VisibilityTimeout")+q.words("LoggingEnabled"), "60True")
	r.queue("demo-queue")
	r.queue("set", allSet...)
	shown := func() string { // but for the time of the change
		_, settings, _ := strings.Cut(r.must(http.StatusOK, "GET", "/queues/set", "").text, "</LastModifyTime>")
		return settings
	}
	before := shown()
	for _, name := range []string{"<DelaySeconds>5<", "<PollingWaitSeconds>7<", "<MaxReceiveCount>3<"} {
		r.same("every setting is there: "+name, strings.Contains(before, name), true)
	}
	for i := 0; i < len(allSet); i += 2 {
		r.must(http.StatusNoContent, "PUT", "/queues/set?metaoverride=true", settingsXML(allSet[i:i+2]...))
		r.same("all, after one is set to what it was, "+allSet[i], shown(), before)
	}
	r.must(http.StatusNoContent, "PUT", "/queues/q?metaoverride=true", settingsXML("LoggingEnabled", "False"))
	r.same("LoggingEnabled", r.ask("GET", "/queues/q", "").root.words("LoggingEnabled"), "False")
	r.refused(404, "QueueNotExist", "", "PUT", "/queues/missing?metaoverride=true", "")
}

// TestGetQueueAttributes compares with the sheet, element by element.
func TestGetQueueAttributes(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("demo-queue")
	r.pass(100 * time.Second)
	r.must(http.StatusNoContent, "PUT", "/queues/demo-queue?metaoverride=true", settingsXML("PollingWaitSeconds", "0"))
	for range 3 {
		r.put("demo-queue", "x")
	}
	r.put("demo-queue", "x", "DelaySeconds", "9")
	r.take("demo-queue")
	r.same("answer", r.must(http.StatusOK, "GET", "/queues/demo-queue", "").text, `<?xml version="1.0" ?>
<Queue xmlns="http://mns.aliyuncs.com/doc/v1">
<QueueName>demo-queue</QueueName>
<CreateTime>1772366400</CreateTime>
<LastModifyTime>1772366500</LastModifyTime>
<DelaySeconds>0</DelaySeconds>
<MaximumMessageSize>65536</MaximumMessageSize>
<MessageRetentionPeriod>345600</MessageRetentionPeriod>
<VisibilityTimeout>30</VisibilityTimeout>
<PollingWaitSeconds>0</PollingWaitSeconds>
<ActiveMessages>2</ActiveMessages>
<InactiveMessages>1</InactiveMessages>
<DelayMessages>1</DelayMessages>
<LoggingEnabled>False</LoggingEnabled>
</Queue>
`)
	r.refused(404, "QueueNotExist", "The queue name you provided does not exist.", "GET", "/queues/missing", "")
}

func TestDeleteQueue(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q")
	r.put("q", "x")
	for range 2 { // a missing queue is no error
		r.same("body", r.must(http.StatusNoContent, "DELETE", "/queues/q", "").text, "")
	}
	r.refused(404, "QueueNotExist", "", "GET", "/queues/q/messages", "")
	r.queue("q")
	r.wantCounts("q", "0 0 0")
}

func TestListQueue(t *testing.T) {
	r := newRig(t, Options{})
	r.same("no queues", r.must(http.StatusOK, "GET", "/queues", "").text, "<?xml version=\"1.0\" ?>\n<Queues xmlns=\"http://mns.aliyuncs.com/doc/v1\">\n</Queues>\n")
	for _, name := range []string{"b1", "a", "b3", "b2", "c"} {
		r.queue(name)
	}
	names := func(a reply) string {
		var all []string
		for _, q := range a.root.all("Queue") {
			all = append(all, q.words("QueueName"))
			r.same("QueueURL", q.words("QueueURL"), "http://1234567890.mns.localhost:9324/queues/"+q.words("QueueName"))
		}
		return strings.Join(all, " ")
	}
	all := r.must(http.StatusOK, "GET", "/queues/", "", "x-mns-prefix", "", "x-mns-marker", "")
	r.same("all", names(all), "a b1 b2 b3 c")
	r.same("NextMarker of the last page", all.root.child("NextMarker") == nil, true)
	page := r.must(http.StatusOK, "GET", "/queues", "", "x-mns-prefix", "b", "x-mns-ret-number", "2")
	r.same("first page", names(page), "b1 b2")
	again := r.must(http.StatusOK, "GET", "/queues", "", "x-mns-prefix", "b", "x-mns-marker", page.root.words("NextMarker"))
	r.same("the rest", names(again), "b3")
	r.must(http.StatusNoContent, "DELETE", "/queues/b2", "") // a marker survives its queue
	page = r.must(http.StatusOK, "GET", "/queues", "", "x-mns-prefix", "b", "x-mns-ret-number", "2", "x-mns-marker", page.root.words("NextMarker"))
	r.same("second page", names(page)+page.root.words("NextMarker"), "b3")
	meta := r.must(http.StatusOK, "GET", "/queues", "", "x-mns-with-meta", "true")
	r.same("meta", meta.root.child("Queue").words("VisibilityTimeout"), 30)
	for _, bad := range [][2]string{{"x-mns-ret-number", "0"}, {"x-mns-ret-number", "1001"}, {"x-mns-ret-number", "undefined"}, {"x-mns-marker", "%"}} {
		if a := r.ask("GET", "/queues", "", bad[0], bad[1]); a.status != 400 || a.code() != "InvalidArgument" {
			t.Errorf("%s: %s = %d %s", bad[0], bad[1], a.status, a.text)
		}
	}
}

func TestDeadLetters(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("dead")
	r.queue("q", "VisibilityTimeout", "1", "DlqPolicy", policyXML("dead", 2))
	id := r.put("q", "poison").words("MessageId")
	enqueued := millis(r.now)
	r.pass(time.Second)
	first := millis(r.now)
	for range 2 {
		r.take("q")
		r.pass(time.Second)
	}
	r.refused(404, "MessageNotExist", "Message not exist.", "GET", "/queues/q/messages?peekonly=true", "") // a receive would not get it
	r.empty("q")
	d := r.must(http.StatusOK, "GET", "/queues/dead/messages?peekonly=true", "").root
	r.same("id, count, time", d.words("MessageId")+d.words("DequeueCount")+d.words("EnqueueTime"), id+"0"+enqueued)
	r.same("FirstDequeueTime, over both queues", d.words("FirstDequeueTime"), first)
	d = r.take("dead")
	r.same("count, first time", d.words("DequeueCount")+d.words("FirstDequeueTime"), "1"+first)

	shown := r.must(http.StatusOK, "GET", "/queues/q", "")
	if want := "<DlqPolicy>\n<Enabled>true</Enabled>\n<DeadLetterTargetQueue>dead</DeadLetterTargetQueue>\n<MaxReceiveCount>2</MaxReceiveCount>\n</DlqPolicy>\n"; !strings.Contains(shown.text, want) {
		t.Errorf("attributes %s lack %s", shown.text, want)
	}
	set := func(policy string) string { return settingsXML("DlqPolicy", policy) }
	for _, bad := range []string{
		policyXML("missing", 2), policyXML("dead", 0), policyXML("dead", 1001), policyXML("other", 1), elements("Enabled", "true"),
		elements("DeadLetterTargetQueue", "dead"), elements("Enabled", "maybe"),
	} {
		r.refused(400, "InvalidArgument", "", "PUT", "/queues/other", set(bad))
	}
	r.must(http.StatusNoContent, "PUT", "/queues/q?metaoverride=true", set(elements("MaxReceiveCount", "5")))
	r.same("the other part of a policy", r.ask("GET", "/queues/q", "").root.child("DlqPolicy").words("DeadLetterTargetQueue"), "dead")
	r.must(http.StatusNoContent, "PUT", "/queues/q?metaoverride=true", set(elements("Enabled", "false")))
	r.same("a policy that is not enabled", r.ask("GET", "/queues/q", "").root.child("DlqPolicy") == nil, true)
}
