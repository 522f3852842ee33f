package smq

import (
	"bytes"
	"encoding/xml"
	"io"
)

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

// parseXML reads a document; nil if there is nothing but space. It refuses
// what could cost more than its length: document types, with the entities that
// they define, and depth, and parts beyond what a request can need.
func parseXML(text []byte) (*element, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	decoder := xml.NewDecoder(bytes.NewReader(text))
	var root *element
	var open []*element
	for parts := 0; ; {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, faultMalformed.with()
		}
		switch t := token.(type) {
		case xml.Directive:
			return nil, faultMalformed.with()
		case xml.StartElement:
			e := &element{name: t.Name.Local}
			switch parts++; {
			case parts > maxElements, len(open) == maxDepth, len(open) == 0 && root != nil:
				return nil, faultMalformed.with()
			case len(open) == 0:
				root = e
			default:
				parent := open[len(open)-1]
				parent.children = append(parent.children, e)
			}
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				e := open[len(open)-1]
				e.text = append(e.text, t...)
			} else if len(bytes.TrimSpace(t)) > 0 {
				return nil, faultMalformed.with()
			}
		}
	}
	if root == nil {
		return nil, faultMalformed.with()
	}
	return root, nil
}
