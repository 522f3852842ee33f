package sqs

import (
	"bytes"
	"encoding/base64"
	"errors"
	"strconv"
	"unicode/utf8"
)

// jsonReader reads a struct from a JSON object, member by member, without
// reflection: for each member of the object it lets the struct name its own,
// and takes the one whose name is at hand. Unknown members are skipped.
type jsonReader struct {
	scanner
	key   []byte // the member at hand; it is good until the next
	taken bool
	depth int
	count int   // elements of lists and maps so far
	err   error // the first
}

// readJSON reads in from a request's body. An empty body is an empty object.
func readJSON(body []byte, in input) error {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil
	}
	j := &jsonReader{scanner: scanner{text: body}}
	j.object(in)
	if j.err == nil && !j.ended() {
		j.malformed(j.unexpected())
	}
	return j.err
}

func (j *jsonReader) fail(err error) {
	if j.err == nil {
		j.err = err
	}
}

// malformed notes a fault of the JSON text itself.
func (j *jsonReader) malformed(err error) {
	j.fail(faultMalformed.with(err))
}

// more says whether a list or map, which ends with end and of which n elements
// were read, goes on.
func (j *jsonReader) more(end byte, n int) bool {
	if j.err != nil || j.peek() == end {
		return false
	}
	if n > 0 {
		if err := j.take(','); err != nil {
			j.malformed(err)
		}
	}
	if j.count++; j.count > maxParameters {
		j.fail(faultMalformed.with("it has too many members"))
	}
	return j.err == nil
}

// object reads one object into in.
func (j *jsonReader) object(in input) {
	if !j.enter('{') {
		return
	}
	for n := 0; j.more('}', n) && j.member(); n++ {
		if j.peek() == 'n' { // null is absent
			j.pass()
			continue
		}
		j.taken = false
		in.read(j)
		if !j.taken && j.err == nil {
			j.pass()
		}
	}
	j.leave()
}

// enter reads the start of an object or a list, and refuses anything else.
func (j *jsonReader) enter(kind byte) bool {
	if j.err != nil || !j.is(kind) {
		return false
	}
	if j.depth++; j.depth > maxDepth {
		j.fail(faultMalformed.with("it is nested too deeply"))
		return false
	}
	j.scanner.at++
	return true
}

// leave reads the end, which more has seen.
func (j *jsonReader) leave() {
	j.depth--
	if j.err == nil {
		j.scanner.at++
	}
}

// member reads the name of the next member.
func (j *jsonReader) member() bool {
	raw, escaped, err := j.quoted()
	if err == nil && escaped {
		raw, err = unquoteValid(raw)
	}
	if err == nil {
		err = j.take(':')
	}
	if err != nil {
		j.malformed(err)
		return false
	}
	j.key = raw
	return true
}

func (j *jsonReader) pass() {
	if err := j.skip(j.depth); err != nil {
		j.malformed(err)
	}
}

// named says whether the member at hand is of that name, and takes it.
func (j *jsonReader) named(name string) bool {
	if j.taken || j.err != nil || string(j.key) != name {
		return false
	}
	j.taken = true
	return true
}

// is refuses a value of the wrong kind (W5).
func (j *jsonReader) is(want byte) bool {
	got := j.peek()
	if got == want {
		return true
	}
	names, known := valueNames[got]
	switch {
	case got == '[':
		j.fail(faultList.with())
	case got == '{':
		j.fail(faultStructure.with())
	case !known:
		j.malformed(j.unexpected())
	case want == '{' || want == '[':
		j.fail(faultCollection.with(names.class))
	case want == '"':
		j.fail(faultKind.with(names.token, "a String"))
	default:
		j.fail(faultKind.with(names.token, "an Integer"))
	}
	return false
}

// valueNames is what SQS calls kinds of values.
var valueNames = map[byte]struct{ token, class string }{
	'"': {"STRING_VALUE", "String"}, '0': {"NUMBER_VALUE", "Integer"}, 't': {"TRUE_VALUE", "Boolean"},
	'f': {"FALSE_VALUE", "Boolean"}, 'n': {"NULL_VALUE", "Object"},
}

func (j *jsonReader) string() (s string, ok bool) {
	raw, escaped, ok := j.raw()
	if !ok || !escaped {
		return string(raw), ok
	}
	b, err := unquoteValid(raw)
	if err != nil {
		j.malformed(err)
	}
	return string(b), err == nil
}

// unquoteValid is unquote where half of a surrogate pair cannot pass: texts
// that are looked at no further must be valid UTF-8.
func unquoteValid(raw []byte) ([]byte, error) {
	b, err := unquote(make([]byte, 0, len(raw)), raw)
	if err == nil && !utf8.Valid(b) {
		err = errors.New("half of a surrogate pair in a string")
	}
	return b, err
}

// raw reads a string as it stands; it is good while the request is.
func (j *jsonReader) raw() (raw []byte, escaped, ok bool) {
	if j.err != nil || !j.is('"') {
		return nil, false, false
	}
	raw, escaped, err := j.quoted()
	if err != nil {
		j.malformed(err)
	}
	return raw, escaped, err == nil
}

func (j *jsonReader) text(name string, v *string) {
	if j.named(name) {
		*v, _ = j.string()
	}
}

func (j *jsonReader) optional(name string, v **string) {
	if j.named(name) {
		s, _ := j.string()
		*v = &s
	}
}

func (j *jsonReader) bytes(name string, v *[]byte) {
	if !j.named(name) {
		return
	}
	raw, escaped, ok := j.raw()
	switch {
	case !ok:
	case escaped:
		var err error
		if *v, err = unquote(make([]byte, 0, len(raw)), raw); err != nil {
			j.malformed(err)
		}
	default:
		*v = bytes.Clone(raw) // the request's memory is used again
	}
}

func (j *jsonReader) number(name string, v **int) {
	if !j.named(name) {
		return
	}
	if !j.is('0') {
		return
	}
	raw, err := j.scanner.number()
	if err != nil {
		j.malformed(err)
		return
	}
	n, err := strconv.Atoi(string(raw))
	if err != nil {
		j.fail(faultKind.with("NUMBER_VALUE", "an Integer"))
		return
	}
	*v = &n
}

func (j *jsonReader) binary(name string, v *[]byte, present *bool) {
	if !j.named(name) {
		return
	}
	text, ok := j.string()
	if !ok {
		return
	}
	decoded, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		j.fail(faultBase64.with(name))
	}
	*v, *present = decoded, true
}

func (j *jsonReader) texts(name listName, v *[]string) {
	if !j.named(name.json) || !j.enter('[') {
		return
	}
	for n := 0; j.more(']', n); n++ {
		if s, ok := j.string(); ok {
			*v = append(*v, s)
		}
	}
	j.leave()
}

func (j *jsonReader) pairs(name pairName, v *map[string]string) {
	if !j.named(name.json) || !j.enter('{') {
		return
	}
	*v = map[string]string{}
	for n := 0; j.more('}', n) && j.member(); n++ {
		if j.peek() == 'n' {
			j.pass()
			continue
		}
		key := string(j.key)
		if s, ok := j.string(); ok {
			(*v)[key] = s
		}
	}
	j.leave()
}

func (j *jsonReader) values(name listName, v *[]value) {
	if !j.named(name.json) || !j.enter('{') {
		return
	}
	for n := 0; j.more('}', n) && j.member(); n++ {
		one := value{name: string(j.key)}
		j.object(&one)
		*v = append(*v, one)
	}
	j.taken = true
	j.leave()
}

func (j *jsonReader) list(name listName, item func() input) {
	if !j.named(name.json) || !j.enter('[') {
		return
	}
	for n := 0; j.more(']', n); n++ {
		j.object(item())
	}
	j.taken = true
	j.leave()
}
