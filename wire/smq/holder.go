package smq

import "strings"

// agents are user agents by what they contain, and what people call them.
var agents = []struct{ contains, name string }{
	{"aliyun-sdk-java", "mns-java"}, {"aliyun-sdk-python", "mns-python"}, {"aliyun-sdk-php", "mns-php"},
	{"aliyun-mns-go-sdk", "mns-go"}, {"aliyun-sdk-go", "mns-go"}, {"aliyun-sdk-dotnet", "mns-net"}, {"httpx/", "mns-js"},
}

// agentName is what people call a client of SMQ, or its user agent.
func agentName(agent string) string {
	lower := strings.ToLower(agent)
	for _, a := range agents {
		if strings.Contains(lower, a.contains) {
			return a.name
		}
	}
	return agent
}
