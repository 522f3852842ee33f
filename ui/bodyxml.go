package ui

import "strings"

// xmlKind is what a piece of XML is, as far as its layout cares.
type xmlKind uint8

const (
	xmlOpen xmlKind = iota
	xmlClose
	xmlEmpty // <a/>
	xmlText
	xmlOther // comment, CDATA, instruction, doctype
)

type xmlPart struct {
	kind xmlKind
	text string
}

// scanXML cuts text into tags and what is between them. It is false unless
// every element is closed in its turn and all is within one. It reads no
// entities and resolves nothing: it is only for showing.
func scanXML(text string) ([]xmlPart, bool) {
	var (
		parts    []xmlPart
		open     []string
		elements int
	)
	for text != "" {
		part, ok := nextXMLPart(text)
		if !ok {
			return nil, false
		}
		text = text[len(part.text):]
		parts = append(parts, part)
		if len(open) == 0 && part.kind == xmlText && strings.TrimSpace(part.text) != "" {
			return nil, false
		}
		switch part.kind {
		case xmlOpen, xmlEmpty:
			if len(open) == 0 {
				elements++
			}
			if part.kind == xmlOpen {
				open = append(open, xmlName(part.text[1:]))
			}
		case xmlClose:
			if len(open) == 0 || open[len(open)-1] != xmlName(part.text[2:]) {
				return nil, false
			}
			open = open[:len(open)-1]
		}
	}
	return parts, elements == 1 && len(open) == 0
}

func nextXMLPart(text string) (xmlPart, bool) {
	if text[0] != '<' {
		end := strings.IndexByte(text, '<')
		if end < 0 {
			end = len(text)
		}
		return xmlPart{xmlText, text[:end]}, true
	}
	for _, special := range [...]struct{ start, end string }{
		{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"},
	} {
		if strings.HasPrefix(text, special.start) {
			end := strings.Index(text, special.end)
			return xmlPart{xmlOther, text[:max(end, 0)+len(special.end)]}, end >= 0
		}
	}
	end := xmlTagEnd(text)
	if end < 0 {
		return xmlPart{}, false
	}
	tag := text[:end]
	switch {
	case tag[1] == '/':
		return xmlPart{xmlClose, tag}, xmlName(tag[2:]) != ""
	case strings.HasSuffix(tag, "/>"):
		return xmlPart{xmlEmpty, tag}, xmlName(tag[1:]) != ""
	default:
		return xmlPart{xmlOpen, tag}, xmlName(tag[1:]) != ""
	}
}

// xmlTagEnd returns where the tag at the start of text ends, or -1. An angle
// bracket in a quoted value does not end it.
func xmlTagEnd(text string) int {
	quote := byte(0)
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '<':
			return -1
		case c == '>':
			return i + 1
		}
	}
	return -1
}

func xmlName(s string) string {
	end := strings.IndexAny(s, " \t\r\n/>")
	if end < 0 {
		return s
	}
	return s[:end]
}

// indentXML puts each element on a line of its own. An element that holds text
// alone stays on one line; blanks around other text go.
func indentXML(parts []xmlPart) bodyText {
	w := xmlWriter{}
	for i := 0; i < len(parts); i++ {
		part := parts[i]
		switch part.kind {
		case xmlOpen:
			w.line()
			w.tag(part.text)
			if i+2 < len(parts) && parts[i+1].kind == xmlText && parts[i+2].kind == xmlClose {
				w.plain(parts[i+1].text)
				w.tag(parts[i+2].text)
				i += 2
			} else if i+1 < len(parts) && parts[i+1].kind == xmlClose {
				w.tag(parts[i+1].text)
				i++
			} else {
				w.depth++
			}
		case xmlClose:
			w.depth--
			w.line()
			w.tag(part.text)
		case xmlText:
			if s := strings.TrimSpace(part.text); s != "" {
				w.line()
				w.plain(s)
			}
		case xmlEmpty:
			w.line()
			w.tag(part.text)
		case xmlOther:
			w.line()
			w.add(part.text, toneMuted)
		}
	}
	return bodyText{w.b.String(), w.tones}
}

type xmlWriter struct {
	b     strings.Builder
	tones []stretch
	depth int
}

func (w *xmlWriter) line() {
	if w.b.Len() > 0 {
		breakLine(&w.b, w.depth)
		w.tones = toneRun(w.tones, w.b.Len(), toneMuted)
	}
}

func (w *xmlWriter) add(s string, t tone) {
	if s == "" {
		return
	}
	w.b.WriteString(s)
	w.tones = toneRun(w.tones, w.b.Len(), t)
}

func (w *xmlWriter) plain(s string) {
	t := toneText
	if isNumber(strings.TrimSpace(s)) {
		t = toneLiteral
	}
	w.add(s, t)
}

// tag writes a tag: names and punctuation muted, the values in quotes not.
func (w *xmlWriter) tag(s string) {
	for s != "" {
		start := strings.IndexAny(s, `"'`)
		if start < 0 {
			break
		}
		end := strings.IndexByte(s[start+1:], s[start])
		if end < 0 {
			break
		}
		w.add(s[:start], toneMuted)
		w.add(s[start:start+end+2], toneText)
		s = s[start+end+2:]
	}
	w.add(s, toneMuted)
}

// isNumber says whether s reads as a number; it need not be exact, it chooses
// a colour.
func isNumber(s string) bool {
	digits := false
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits = true
		case strings.IndexByte("+-.eE", c) < 0:
			return false
		}
	}
	return digits
}
