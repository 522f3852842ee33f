package sqs

import (
	"slices"
	"strings"
	"unicode/utf8"

	"inflight/engine"
)

// allowedRune says whether a character may be in a body or a text value (S3):
// those that XML 1.0 can carry.
func allowedRune(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' ||
		r >= 0x20 && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 && r <= 0x10FFFF
}

// allowedText says whether every character of a text may be there.
func allowedText(s []byte) bool {
	_, bad := badRune(s)
	return !bad
}

// badRune finds the first character of a text that may not be there. Of what
// is no UTF-8 that is the first byte, or the surrogate (see unquote).
func badRune(s []byte) (r rune, bad bool) {
	for len(s) > 0 {
		if s = s[plain(s):]; len(s) == 0 {
			break
		}
		r, size := rune(s[0]), 1
		if r >= utf8.RuneSelf {
			if r, size = utf8.DecodeRune(s); r == utf8.RuneError && size == 1 {
				if s[0] == 0xED && len(s) >= 3 && s[1] >= 0xA0 {
					r = 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F)
				} else {
					r = rune(s[0])
				}
				return r, true
			}
		}
		if !allowedRune(r) {
			return r, true
		}
		s = s[size:]
	}
	return 0, false
}

// identifier says whether s is 1 to 128 letters, digits and punctuation, as a
// message group, deduplication or attempt id must be.
func identifier(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return len(s) >= 1 && len(s) <= maxGroup
}

// userAttributes checks the attributes that a client gives a message, and
// turns them into the engine's.
func userAttributes(values []value) ([]engine.Attribute, error) {
	if len(values) > maxMessageAttributes {
		return nil, faultAttributes.with(len(values))
	}
	if len(values) == 0 {
		return nil, nil
	}
	attributes := make([]engine.Attribute, 0, len(values))
	for i := range values {
		v := &values[i]
		if err := checkAttributeName(v.name); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(attributes, func(a engine.Attribute) bool { return a.Name == v.name }) {
			return nil, faultAttributeTwice.with("user", v.name)
		}
		a, err := v.attribute("user")
		if err != nil {
			return nil, err
		}
		attributes = append(attributes, a)
	}
	return attributes, nil
}

// checkAttributeName checks the name of a message attribute (S10). Letters
// that are not ASCII pass, as they do on SQS.
func checkAttributeName(name string) error {
	lower := strings.ToLower(name)
	switch {
	case name == "":
		return faultNoName.with()
	case utf8.RuneCountInString(name) > maxAttributeName:
		return faultNameLength.with("user")
	case strings.HasPrefix(name, "."):
		return faultFirstDot.with("user")
	case strings.HasSuffix(name, "."):
		return faultLastDot.with("user")
	case strings.Contains(name, ".."):
		return faultDots.with("user")
	case strings.HasPrefix(lower, "aws.") || strings.HasPrefix(lower, "amazon."):
		return faultReserved.with()
	}
	for i := range len(name) {
		if c := name[i]; c < utf8.RuneSelf && !alphanumeric(c) && c != '-' && c != '_' && c != '.' {
			return faultNameCharacters.with()
		}
	}
	return nil
}

// attribute checks type and value. whose is "user" or "system".
func (v *value) attribute(whose string) (engine.Attribute, error) {
	prefix, _, _ := strings.Cut(v.kind, ".")
	a := engine.Attribute{Name: v.name, Type: v.kind}
	switch {
	case v.hasList:
		return a, faultListValues.with()
	case v.kind == "":
		return a, faultNoType.with(whose, v.name)
	case prefix != "String" && prefix != "Number" && prefix != "Binary":
		return a, faultTypePrefix.with(whose, v.name)
	case utf8.RuneCountInString(v.kind) > maxAttributeType:
		return a, faultTypeLength.with(whose, v.name)
	case len(v.text) > 0 && len(v.binary) > 0:
		return a, faultTwoValues.with(whose, v.name)
	case prefix == "Binary":
		if v.hasText && !v.hasBinary {
			return a, faultField.with(whose, v.name, v.kind, "Binary")
		}
		if a.Value = v.binary; len(a.Value) == 0 {
			return a, faultEmptyValue.with(whose, v.name, "Binary")
		}
		return a, nil
	case v.hasBinary && !v.hasText:
		return a, faultField.with(whose, v.name, v.kind, "String")
	case len(v.text) == 0:
		return a, faultEmptyValue.with(whose, v.name, prefix)
	case !allowedText(v.text):
		return a, faultValueText.with(whose, v.name)
	case prefix == "Number" && !number(string(v.text)):
		return a, faultNotNumber.with(whose, v.name)
	}
	a.Value = v.text
	return a, nil
}

// number says whether s is a decimal number that SQS takes: at most 38 digits
// that count, and a magnitude from 1e-128 to 1e126 (S12).
func number(s string) bool {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	mantissa, exponent, scaled := strings.Cut(strings.ToLower(s), "e")
	power := 0
	if scaled {
		sign := 1
		if rest, ok := strings.CutPrefix(exponent, "-"); ok {
			exponent, sign = rest, -1
		} else {
			exponent = strings.TrimPrefix(exponent, "+")
		}
		if exponent == "" || len(exponent) > 4 || !digits(exponent) {
			return false
		}
		for _, c := range []byte(exponent) {
			power = power*10 + int(c-'0')
		}
		power *= sign
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if whole+fraction == "" || !digits(whole) || !digits(fraction) {
		return false
	}
	all := whole + fraction
	leading := len(all) - len(strings.TrimLeft(all, "0"))
	significant := len(strings.Trim(all, "0"))
	if significant == 0 {
		return true
	}
	magnitude := power + len(whole) - leading - 1 // exponent of the first digit that counts
	return significant <= maxDigits && magnitude >= minExponent && magnitude <= maxExponent
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// traceHeader is the only system attribute that a client can send (S13).
const traceHeader = "AWSTraceHeader"

func systemAttributes(values []value) ([]engine.Attribute, error) {
	var attributes []engine.Attribute
	for i := range values {
		v := &values[i]
		if v.name != traceHeader {
			return nil, faultSystemName.with(v.name)
		}
		if len(attributes) > 0 {
			return nil, faultAttributeTwice.with("system", v.name)
		}
		a, err := v.attribute("system")
		if err != nil {
			return nil, err
		}
		if a.Type != "String" {
			return nil, faultTraceType.with()
		}
		attributes = append(attributes, a)
	}
	return attributes, nil
}
