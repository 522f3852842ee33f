package sqs

import "inflight/engine"

// treeWriter writes an answer as the JSON form that a GET with the header
// Accept: application/json gets (W17): the XML tree in JSON, with lists under
// names of their own, and null for a list without elements.
type treeWriter struct{ jsonWriter }

// writeTree appends the answer of an action to b.
func writeTree(b []byte, action, requestID string, out output) []byte {
	t := &treeWriter{jsonWriter{append(b, '{')}}
	t.member(action + "Response")
	t.b = append(t.b, '{')
	if out != nil {
		t.member(action + "Result")
		t.b = append(t.b, '{')
		out.write(t)
		t.b = append(t.b, '}')
	}
	t.metadata(requestID)
	t.b = append(t.b, '}', '}')
	return t.b
}

func (t *treeWriter) metadata(requestID string) {
	t.member("ResponseMetadata")
	t.b = append(t.b, '{')
	t.text("RequestId", requestID)
	t.b = append(t.b, '}')
}

// writeTreeError appends a refusal to b.
func writeTreeError(b []byte, requestID string, e *Error) []byte {
	t := &treeWriter{jsonWriter{append(b, '{')}}
	t.member("Error")
	t.b = append(t.b, '{')
	t.text("Code", e.code.query)
	t.text("Message", e.textFor(true))
	t.text("Type", e.side())
	t.b = append(t.b, '}')
	t.text("RequestId", requestID)
	t.b = append(t.b, '}')
	return t.b
}

func (t *treeWriter) elements(name string, n int, item func(i int)) {
	t.member(name)
	if n == 0 {
		t.b = append(t.b, "null"...)
		return
	}
	t.b = append(t.b, '[')
	for i := range n {
		t.next()
		item(i)
	}
	t.b = append(t.b, ']')
}

func (t *treeWriter) object(write func()) {
	t.b = append(t.b, '{')
	write()
	t.b = append(t.b, '}')
}

func (n listName) inTree() string {
	if n.tree != "" {
		return n.tree
	}
	return n.json
}

func (t *treeWriter) texts(name listName, v []string) {
	t.elements(name.inTree(), len(v), func(i int) { t.b = appendText(t.b, v[i]) })
}

func (t *treeWriter) pairs(name pairName, v []pair) {
	t.elements(name.json, len(v), func(i int) {
		t.object(func() {
			t.text(name.key, v[i].name)
			t.text(name.value, v[i].value)
		})
	})
}

func (t *treeWriter) values(name listName, v []engine.Attribute) {
	t.elements(name.inTree(), len(v), func(i int) {
		t.object(func() {
			t.text("Name", v[i].Name)
			t.member("Value")
			t.object(func() { writeValue(t, &v[i]) })
		})
	})
}

func (t *treeWriter) list(name listName, n int, item func(i int)) {
	t.elements(name.inTree(), n, func(i int) { t.object(func() { item(i) }) })
}
