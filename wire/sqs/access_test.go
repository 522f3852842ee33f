package sqs

import "testing"

func TestWhatAClientMayDo(t *testing.T) {
	tests := []struct {
		name    string
		allowed []string
		want    bool
	}{
		{"no list allows everything", nil, true},
		{"an empty list allows nothing", []string{}, false},
		{"the action's name", []string{"ReceiveMessage", "SendMessage"}, true},
		{"the name as IAM writes it", []string{"sqs:SendMessage"}, true},
		{"in any case", []string{"SQS:sendmessage"}, true},
		{"everything of SQS", []string{"sqs:*"}, true},
		{"everything", []string{"*"}, true},
		{"the same action of another service", []string{"mns:SendMessage", "mns:*"}, false},
		{"another action", []string{"sqs:SendMessageBatch"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := Client{Actions: tt.allowed}
			if got := c.May("SendMessage"); got != tt.want {
				t.Errorf("May with %q = %v, want %v", tt.allowed, got, tt.want)
			}
		})
	}
}
