package sqs

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"inflight/engine"
)

// code is a kind of refusal, under the name that each protocol has for it.
type code struct {
	json   string // short name, the end of __type
	query  string // also in the header x-amzn-query-error
	status int
	shape  string // what stands before the short name
}

const (
	modelled = "com.amazonaws.sqs#"          // in the API's model
	generic  = "com.amazon.coral.service#"   // known to all AWS services
	simple   = "AWS.SimpleQueueService."     // before some Query names
	tooLate  = http.StatusRequestTimeout     // 408
	busy     = http.StatusServiceUnavailable // 503
)

// The codes (section 1.4 of the sheet).
var (
	codeNoQueue          = &code{"QueueDoesNotExist", simple + "NonExistentQueue", 400, modelled}
	codeQueueExists      = &code{"QueueNameExists", "QueueAlreadyExists", 400, modelled}
	codeDeletedRecently  = &code{"QueueDeletedRecently", simple + "QueueDeletedRecently", 400, modelled}
	codePurgeInProgress  = &code{"PurgeQueueInProgress", simple + "PurgeQueueInProgress", 403, modelled}
	codeOverLimit        = &code{"OverLimit", "OverLimit", 403, modelled}
	codeIDsNotDistinct   = &code{"BatchEntryIdsNotDistinct", simple + "BatchEntryIdsNotDistinct", 400, modelled}
	codeBatchTooLong     = &code{"BatchRequestTooLong", simple + "BatchRequestTooLong", 400, modelled}
	codeEmptyBatch       = &code{"EmptyBatchRequest", simple + "EmptyBatchRequest", 400, modelled}
	codeEntryID          = &code{"InvalidBatchEntryId", simple + "InvalidBatchEntryId", 400, modelled}
	codeTooManyEntries   = &code{"TooManyEntriesInBatchRequest", simple + "TooManyEntriesInBatchRequest", 400, modelled}
	codeUnsupported      = &code{"UnsupportedOperation", simple + "UnsupportedOperation", 400, modelled}
	codeReceiptInvalid   = &code{"ReceiptHandleIsInvalid", "ReceiptHandleIsInvalid", 400, modelled}
	codeContents         = &code{"InvalidMessageContents", "InvalidMessageContents", 400, modelled}
	codeAttributeName    = &code{"InvalidAttributeName", "InvalidAttributeName", 400, modelled}
	codeAttributeValue   = &code{"InvalidAttributeValue", "InvalidAttributeValue", 400, modelled}
	codeAddress          = &code{"InvalidAddress", "InvalidAddress", 404, modelled}
	codeNoResource       = &code{"ResourceNotFoundException", "ResourceNotFoundException", 404, modelled}
	codeInvalid          = &code{"InvalidParameterValueException", "InvalidParameterValue", 400, generic}
	codeMissing          = &code{"MissingRequiredParameterException", "MissingParameter", 400, generic}
	codeSerialization    = &code{"SerializationException", "MalformedInput", 400, generic}
	codeUnknownOperation = &code{"UnknownOperationException", "InvalidAction", 400, generic}
	codeInvalidRequest   = &code{"InvalidRequest", "InvalidRequest", 400, generic}
	codeMethod           = &code{"MethodNotAllowedException", "MethodNotAllowed", 405, generic}
	codeTooLarge         = &code{"RequestEntityTooLargeException", "RequestEntityTooLarge", 413, generic}
	codeTimeout          = &code{"RequestTimeoutException", "RequestTimeout", tooLate, generic}
	codeInternal         = &code{"InternalFailure", "InternalFailure", 500, generic}
	codeUnavailable      = &code{"ServiceUnavailable", "ServiceUnavailable", busy, generic}

	codeAccessDenied  = &code{"AccessDeniedException", "AccessDenied", 403, generic}
	codeUnknownKey    = &code{"UnrecognizedClientException", "InvalidClientTokenId", 403, generic}
	codeSignature     = &code{"InvalidSignatureException", "SignatureDoesNotMatch", 403, generic}
	codeIncomplete    = &code{"IncompleteSignatureException", "IncompleteSignature", 400, generic}
	codeNoCredentials = &code{"MissingAuthenticationTokenException", "MissingAuthenticationToken", 403, generic}
)

// Error is a refusal as a client sees it.
type Error struct {
	code *code
	text string
	// queryText is the text in the Query protocol, where it differs.
	queryText string
}

func (e *Error) Error() string { return e.code.query + ": " + e.text }

// sender says whose fault it is.
func (e *Error) sender() bool { return e.code.status < 500 }

// side is the same, in the words of both protocols.
func (e *Error) side() string {
	if e.sender() {
		return "Sender"
	}
	return "Receiver"
}

// textFor returns the text of one protocol.
func (e *Error) textFor(query bool) string {
	if query && e.queryText != "" {
		return e.queryText
	}
	return e.text
}

// fault is one row of the table of refusals: a code and a text, with verbs for
// its variable parts.
type fault struct {
	code *code
	text string
}

func (f fault) with(args ...any) *Error {
	return &Error{code: f.code, text: fmt.Sprintf(f.text, args...)}
}

// noQueue has two texts, one for each protocol (Q25).
func noQueue() *Error {
	return &Error{
		code: codeNoQueue, text: "The specified queue does not exist.",
		queryText: "The specified queue does not exist for this wsdl version.",
	}
}

// refusal turns any error into what the client is told. What the engine found
// wrong is checked by the actions first; what still comes here is rare.
func refusal(err error) *Error {
	var known *Error
	var invalid *engine.InvalidError
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, engine.ErrQueueNotFound):
		return noQueue()
	case errors.As(err, &invalid):
		return faultEngineInvalid.with(invalid.Field, invalid.Reason)
	case errors.Is(err, engine.ErrReceiptInvalid):
		return faultReceipt.with("")
	case errors.Is(err, engine.ErrStoreFull):
		return faultFull.with()
	case errors.Is(err, engine.ErrOverLimit):
		return faultOverLimit.with(err)
	case errors.Is(err, engine.ErrClosed):
		return faultClosed.with()
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return faultTimeout.with()
	}
	return faultInternal.with(err)
}
