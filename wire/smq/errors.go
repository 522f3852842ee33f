package smq

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"inflight/engine"
)

// code is a kind of refusal: what clients go by.
type code struct {
	name   string
	status int
}

// The codes (section 7 of the sheet).
var (
	codeAccessDenied      = &code{"AccessDenied", 403}
	codeUnknownKey        = &code{"InvalidAccessKeyId", 403}
	codeSignature         = &code{"SignatureDoesNotMatch", 403}
	codeNoAuthorization   = &code{"MissingAuthorizationHeader", 400}
	codeAuthorization     = &code{"InvalidAuthorizationHeader", 400}
	codeNoDate            = &code{"MissingDateHeader", 400}
	codeDate              = &code{"InvalidDateHeader", 400}
	codeExpired           = &code{"TimeExpired", 408}
	codeDigest            = &code{"InvalidDegist", 400} // so spelt by the service
	codeURL               = &code{"InvalidRequestURL", 400}
	codeQuery             = &code{"InvalidQueryString", 400}
	codeMalformed         = &code{"MalformedXML", 400}
	codeArgument          = &code{"InvalidArgument", 400}
	codeMissingReceipt    = &code{"MissingReceiptHandle", 400}
	codeMissingVisibility = &code{"MissingVisibilityTimeout", 400}
	codeReceipt           = &code{"ReceiptHandleError", 400}
	codeNoMessage         = &code{"MessageNotExist", 404}
	codeNoQueue           = &code{"QueueNotExist", 404}
	codeQueueExists       = &code{"QueueAlreadyExist", 409}
	codeQueueName         = &code{"InvalidQueueName", 400}
	codeQueueNameLength   = &code{"QueueNameLengthError", 400}
	codeInternal          = &code{"InternalError", 500}
	codeUnavailable       = &code{"InternalError", http.StatusServiceUnavailable}
)

// fault is one row of the table of refusals: a code and a text, with verbs for
// its variable parts.
type fault struct {
	code *code
	text string
}

func (f fault) with(args ...any) *Error {
	if len(args) == 0 {
		return &Error{f.code, f.text}
	}
	return &Error{f.code, fmt.Sprintf(f.text, args...)}
}

// Every text that a client can get. Where documents differ it is the seeds'.
var (
	faultDenied          = fault{codeAccessDenied, "The OwnerId that your Access Key Id associated to is forbidden for this operation."}
	faultHost            = fault{codeAccessDenied, "Host %q is not served here."}
	faultWebPage         = fault{codeAccessDenied, "Requests from web pages are not served."}
	faultUnknownKey      = fault{codeUnknownKey, "The AccessKey Id you provided is not exist."}
	faultSignature       = fault{codeSignature, "The request signature we calculated does not match the signature you provided. Check your key and signing method."}
	faultNoAuthorization = fault{codeNoAuthorization, "Authorization header is required."}
	faultAuthorization   = fault{codeAuthorization, "The Authorization header format is invalid."}
	faultNoDate          = fault{codeNoDate, "Date header is required."}
	faultDate            = fault{codeDate, "The Date header format is invalid."}
	faultExpired         = fault{codeExpired, "The http request you sent is expired."}
	faultDigest          = fault{codeDigest, "The Content-MD5 you specified is invalid."}
	faultURL             = fault{codeURL, "Http request URL format invalid."}
	faultQuery           = fault{codeQuery, `Http request URL contains invalid querystring item "%s".`}

	faultMalformed = fault{codeMalformed, "The XML you provided was not well-formed."}
	faultSchema    = fault{codeArgument, "The XML you provided did not validate against our published schema, cause by %s."}
	faultRange     = fault{codeArgument, "The value of %s must be between %d and %d%s."}
	faultInvalid   = fault{codeArgument, "The value of %s is invalid: %s."}
	faultFIFO      = fault{codeArgument, "The queue is a FIFO queue, which takes messages over SQS only."}

	faultMissingReceipt    = fault{codeMissingReceipt, "ReceiptHandle is required."}
	faultMissingVisibility = fault{codeMissingVisibility, "VisibilityTimeout is required."}
	faultReceipt           = fault{codeReceipt, "The receipt handle you provided is not valid."}
	// Some clients tell an empty queue from a missing one by this text.
	faultNoMessage      = fault{codeNoMessage, "Message not exist."}
	faultReceiptExpired = fault{codeNoMessage, "The receipt handle you provided has expired."}

	faultNoQueue         = fault{codeNoQueue, "The queue name you provided does not exist."}
	faultQueueExists     = fault{codeQueueExists, "The queue you want to create is already exist."}
	faultQueueName       = fault{codeQueueName, "The queue name you provided is invalid. QueueName should start with alpha or digit and contain only alpha, digit or - ."}
	faultQueueNameLength = fault{codeQueueNameLength, "Queue name length should between 1 and %d."}

	faultFull     = fault{codeUnavailable, "The disk of the queue engine is nearly full; deletes still pass."}
	faultClosed   = fault{codeUnavailable, "The queue engine is stopping."}
	faultTimeout  = fault{codeUnavailable, "The request took too long."}
	faultInternal = fault{codeInternal, "The queue engine failed: %v"}
)

// Error is a refusal as a client sees it.
type Error struct {
	code *code
	text string
}

func (e *Error) Error() string { return e.code.name + ": " + e.text }

// engineFields are what SMQ calls what the engine calls by its name in SQS.
var engineFields = map[string]string{
	"RedrivePolicy": "DlqPolicy", "ReceiveMessageWaitTimeSeconds": "PollingWaitSeconds", "WaitTimeSeconds": "waitseconds",
	"MessageAttributes": "UserProperties",
}

// refusal turns any error into what the client is told.
func refusal(err error) *Error {
	var known *Error
	var invalid *engine.InvalidError
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, engine.ErrQueueNotFound):
		return faultNoQueue.with()
	case errors.Is(err, engine.ErrReceiptInvalid):
		return faultReceipt.with()
	case errors.Is(err, engine.ErrReceiptStale), errors.Is(err, engine.ErrReceiptExpired):
		return faultReceiptExpired.with()
	case errors.Is(err, engine.ErrMessageGone):
		return faultNoMessage.with()
	case errors.As(err, &invalid):
		field := invalid.Field
		if name, ok := engineFields[field]; ok {
			field = name
		}
		return faultInvalid.with(field, invalid.Reason)
	case errors.Is(err, engine.ErrStoreFull):
		return faultFull.with()
	case errors.Is(err, engine.ErrClosed):
		return faultClosed.with()
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return faultTimeout.with()
	}
	return faultInternal.with(err)
}
