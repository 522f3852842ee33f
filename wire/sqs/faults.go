package sqs

// The texts of the refusals, with the number of the fact that each one shows
// (see CONFORMANCE.md). Every text that a client can get is here.
var (
	// The request itself.
	faultMissing        = fault{codeMissing, "The request must contain the parameter %s."} // W16
	faultKind           = fault{codeSerialization, "%s can not be converted to %s"}        // W5
	faultList           = fault{codeSerialization, "Start of list found where not expected"}
	faultStructure      = fault{codeSerialization, "Start of structure or map found where not expected."}
	faultCollection     = fault{codeSerialization, "Unrecognized collection type class java.lang.%s"}
	faultMalformed      = fault{codeSerialization, "The request is not well-formed: %v"}
	faultBase64         = fault{codeSerialization, "%s is not valid base64"}
	faultUnknownAction  = fault{codeUnknownOperation, "The action %s is not valid for this endpoint."} // W15
	faultNoAction       = fault{codeUnknownOperation, "The request names no action."}
	faultNotInspected   = fault{codeInvalidRequest, "This endpoint only accepts ReceiveMessage calls"}
	faultAddress        = fault{codeAddress, "The address %s is not valid for this endpoint."}
	faultTooLarge       = fault{codeTooLarge, "The request is longer than %d bytes."}
	faultTimeout        = fault{codeTimeout, "The request took too long."}
	faultInternal       = fault{codeInternal, "The queue engine failed: %v"}
	faultFull           = fault{codeUnavailable, "The disk of the queue engine is nearly full; deletes still pass."}
	faultClosed         = fault{codeUnavailable, "The queue engine is stopping."}
	faultOverLimit      = fault{codeOverLimit, "%v"}
	faultEngineInvalid  = fault{codeInvalid, "Value for parameter %s is invalid. Reason: %s."}
	faultHost           = fault{codeAccessDenied, "Host %s is not served here."}
	faultWebPage        = fault{codeAccessDenied, "Requests from web pages are not served."}
	faultMethod         = fault{codeMethod, "Requests are made by GET or POST, not %s."}
	faultMissingMessage = fault{codeMissing, "The request must contain the parameter MessageBody."} // S1

	// Access (section 6 of the issue).
	faultDenied        = fault{codeAccessDenied, "User: arn:aws:iam::%s:user/%s is not authorized to perform: sqs:%s on resource: %s because no identity-based policy allows the sqs:%[3]s action"}
	faultUnknownKey    = fault{codeUnknownKey, "The security token included in the request is invalid."}
	faultSignature     = fault{codeSignature, "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details."}
	faultExpired       = fault{codeSignature, "Signature expired: %s is now earlier than %s (%s - 15 min.)"}
	faultNotYet        = fault{codeSignature, "Signature not yet current: %s is still later than %s (%s + 15 min.)"}
	faultIncomplete    = fault{codeIncomplete, "%s"}
	faultNoCredentials = fault{codeNoCredentials, "Missing Authentication Token"}

	// Queues.
	faultName           = fault{codeInvalid, "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length"} // Q2
	faultFIFOName       = fault{codeInvalid, "The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo suffix and be 1 to 80 in length."}
	faultAttributeValue = fault{codeAttributeValue, "Invalid value for the parameter %s."} // Q10
	faultAttributeName  = fault{codeAttributeName, "Unknown Attribute %s."}                // Q11
	faultFIFOOnly       = fault{codeAttributeName, "You can specify the %s only when FifoQueue is set to true."}
	faultType           = fault{codeAttributeValue, "Invalid value for the parameter FifoQueue. Reason: Modifying queue type is not supported."}
	faultTwoEncryptions = fault{codeAttributeName, "You can use one type of server-side encryption (SSE) at one time. You can either enable KMS SSE or SQS SSE."}
	faultThroughput     = fault{codeInvalid, "The perMessageGroupId value is allowed only when the value for DeduplicationScope is messageGroup"}
	faultExists         = fault{codeQueueExists, "A queue already exists with the same name and a different value for attribute %s"} // Q20
	faultRecent         = fault{codeDeletedRecently, "You must wait 60 seconds after deleting a queue before you can create another with the same name."}
	faultPurge          = fault{codePurgeInProgress, "Only one PurgeQueue operation on %s is allowed every 60 seconds."} // Q27
	faultNoPageSize     = fault{codeInvalid, "MaxResults is a mandatory parameter when you provide a value for NextToken."}
	faultPageSize       = fault{codeInvalid, "Value for parameter MaxResults is invalid. Reason: MaxResults must be an integer between 1 and 1000."}
	faultToken          = fault{codeInvalid, "Invalid or expired next token."}
	faultOtherToken     = fault{codeInvalid, "Invalid NextToken value. If you are passing in NextToken, you must not change the other request parameters."}
	faultTooManyTags    = fault{codeInvalid, "Too many tags added for queue %s."} // Q32
	faultTagKey         = fault{codeInvalid, "Tag keys must be between 1 and 128 characters in length."}
	faultTagValue       = fault{codeInvalid, "Tag values must be between 0 and 256 characters in length."}
	faultTagPrefix      = fault{codeInvalid, "Tag keys must not begin with the prefix aws:."}
	faultLabelTaken     = fault{codeInvalid, "Value %s for parameter Label is invalid. Reason: Already exists."} // Q33
	faultNoLabel        = fault{codeInvalid, "Value %s for parameter Label is invalid. Reason: can't find label."}
	faultLabel          = fault{codeInvalid, "Value %s for parameter Label is invalid. Reason: Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length."}
	faultPermission     = fault{codeInvalid, "Value SQS:%s for parameter ActionName is invalid. Reason: Only the queue owner is allowed to invoke this action."}
	faultNoSuchAction   = fault{codeInvalid, "Value SQS:%s for parameter ActionName is invalid. Reason: Please refer to the appropriate WSDL for a list of valid actions."}
	faultPrincipal      = fault{codeInvalid, "Value [%s] for parameter PrincipalId is invalid. Reason: Unable to verify."}
	faultTooManyActions = fault{codeOverLimit, "%d Actions were found, maximum allowed is 7."}
	faultPolicy         = fault{codeAttributeValue, "Invalid value for the parameter Policy."}
	faultStatements     = fault{codeOverLimit, "%d statements were found in the submitted policy, max allowed is 20"}
	faultActions        = fault{codeOverLimit, "%d actions were found in a statement from the submitted policy, max allowed is 7"}
	faultPolicySize     = fault{codeOverLimit, "Submitted policy is over max allowed size."}

	// Redrive policies (D3, D10).
	faultRedrive      = fault{codeInvalid, "Value %s for parameter RedrivePolicy is invalid. Reason: %s"}
	faultRedriveJSON  = fault{codeAttributeValue, "Invalid value for the parameter RedrivePolicy. Reason: Redrive policy is not a valid JSON map."}
	faultAllow        = fault{codeInvalid, "Value %s for parameter RedriveAllowPolicy is invalid. Reason: Amazon SQS can't create the redrive allow policy. %s"}
	faultAllowJSON    = fault{codeAttributeValue, "Invalid value for the parameter RedriveAllowPolicy. Reason: Amazon SQS can't create the redrive allow policy, as it’s in an unsupported format."}
	faultMaxResults   = fault{codeInvalid, "Value for parameter MaxResults is invalid. Reason: You must enter a number that's between 1 and 10."} // M5
	faultMoveRate     = fault{codeInvalid, "Value for parameter MaxNumberOfMessagesPerSecond is invalid. Reason: You must enter a number that's between 1 and 500."}
	faultARN          = fault{codeInvalid, "You must use this format to specify the %s: arn:<partition>:<service>:<region>:<account-id>:<resource-id>"}
	faultNoResource   = fault{codeNoResource, "The resource that you specified for the %s parameter doesn't exist."} // M2
	faultNotDead      = fault{codeInvalid, "Source queue must be configured as a Dead Letter Queue."}                // M3
	faultTaskRunning  = fault{codeInvalid, "There is already a task running. Only one active task is allowed for a source queue arn at a given time."}
	faultSameQueue    = fault{codeInvalid, "Source queue arn and destination queue arn cannot be the same."}
	faultTypesDiffer  = fault{codeInvalid, "The source queue and destination queue must be of the same queue type."}
	faultTaskHandle   = fault{codeInvalid, "Value for parameter TaskHandle is invalid."} // M11
	faultNoTask       = fault{codeNoResource, "Task does not exist."}
	faultTaskOver     = fault{codeInvalid, "Only active tasks can be cancelled."}
	faultTooManyTasks = fault{codeOverLimit, "The maximum number of active message movement tasks (100) is reached."}
)

// Messages.
var (
	faultSize          = fault{codeInvalid, "One or more parameters are invalid. Reason: Message must be shorter than %d bytes."}                                                                                       // S2
	faultEntrySize     = fault{codeInvalid, "One or more parameters cannot be validated. Reason: Message must be shorter than %d bytes."}                                                                               // B6
	faultCharacters    = fault{codeContents, "Invalid binary character '#x%X' was found in the message body, the set of allowed characters is #x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD] | [#x10000-#x10FFFF]."} // S3
	faultDelay         = fault{codeInvalid, "Value %d for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900."}
	faultFIFODelay     = fault{codeInvalid, "Value %d for parameter DelaySeconds is invalid. Reason: The request include parameter that is not valid for this queue type."}
	faultGroup         = fault{codeInvalid, "Value %s for parameter MessageGroupId is invalid. Reason: MessageGroupId can only include alphanumeric and punctuation characters. 1 to 128 in length."}
	faultNoGroup       = fault{codeMissing, "The request must contain the parameter MessageGroupId."} // F1
	faultEntryGroup    = fault{codeInvalid, "The request must contain the parameter MessageGroupId."} // B7
	faultDedup         = fault{codeInvalid, "Value %s for parameter MessageDeduplicationId is invalid. Reason: MessageDeduplicationId can only include alphanumeric and punctuation characters. 1 to 128 in length."}
	faultNoDedup       = fault{codeInvalid, "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly"}
	faultStandard      = fault{codeInvalid, "Value %s for parameter %s is invalid. Reason: The request include parameter that is not valid for this queue type."} // R15
	faultEntryStandard = fault{codeInvalid, "The request include parameter that is not valid for this queue type"}
	faultAttempt       = fault{codeInvalid, "Value %s for parameter ReceiveRequestAttemptId is invalid. Reason: ReceiveRequestAttemptId can only include alphanumeric and punctuation characters. 1 to 128 in length."}
	faultEmptyBatch    = fault{codeEmptyBatch, "There should be at least one %s in the request."}                     // B1
	faultTooMany       = fault{codeTooManyEntries, "Maximum number of entries per request are 10. You have sent %d."} // B2
	faultEntryID       = fault{codeEntryID, "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long."}
	faultRepeated      = fault{codeIDsNotDistinct, "Id %s repeated."} // B4
	faultBatchTooLong  = fault{codeBatchTooLong, "Batch requests cannot be longer than 1048576 bytes. You have sent %d bytes."}

	// Message attributes (S11). The first word is "Message (user)" or "Message (system)".
	faultAttributes     = fault{codeInvalid, "Number of message attributes [%d] exceeds the allowed maximum [10]."}
	faultAttributeTwice = fault{codeInvalid, "Message (%s) attribute name '%s' must not be given twice."} // the text is ours
	faultTwoValues      = fault{codeInvalid, "Message (%s) attribute '%s' must have a single value."}
	faultEmptyValue     = fault{codeInvalid, "Message (%s) attribute '%s' must contain a non-empty value of type '%s'."}
	faultNoType         = fault{codeInvalid, "The message (%s) attribute '%s' must contain a non-empty message attribute type."}
	faultTypePrefix     = fault{codeInvalid, "The type of message (%s) attribute '%s' is invalid. You must use only the following supported type prefixes: Binary, Number, String."}
	faultTypeLength     = fault{codeInvalid, "The type of message (%s) attribute '%s' must be at most 256 characters long."}
	faultNotNumber      = fault{codeInvalid, "Can't cast the value of message (%s) attribute '%s' to a number."}
	faultField          = fault{codeInvalid, "Message (%s) attribute '%s' with type '%s' must use field '%s'."}
	faultReserved       = fault{codeInvalid, "You can't use message attribute names beginning with 'AWS.' or 'Amazon'. These strings are reserved for internal use."}
	faultFirstDot       = fault{codeInvalid, "Message (%s) attribute name must not begin with character '.'."}
	faultLastDot        = fault{codeInvalid, "Message (%s) attribute name must not end with character '.'."}
	faultDots           = fault{codeInvalid, "Message (%s) attribute name must not have successive '.' characters."}
	faultNoName         = fault{codeInvalid, "The request must contain non-empty message attribute name."}
	faultNameLength     = fault{codeInvalid, "Message (%s) attribute name must be between 1 and 256 characters long."}
	faultNameCharacters = fault{codeInvalid, "Invalid non-alphanumeric character was found in the message attribute name. Can only include alphanumeric characters, hyphens, underscores, or dots."}
	faultValueText      = fault{codeInvalid, "Invalid characters found in the value of message (%s) attribute '%s'. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF"}
	faultListValues     = fault{codeUnsupported, "Message attribute list values in SendMessage operation are not supported."}
	faultSystemName     = fault{codeInvalid, "Message system attribute name '%s' is invalid. You must use only the following supported names: AWSTraceHeader."}
	faultTraceType      = fault{codeInvalid, "Message system attribute 'AWSTraceHeader' must be of type 'String'."}

	// Receiving and what follows.
	faultMax               = fault{codeInvalid, "Value %d for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided."}
	faultWait              = fault{codeInvalid, "Value %d for parameter WaitTimeSeconds is invalid. Reason: Must be >= 0 and <= 20, if provided."}
	faultReceiveVisibility = fault{codeInvalid, "Value %d for parameter VisibilityTimeout is invalid. Reason: Must be >= 0 and <= 43200, if provided."}
	faultInFlight          = fault{codeOverLimit, "The maximum number of in flight messages is reached"} // R12
	faultReceipt           = fault{codeReceiptInvalid, "The input receipt handle \"%s\" is not a valid receipt handle."}
	faultReceiptExpired    = fault{codeInvalid, "Value %s for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired."} // V4
	faultEntryExpired      = fault{codeReceiptInvalid, "The receipt handle has expired"}
	faultVisibility        = fault{codeInvalid, "Value %d for parameter VisibilityTimeout is invalid. Reason: Must be between 0 and 43200."}
	faultTotal             = fault{codeInvalid, "Value %d for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [43200 seconds]."}
	faultNotAvailable      = fault{codeInvalid, "Value %s for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change."}
)
