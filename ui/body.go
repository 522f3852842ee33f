package ui

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// bodyFormat is what a body looks like. Nobody declares it, so it is guessed
// from the bytes, and only what parses whole counts.
type bodyFormat int

const (
	formatEmpty bodyFormat = iota
	formatText
	formatJSON
	formatXML
	formatBinary
)

func (f bodyFormat) String() string {
	return [...]string{"empty", "text", "json", "xml", "binary"}[f]
}

// prettyLimit is the size up to which a body is indented and coloured: beyond
// it that costs more than a key press may.
const prettyLimit = 256 << 10

// tone is what a stretch of a body is, and so how it is coloured.
type tone uint8

const (
	toneText    tone = iota // string values and plain text
	toneMuted               // keys, tags, punctuation
	toneLiteral             // numbers, true, false, null
	toneMark                // escaped or replaced characters
)

// stretch is a run of one tone that ends before byte end, where the next starts.
type stretch struct {
	end  int
	tone tone
}

// bodyText is a body as text with its tones; without stretches all is plain.
type bodyText struct {
	text  string
	tones []stretch
}

// detectBody guesses the format.
func detectBody(body []byte) bodyFormat {
	trimmed := bytes.TrimSpace(body)
	switch {
	case len(trimmed) == 0 && len(body) == 0:
		return formatEmpty
	case len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[') && json.Valid(body):
		return formatJSON
	case looksBinary(body):
		return formatBinary
	case len(trimmed) > 0 && trimmed[0] == '<':
		if _, ok := scanXML(string(trimmed)); ok {
			return formatXML
		}
	}
	return formatText
}

// looksBinary says whether the beginning of a body is no text in UTF-8: it
// holds a NUL, or too much that is not printed.
func looksBinary(body []byte) bool {
	sample := body[:min(len(body), 8<<10)]
	if bytes.IndexByte(sample, 0) >= 0 {
		return true
	}
	odd, all := 0, 0
	for len(sample) > 0 {
		r, size := utf8.DecodeRune(sample)
		if r == utf8.RuneError && size == 1 && (len(sample) >= utf8.UTFMax || len(body) <= 8<<10) ||
			r < 0x20 && r != '\n' && r != '\r' && r != '\t' {
			odd++
		}
		all++
		sample = sample[size:]
	}
	return odd*10 > all
}

// prettyBody indents a body of a format that can be, and colours it.
func prettyBody(body []byte, format bodyFormat) bodyText {
	if len(body) > prettyLimit {
		return bodyText{text: string(body)}
	}
	switch format {
	case formatJSON:
		return colourJSON(indentJSON(string(bytes.TrimSpace(body))))
	case formatXML:
		if parts, ok := scanXML(string(bytes.TrimSpace(body))); ok {
			return indentXML(parts)
		}
	}
	return bodyText{text: string(body)}
}

// rawBody is a body as it was sent, coloured where that costs little.
func rawBody(body []byte, format bodyFormat) bodyText {
	if format == formatJSON && len(body) <= prettyLimit {
		return colourJSON(string(body))
	}
	return bodyText{text: string(body)}
}

// toneRun appends a stretch, or lengthens the last one of the same tone.
func toneRun(tones []stretch, end int, t tone) []stretch {
	if n := len(tones); n > 0 && tones[n-1].tone == t {
		tones[n-1].end = end
		return tones
	}
	return append(tones, stretch{end, t})
}
