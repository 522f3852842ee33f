package sqs

import (
	"encoding/base64"
	"slices"
	"strings"
)

// pageInput is the paging of a list.
type pageInput struct {
	max   *int
	token string
}

func (in *pageInput) read(s source) {
	s.number("MaxResults", &in.max)
	s.text("NextToken", &in.token)
}

// cut takes the page that is asked for out of sorted names, and makes the
// token of the next one if there is more (Q28, Q29). A token says after which
// name to go on and which request it belongs to, so that it stays good while
// queues come and go.
func (in *pageInput) cut(names []string, request string) (part []string, next string, err error) {
	size := maxPage
	if in.max != nil {
		if size = *in.max; size < 1 || size > maxPage {
			return nil, "", faultPageSize.with()
		}
	}
	if in.token != "" {
		if in.max == nil {
			return nil, "", faultNoPageSize.with()
		}
		text, err := base64.RawURLEncoding.DecodeString(in.token)
		of, last, ok := strings.Cut(string(text), "\n")
		if err != nil || !ok {
			return nil, "", faultToken.with()
		}
		if of != request {
			return nil, "", faultOtherToken.with()
		}
		at, found := slices.BinarySearch(names, last)
		if found {
			at++
		}
		names = names[at:]
	}
	if len(names) <= size {
		return names, "", nil
	}
	part = names[:size]
	if in.max != nil {
		next = base64.RawURLEncoding.EncodeToString([]byte(request + "\n" + part[size-1]))
	}
	return part, next, nil
}
