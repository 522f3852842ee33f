package sqs

import "inflight/engine"

// input is what an action takes. Its read names each member to a source, once
// for both protocols: the JSON name, and where it differs the Query name.
type input interface{ read(source) }

// output is what an action answers; nil stands for an answer without members.
type output interface{ write(sink) }

// source reads members of a request, from JSON or from a form. A member that
// the request lacks leaves its variable as it is. What does not fit is noted,
// and reported when all is read.
type source interface {
	text(name string, v *string)
	optional(name string, v **string) // nil if absent
	bytes(name string, v *[]byte)     // of a text, which need not be valid UTF-8
	binary(name string, v *[]byte, present *bool)
	number(name string, v **int) // nil if absent
	texts(name listName, v *[]string)
	pairs(name pairName, v *map[string]string)
	values(name listName, v *[]value) // message attributes
	// list calls item for each element, which reads what it returns.
	list(name listName, item func() input)
}

// sink writes members of an answer, as JSON or as XML.
type sink interface {
	text(name, v string)
	bytes(name string, v []byte) // a text
	number(name string, v int64)
	boolean(name string, v bool)
	texts(name listName, v []string)
	pairs(name pairName, v []pair)
	values(name listName, v []engine.Attribute)
	// list calls item to write each of n elements.
	list(name listName, n int, item func(i int))
}

// listName is what a list is called: in JSON, as a repeated element of Query
// and XML, and in the JSON rendering of an XML answer (W17).
type listName struct {
	json, element, tree string
	keep                bool // in JSON an empty list is written too
}

// pairName is what a map is called; in Query it is a list of key and value.
type pairName struct {
	json, element, key, value string
}

type pair struct{ name, value string }

// value is a message attribute as a client sent it.
type value struct {
	name   string
	kind   string // DataType
	text   []byte // StringValue, not checked
	binary []byte

	hasText, hasBinary, hasList bool
}

// read reads all but the name, which stands elsewhere in each protocol.
func (v *value) read(s source) {
	s.text("DataType", &v.kind)
	s.bytes("StringValue", &v.text)
	v.hasText = v.text != nil
	s.binary("BinaryValue", &v.binary, &v.hasBinary)
	var lists []string
	s.texts(listName{json: "StringListValues", element: "StringListValue"}, &lists)
	s.texts(listName{json: "BinaryListValues", element: "BinaryListValue"}, &lists)
	v.hasList = v.hasList || len(lists) > 0
}
