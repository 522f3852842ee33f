package ui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/uuid"

	"inflight/engine"
)

// noon is when the tests of forms and screens take place.
var noon = time.Date(2026, 3, 14, 12, 4, 31, 0, time.UTC)

func namedKey(name string) tea.KeyMsg {
	named := map[string]tea.KeyType{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab,
		"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "ctrl+e": tea.KeyCtrlE, "ctrl+u": tea.KeyCtrlU,
		"ctrl+d": tea.KeyCtrlD, "ctrl+w": tea.KeyCtrlW, "home": tea.KeyHome, "end": tea.KeyEnd,
		"pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp, "ctrl+s": tea.KeyCtrlS,
	}
	if t, ok := named[name]; ok {
		return tea.KeyMsg{Type: t}
	}
	if name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// updater is a pane or an overlay.
type updater interface{ Update(tea.Msg) tea.Cmd }

// pressKeys sends named keys, one by one, and returns what the last asked for.
func pressKeys(u updater, names ...string) tea.Msg {
	var cmd tea.Cmd
	for _, name := range names {
		cmd = u.Update(namedKey(name))
	}
	if cmd == nil {
		return nil
	}
	return cmd()
}

// typeText types letters one by one.
func typeText(u updater, s string) {
	for _, r := range s {
		u.Update(namedKey(string(r)))
	}
}

func pasteText(u updater, s string) {
	u.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s), Paste: true})
}

// requireView compares a view without its colours, once each of its lines has
// the same width and none more than that of the screen.
func requireView(t *testing.T, view string, width, height int) {
	t.Helper()
	checkBox(t, view, width, height)
	golden.RequireEqual(t, ansi.Strip(view)+"\n")
}

// checkBox fails unless view is a box no larger than that, and safe to draw.
func checkBox(t *testing.T, view string, width, height int) {
	t.Helper()
	lines := strings.Split(view, "\n")
	if len(lines) > height {
		t.Errorf("%d lines, more than %d", len(lines), height)
	}
	for i, s := range lines {
		w := ansi.StringWidth(s)
		if w != ansi.StringWidth(lines[0]) || w > width {
			t.Errorf("line %d is %d wide, the first %d, the screen %d: %q", i, w, ansi.StringWidth(lines[0]), width, s)
		}
		for _, r := range ansi.Strip(s) {
			if r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e {
				t.Errorf("line %d holds %U: %q", i, r, s)
			}
		}
	}
}

func testRow(n int, body string) engine.Row {
	return engine.Row{
		Ref:     engine.Ref{Queue: 1, Pos: uint64(n)},
		Message: engine.Message{ID: testID(n), Body: []byte(body), Size: len(body), Sent: noon.Add(-6 * time.Minute), Priority: 8},
	}
}

func testID(n int) uuid.UUID {
	return uuid.UUID{0x7f, 0x3a, byte(n >> 8), byte(n), 0x11, 0x22, 0x43, 0x44, 0x85, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc}
}

func testRows(n int) []engine.Row {
	bodies := []string{`{"orderId":8841,"amount":19.99,"currency":"EUR","lines":[{"sku":"A-1"}]}`, `{"orderId":8842,"amount":"12,50"}`, hostile, `<order id="7001"><amt>12</amt></order>`}
	rows := make([]engine.Row, n)
	for i := range rows {
		rows[i] = testRow(i, bodies[i%len(bodies)])
	}
	return rows
}

// testQueues are orders, its DLQ, and some others.
func testQueues() []engine.QueueStats {
	attributes := engine.DefaultAttributes()
	orders, dlq, emails := attributes, attributes, attributes
	orders.Redrive = engine.RedrivePolicy{DLQ: "orders-dlq", MaxReceives: 3}
	dlq.Retention = 14 * 24 * time.Hour
	emails.RedriveAllow = engine.RedriveAllowPolicy{Mode: engine.DenyAll}
	return []engine.QueueStats{
		{Name: "emails", Number: 1, Attributes: emails},
		{Name: "orders", Number: 2, Attributes: orders, Counts: engine.Counts{Ready: 1204, InFlight: 37, Delayed: 5}},
		{Name: "orders-dlq", Number: 3, Attributes: dlq, Sources: []string{"orders"}, Counts: engine.Counts{Ready: 61}},
	}
}
