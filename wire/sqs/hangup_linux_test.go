package sqs

import "testing"

// A client may have sent its next requests before it hung up.
func TestHungUpBehindUnreadBytes(t *testing.T) {
	client, server := twoEnds(t)
	ctx := attentive(ConnContext(t.Context(), server))
	if _, err := client.Write([]byte("POST / HTTP/1.1\r\n")); err != nil {
		t.Fatal(err)
	}
	if err := ctx.Err(); err != nil {
		t.Fatalf("the context of a client that sends more ended: %v", err)
	}
	client.Close()
	if ctx.Err() == nil {
		t.Error("the context of a client that sent more and hung up has not ended")
	}
}
