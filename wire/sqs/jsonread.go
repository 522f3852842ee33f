package sqs

import (
	"bytes"
	"encoding/base64"
	"io"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonReader reads a struct from a JSON object, member by member, without
// reflection: for each member of the object it lets the struct name its own,
// and takes the one whose name is at hand. Unknown members are skipped.
type jsonReader struct {
	decoder *jsontext.Decoder
	buffer  *bytes.Buffer
	key     []byte // the member at hand
	taken   bool
	depth   int
	count   int   // elements of lists and maps so far
	err     error // the first
}

var jsonReaders = sync.Pool{New: func() any {
	return &jsonReader{decoder: new(jsontext.Decoder), buffer: new(bytes.Buffer)}
}}

// readJSON reads in from a request's body. An empty body is an empty object.
func readJSON(body []byte, in input) error {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil
	}
	j := jsonReaders.Get().(*jsonReader)
	defer jsonReaders.Put(j)
	*j.buffer = *bytes.NewBuffer(body)
	j.decoder.Reset(j.buffer, jsontext.AllowDuplicateNames(true))
	j.key, j.taken, j.depth, j.count, j.err = j.key[:0], false, 0, 0, nil
	j.object(in)
	if j.err == nil {
		if _, err := j.decoder.ReadToken(); err != io.EOF {
			j.fail(faultMalformed.with("there is something behind it"))
		}
	}
	*j.buffer = bytes.Buffer{}
	return j.result()
}

func (j *jsonReader) result() error {
	if j.err == nil {
		return nil
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

// more says whether a list or map, which ends with end, goes on.
func (j *jsonReader) more(end jsontext.Kind) bool {
	if j.err != nil || j.decoder.PeekKind() == end {
		return false
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
	for j.more('}') {
		if !j.member() {
			return
		}
		if j.decoder.PeekKind() == 'n' { // null is absent
			j.skip()
			continue
		}
		j.taken = false
		in.read(j)
		if !j.taken && j.err == nil {
			j.skip()
		}
	}
	j.leave()
}

// enter reads the start of an object or a list, and refuses anything else.
func (j *jsonReader) enter(kind jsontext.Kind) bool {
	if j.err != nil || !j.is(kind) {
		return false
	}
	if j.depth++; j.depth > maxDepth {
		j.fail(faultMalformed.with("it is nested too deeply"))
		return false
	}
	if _, err := j.decoder.ReadToken(); err != nil {
		j.malformed(err)
		return false
	}
	return true
}

func (j *jsonReader) leave() {
	j.depth--
	if j.err != nil {
		return
	}
	if _, err := j.decoder.ReadToken(); err != nil {
		j.malformed(err)
	}
}

// member reads the name of the next member.
func (j *jsonReader) member() bool {
	raw, err := j.decoder.ReadValue()
	if err != nil {
		j.malformed(err)
		return false
	}
	j.key, _ = jsontext.AppendUnquote(j.key[:0], raw)
	return true
}

func (j *jsonReader) skip() {
	if err := j.decoder.SkipValue(); err != nil {
		j.malformed(err)
	}
}

// at says whether the member at hand is of that name, and takes it.
func (j *jsonReader) at(name string) bool {
	if j.taken || j.err != nil || string(j.key) != name {
		return false
	}
	j.taken = true
	return true
}

// is refuses a value of the wrong kind (W5).
func (j *jsonReader) is(want jsontext.Kind) bool {
	got := j.decoder.PeekKind()
	if got == want {
		return true
	}
	container := want == '{' || want == '['
	switch {
	case got == '[':
		j.fail(faultList.with())
	case got == '{':
		j.fail(faultStructure.with())
	case got == 0:
		_, err := j.decoder.ReadToken()
		j.malformed(err)
	case container:
		j.fail(faultCollection.with(map[jsontext.Kind]string{
			'"': "String", '0': "Integer", 't': "Boolean", 'f': "Boolean", 'n': "Object",
		}[got]))
	case want == '"':
		j.fail(faultKind.with(valueNames[got], "a String"))
	default:
		j.fail(faultKind.with(valueNames[got], "an Integer"))
	}
	return false
}

var valueNames = map[jsontext.Kind]string{
	'"': "STRING_VALUE", '0': "NUMBER_VALUE", 't': "TRUE_VALUE", 'f': "FALSE_VALUE", 'n': "NULL_VALUE",
}

// raw reads the value at hand as it stands; it is good until the next read.
func (j *jsonReader) raw(kind jsontext.Kind) ([]byte, bool) {
	if !j.is(kind) {
		return nil, false
	}
	raw, err := j.decoder.ReadValue()
	if err != nil {
		j.malformed(err)
		return nil, false
	}
	return raw, true
}

func (j *jsonReader) string() (s string, ok bool) {
	b, ok := j.unquoted()
	return string(b), ok
}

// unquoted returns the bytes of a string, which are the caller's.
func (j *jsonReader) unquoted() ([]byte, bool) {
	raw, ok := j.raw('"')
	if !ok {
		return nil, false
	}
	b, err := jsontext.AppendUnquote(make([]byte, 0, len(raw)-2), raw)
	if err != nil {
		j.malformed(err)
		return nil, false
	}
	return b, true
}

func (j *jsonReader) text(name string, v *string) {
	if j.at(name) {
		*v, _ = j.string()
	}
}

func (j *jsonReader) optional(name string, v **string) {
	if j.at(name) {
		s, _ := j.string()
		*v = &s
	}
}

func (j *jsonReader) bytes(name string, v *[]byte) {
	if j.at(name) {
		*v, _ = j.unquoted()
	}
}

func (j *jsonReader) number(name string, v **int) {
	if !j.at(name) {
		return
	}
	raw, ok := j.raw('0')
	if !ok {
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
	if !j.at(name) {
		return
	}
	raw, ok := j.raw('"')
	if !ok {
		return
	}
	text, _ := jsontext.AppendUnquote(nil, raw)
	decoded, err := base64.StdEncoding.DecodeString(string(text))
	if err != nil {
		j.fail(faultBase64.with(name))
	}
	*v, *present = decoded, true
}

func (j *jsonReader) texts(name listName, v *[]string) {
	if !j.at(name.json) || !j.enter('[') {
		return
	}
	for j.more(']') {
		if s, ok := j.string(); ok {
			*v = append(*v, s)
		}
	}
	j.leave()
}

func (j *jsonReader) pairs(name pairName, v *map[string]string) {
	if !j.at(name.json) || !j.enter('{') {
		return
	}
	*v = map[string]string{}
	for j.more('}') {
		if !j.member() {
			return
		}
		if j.decoder.PeekKind() == 'n' {
			j.skip()
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
	if !j.at(name.json) || !j.enter('{') {
		return
	}
	for j.more('}') {
		if !j.member() {
			return
		}
		one := value{name: string(j.key)}
		j.object(&one)
		*v = append(*v, one)
	}
	j.taken = true
	j.leave()
}

func (j *jsonReader) list(name listName, item func() input) {
	if !j.at(name.json) || !j.enter('[') {
		return
	}
	for j.more(']') {
		j.object(item())
	}
	j.taken = true
	j.leave()
}
