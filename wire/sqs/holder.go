package sqs

import (
	"net"
	"strings"
	"unicode"
)

// maxHolder is the longest holder name that fits the console's pane.
const maxHolder = 32

// agents are user agents by what they contain, the telling one first, and what
// people call them.
var agents = []struct{ contains, name string }{
	{"celery", "celery"}, {"kombu", "kombu"}, {"aws-cli/", "aws-cli"}, {"boto3/", "boto3"}, {"aiobotocore/", "aiobotocore"},
	{"botocore/", "botocore"}, {"aws-sdk-go-v2/", "aws-go"}, {"aws-sdk-go/", "aws-go1"}, {"aws-sdk-js/", "aws-js"},
	{"aws-sdk-nodejs/", "aws-js2"}, {"aws-sdk-java/", "aws-java"}, {"aws-sdk-kotlin/", "aws-kotlin"},
	{"aws-sdk-rust/", "aws-rust"}, {"aws-sdk-php/", "aws-php"}, {"aws-sdk-ruby", "aws-ruby"}, {"aws-sdk-dotnet", "aws-net"},
	{"aws-sdk-cpp", "aws-cpp"}, {"aws-sdk-swift/", "aws-swift"},
}

// anyKey is the access key that the console gives to applications when none is
// checked. All have it, so it tells nobody apart.
const anyKey = "x"

// holderName makes a short name out of what is known of a client: what it calls
// itself or else which library, with which key, from which address unless that
// is this machine. For instance "billing", "boto3 AKIA…MPLE" or "curl 192.0.2.7".
func holderName(agent, key, address string) string {
	name, own := applicationName(agent)
	if !own {
		name = agentName(agent)
	}
	parts := []string{name}
	if key == anyKey {
		key = ""
	}
	if key != "" {
		parts = append(parts, shortKey(key))
	}
	host, port, err := net.SplitHostPort(address)
	switch ip := net.ParseIP(host); {
	case err != nil:
	case key == "" && !own && ip.IsLoopback():
		parts = append(parts, ":"+port) // tells two processes apart
	case !ip.IsLoopback():
		parts = append(parts, host)
	}
	return clip(strings.Join(parts, " "), maxHolder)
}

// HolderName is holderName for another protocol, so that names look alike.
func HolderName(agent, key, address string) string { return holderName(agent, key, address) }

// applicationName is what an application calls itself in its user agent: AWS
// SDKs put AWS_SDK_UA_APP_ID there, as "app/NAME".
func applicationName(agent string) (name string, own bool) {
	for _, word := range strings.Fields(agent) {
		if name, ok := strings.CutPrefix(word, "app/"); ok && printable(name) != "" {
			return clip(printable(name), 20), true
		}
	}
	return "", false
}

func agentName(agent string) string {
	lower := strings.ToLower(agent)
	for _, a := range agents {
		if strings.Contains(lower, a.contains) {
			return a.name
		}
	}
	name, _, _ := strings.Cut(agent, "/")
	name, _, _ = strings.Cut(name, " ")
	if name = printable(name); name == "" {
		return "unknown"
	}
	return clip(name, 12)
}

// printable keeps the printable ASCII characters.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r > unicode.MaxASCII {
			return -1
		}
		return r
	}, s)
}

// shortKey keeps both ends of a long access key.
func shortKey(key string) string {
	key = strings.ToValidUTF8(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, key), "")
	if runes := []rune(key); len(runes) > 10 {
		return string(runes[:4]) + "…" + string(runes[len(runes)-4:])
	}
	return key
}

// clip cuts s to n characters.
func clip(s string, n int) string {
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return s
}
