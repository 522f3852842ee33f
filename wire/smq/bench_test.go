package smq

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
)

// BenchmarkRead is what reading a request costs, by the length of its body.
func BenchmarkRead(b *testing.B) {
	for _, size := range []int{100, 1000, 65536} {
		text := []byte(messageXML(strings.Repeat("x", size), "Priority", "8"))
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := parseXML(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRefuse is what hostile requests of the greatest length cost.
func BenchmarkRefuse(b *testing.B) {
	for name, unit := range map[string]string{
		"attributes": `<a ` + strings.Repeat(`b="" `, MaxBody/5), "depth": strings.Repeat("<a>", MaxBody/3), "parts": "<a>" + strings.Repeat("<b/>", MaxBody/4),
		"entities": "<a>" + strings.Repeat("&lt;", MaxBody/4), "laughs": `<!DOCTYPE a [` + strings.Repeat(`<!ENTITY l "ll">`, MaxBody/20) + `]><a>&l;</a>`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := parseXML([]byte(unit)); err == nil {
					b.Fatal("taken")
				}
			}
		})
	}
}

// BenchmarkCycle sends, receives and deletes one message, without a network.
func BenchmarkCycle(b *testing.B) {
	r := newRig(b, Options{})
	r.queue("q")
	body := messageXML(strings.Repeat("x", 1000))
	b.ReportAllocs()
	for b.Loop() {
		for _, ask := range [][3]string{{"POST", "/queues/q/messages", body}, {"GET", "/queues/q/messages", ""}} {
			w := httptest.NewRecorder()
			r.ServeHTTP(w, newRequest(ask[0], ask[1], ask[2]))
			if w.Code >= 300 {
				b.Fatal(w.Body)
			}
			if _, rest, ok := strings.Cut(w.Body.String(), "<ReceiptHandle>"); ok {
				handle, _, _ := strings.Cut(rest, "<")
				r.ServeHTTP(httptest.NewRecorder(), newRequest("DELETE", handlePath("q", handle), ""))
			}
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "msgs/s")
}
