package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"inflight/wire/smq"
	"inflight/wire/sqs"
)

// Credential is one access key: its secret, and what it may do.
type Credential struct {
	AccessKey string   `json:"accessKey"`
	SecretKey string   `json:"secretKey"`
	Actions   []string `json:"actions"` // names of SQS and SMQ, or "*"; nil: everything
}

// Credentials are who may ask.
type Credentials struct {
	byKey map[string]Credential
}

// NewCredentials checks that there are any, keys and secrets in each, keys
// printable ASCII without "/", ",", ":" and space and not repeated, and actions
// known to SQS or SMQ. For all else it returns an error.
func NewCredentials(list []Credential) (*Credentials, error) {
	c := &Credentials{byKey: map[string]Credential{}}
	for _, one := range list {
		switch _, twice := c.byKey[one.AccessKey]; {
		case one.AccessKey == "" || one.SecretKey == "":
			return nil, errors.New("a credential lacks its access key or secret key")
		case strings.ContainsFunc(one.AccessKey, notInKey):
			return nil, fmt.Errorf("access key %q must be printable ASCII without slash, comma, colon and space", one.AccessKey)
		case twice:
			return nil, fmt.Errorf("access key %q stands there twice", one.AccessKey)
		}
		for _, action := range one.Actions {
			if !sqs.KnowsAction(action) && !smq.KnowsAction(action) {
				return nil, fmt.Errorf("access key %q: %q is no action of SQS or SMQ", one.AccessKey, action)
			}
		}
		c.byKey[one.AccessKey] = one
	}
	if len(c.byKey) == 0 {
		return nil, errors.New("no credentials")
	}
	return c, nil
}

// notInKey says whether a signature's scope, the header around it or a password
// could not hold a character of a key.
func notInKey(c rune) bool { return c <= ' ' || c > '~' || strings.ContainsRune("/,:", c) }

// Find returns the credential of an access key.
func (c *Credentials) Find(key string) (Credential, bool) {
	one, ok := c.byKey[key]
	return one, ok
}

// LoadCredentials reads a file: a JSON list of {"accessKey", "secretKey",
// "actions"}, or a line each of key, secret and, if not everything is allowed,
// actions with commas between them. Lines may be empty or begin with "#".
func LoadCredentials(name string) (*Credentials, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("credentials: %w", err)
	}
	defer f.Close()
	c, err := ReadCredentials(f)
	if err != nil {
		return nil, fmt.Errorf("credentials in %s: %w", name, err)
	}
	return c, nil
}

// maxCredentials is how many bytes a file of credentials may have.
const maxCredentials = 1 << 20

// ReadCredentials is LoadCredentials from what is open already.
func ReadCredentials(r io.Reader) (*Credentials, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxCredentials+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxCredentials { // a line without its end could allow everything
		return nil, fmt.Errorf("longer than %d bytes", maxCredentials)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // some editors put a byte order mark there
	var list []Credential
	if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 && trimmed[0] == '[' {
		decoder := json.NewDecoder(bytes.NewReader(trimmed))
		decoder.DisallowUnknownFields()
		if err = decoder.Decode(&list); err == nil {
			if _, more := decoder.Token(); more != io.EOF {
				err = errors.New("text after the list")
			}
		}
	} else {
		list, err = credentialLines(text)
	}
	if err != nil {
		return nil, err
	}
	return NewCredentials(list)
}

func credentialLines(text []byte) (list []Credential, err error) {
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if len(words) < 2 || len(words) > 3 {
			return nil, fmt.Errorf("line %d: want access key, secret key and perhaps actions", n)
		}
		one := Credential{AccessKey: words[0], SecretKey: words[1]}
		if len(words) == 3 {
			one.Actions = strings.Split(words[2], ",")
		}
		list = append(list, one)
	}
	return list, lines.Err()
}
