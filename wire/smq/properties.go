package smq

import (
	"encoding/base64"
	"regexp"
	"strings"
	"unicode/utf8"

	"inflight/engine"
)

// kinds are the types of properties, and what message attributes of SQS have
// for them.
var kinds = map[string]string{"": "String", "STRING": "String", "NUMBER": "Number", "BOOLEAN": "String.BOOLEAN", "BINARY": "Binary"}

// decimal is what a NUMBER may look like: other programs read it too, some of
// which know nothing of NaN, 0x1p-2 or 1_000.
var decimal = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?$`)

// attributesOf turns properties into message attributes, which SQS shows.
func attributesOf(list string, properties []property) ([]engine.Attribute, error) {
	if len(properties) == 0 {
		return nil, nil
	}
	count := number{true, int64(len(properties))}
	if err := count.within(list, 0, maxProperties, ""); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var all []engine.Attribute
	for _, p := range properties {
		kind, known := kinds[p.kind]
		value := []byte(p.value)
		n := utf8.RuneCountInString(p.name)
		fits := true
		switch p.kind {
		case "NUMBER":
			fits = decimal.MatchString(p.value)
		case "BINARY":
			var err error
			value, err = base64.StdEncoding.DecodeString(p.value)
			fits = err == nil
		}
		switch {
		case p.nested:
			return nil, faultSchema.with("Value")
		case n < 1 || n > maxProperty || seen[p.name]:
			return nil, faultInvalid.with(list, "each needs a name of 1 to 256 characters of its own")
		case !known:
			return nil, faultInvalid.with(list, "the types are STRING, NUMBER, BOOLEAN and BINARY")
		case !fits:
			return nil, faultInvalid.with(list, "the value of "+p.name+" is no "+p.kind)
		}
		seen[p.name] = true
		all = append(all, engine.Attribute{Name: p.name, Type: kind, Value: value})
	}
	return all, nil
}

// sizeOf is what attributes count toward the size of their message.
func sizeOf(attributes []engine.Attribute) (n int) {
	for _, a := range attributes {
		n += len(a.Name) + len(a.Type) + len(a.Value)
	}
	return n
}

// writeProperties writes message attributes, whichever protocol they came by.
func writeProperties(x *xmlWriter, list, item string, attributes []engine.Attribute) {
	if len(attributes) == 0 {
		return
	}
	x.nest(list, func() {
		for _, a := range attributes {
			kind, value := "STRING", a.Value
			base, _, _ := strings.Cut(a.Type, ".")
			switch {
			case a.Type == kinds["BOOLEAN"]:
				kind = "BOOLEAN"
			case base == "Number":
				kind = "NUMBER"
			case base == "Binary":
				kind, value = "BINARY", base64.StdEncoding.AppendEncode(nil, a.Value)
			}
			x.nest(item, func() {
				x.text("Name", a.Name)
				x.bytes("Value", value)
				x.text("Type", kind)
			})
		}
	})
}
