package smq

import "bytes"

// element is a part of an XML request. Its name has no name space: clients
// send one, another or none.
type element struct {
	name     string
	text     []byte // directly in it
	children []*element
}

// child returns the first child of a name, nil if there is none.
func (e *element) child(name string) *element {
	if e == nil {
		return nil
	}
	for _, c := range e.children {
		if c.name == name {
			return c
		}
	}
	return nil
}

// all returns the children of a name.
func (e *element) all(name string) (list []*element) {
	if e == nil {
		return nil
	}
	for _, c := range e.children {
		if c.name == name {
			list = append(list, c)
		}
	}
	return list
}

// plain says whether there is nothing in it but text: text taken from between
// other elements would lose what is in them.
func (e *element) plain() bool { return len(e.children) == 0 }

// words is the text of a child without the space around it; empty if there is
// no such child.
func (e *element) words(name string) string {
	if c := e.child(name); c != nil {
		return string(bytes.TrimSpace(c.text))
	}
	return ""
}

// number is the number in a child. An empty element counts as absent.
func (e *element) number(name string) number {
	if text := e.words(name); text != "" {
		return parseNumber(text)
	}
	return number{}
}
