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

// NewCredentials checks that keys and secrets are there, keys not repeated, and
// actions known to SQS or SMQ.
func NewCredentials(list []Credential) (*Credentials, error) {
	c := &Credentials{byKey: map[string]Credential{}}
	for _, one := range list {
		switch _, twice := c.byKey[one.AccessKey]; {
		case one.AccessKey == "" || one.SecretKey == "":
			return nil, errors.New("a credential lacks its access key or secret key")
		case strings.ContainsAny(one.AccessKey, "/, "):
			return nil, fmt.Errorf("access key %q must not contain slash, comma or space", one.AccessKey)
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

// ReadCredentials is LoadCredentials from what is open already.
func ReadCredentials(r io.Reader) (*Credentials, error) {
	text, err := io.ReadAll(io.LimitReader(r, 1<<20))
	if err != nil {
		return nil, err
	}
	var list []Credential
	if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 && trimmed[0] == '[' {
		decoder := json.NewDecoder(bytes.NewReader(trimmed))
		decoder.DisallowUnknownFields()
		err = decoder.Decode(&list)
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
