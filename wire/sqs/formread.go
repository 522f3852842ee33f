package sqs

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// form is the parameters of a Query request, with an index of its lists.
type form struct {
	values map[string]string
	lists  map[string][]int // by path: the numbers that occur, as sent
}

// parseForm reads parameters from URL-encoded texts; of a repeated one the
// first counts.
func parseForm(encoded ...string) (*form, error) {
	f := &form{values: map[string]string{}, lists: map[string][]int{}}
	for _, text := range encoded {
		for text != "" {
			var part string
			part, text, _ = strings.Cut(text, "&")
			if part == "" {
				continue
			}
			name, value, _ := strings.Cut(part, "=")
			name, err := url.QueryUnescape(name)
			if err == nil {
				value, err = url.QueryUnescape(value)
			}
			if err != nil {
				return nil, faultMalformed.with(err)
			}
			if len(f.values) == maxParameters {
				return nil, faultMalformed.with("it has too many parameters")
			}
			f.add(name, value)
		}
	}
	return f, nil
}

func (f *form) add(name, value string) {
	if _, ok := f.values[name]; ok {
		return
	}
	f.values[name] = value
	at := 0
	for range maxDepth { // a name of dots alone must not cost its square
		dot := strings.IndexByte(name[at:], '.')
		if dot < 0 {
			return
		}
		list := name[:at+dot]
		at += dot + 1
		number, _, _ := strings.Cut(name[at:], ".")
		n, err := strconv.Atoi(number)
		if err == nil && n >= 0 && !slices.Contains(f.lists[list], n) {
			f.lists[list] = append(f.lists[list], n)
		}
	}
}

// numbers are those of a list's elements, in order.
func (f *form) numbers(list string) []int {
	slices.Sort(f.lists[list])
	return f.lists[list]
}

// formReader reads a struct from a form.
type formReader struct {
	form   *form
	prefix string
	err    error // the first
}

// readForm reads in from a form.
func readForm(f *form, in input) error {
	r := &formReader{form: f}
	in.read(r)
	return r.err
}

func (r *formReader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *formReader) value(name string) (string, bool) {
	v, ok := r.form.values[r.prefix+name]
	return v, ok
}

// elements calls do for each element of a list, with the path to it. Old SDKs
// send a list by the name of its member, "Tags" for "Tag" (W11); and a list of
// one may lack the number, which shows if there is something at key in it.
func (r *formReader) elements(element, member, key string, do func(path string)) {
	for _, name := range []string{element, member, element + "s"} { // the last for CreateQueue's tags
		list := r.prefix + name
		numbers := r.form.numbers(list)
		for _, n := range numbers {
			do(list + "." + strconv.Itoa(n))
		}
		if len(numbers) > 0 {
			return
		}
		if _, ok := r.form.values[list+key]; ok {
			do(list)
			return
		}
	}
}

// within reads in from below a path.
func (r *formReader) within(path string, in input) {
	outer := r.prefix
	r.prefix = path + "."
	in.read(r)
	r.prefix = outer
}

func (r *formReader) text(name string, v *string) {
	if s, ok := r.value(name); ok {
		*v = s
	}
}

func (r *formReader) optional(name string, v **string) {
	if s, ok := r.value(name); ok {
		*v = &s
	}
}

func (r *formReader) bytes(name string, v *[]byte) {
	if s, ok := r.value(name); ok {
		*v = []byte(s)
	}
}

func (r *formReader) binary(name string, v *[]byte, present *bool) {
	s, ok := r.value(name)
	if !ok {
		return
	}
	decoded, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		r.fail(faultBase64.with(name))
	}
	*v, *present = decoded, true
}

func (r *formReader) number(name string, v **int) {
	s, ok := r.value(name)
	if !ok {
		return
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		r.fail(faultKind.with("STRING_VALUE", "an Integer"))
		return
	}
	*v = &n
}

func (r *formReader) texts(name listName, v *[]string) {
	r.elements(name.element, name.json, "", func(path string) {
		if s, ok := r.form.values[path]; ok {
			*v = append(*v, s)
		}
	})
}

func (r *formReader) pairs(name pairName, v *map[string]string) {
	r.elements(name.element, name.json, "."+name.key, func(path string) {
		key, ok := r.form.values[path+"."+name.key]
		if !ok {
			r.fail(faultMissing.with(path[len(r.prefix):] + "." + name.key))
			return
		}
		if *v == nil {
			*v = map[string]string{}
		}
		(*v)[key] = r.form.values[path+"."+name.value]
	})
}

func (r *formReader) values(name listName, v *[]value) {
	r.elements(name.element, name.json, ".Name", func(path string) {
		one := value{name: r.form.values[path+".Name"]}
		r.within(path+".Value", &one)
		*v = append(*v, one)
	})
}

func (r *formReader) list(name listName, item func() input) {
	r.elements(name.element, name.json, ".Id", func(path string) { r.within(path, item()) })
}
