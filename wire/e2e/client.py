"""boto3 against inflight: what an application does, and what it may rely on.

Old releases speak the Query protocol, later ones JSON 1.0; this runs with both.
"""
import hashlib
import json
import os
import threading
import unittest
import uuid

import boto3
import botocore
from botocore.config import Config
from botocore.exceptions import ClientError

ENDPOINT = os.environ["AWS_ENDPOINT_URL_SQS"]
VERSION = tuple(map(int, botocore.__version__.split(".")[:3]))
JSON = VERSION >= (1, 31, 81)  # before: Query
MINE = uuid.uuid4().hex[:8]  # the endpoint is shared with other clients


def client(region="us-east-1", **options):
    return boto3.client("sqs", endpoint_url=ENDPOINT, region_name=region, config=Config(**options))


class Real(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.sqs = client()

    def queue(self, name, **attributes):
        made = self.sqs.create_queue(QueueName=f"{MINE}-{name}", Attributes=attributes)
        return made["QueueUrl"]

    def arn(self, url):
        got = self.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])
        return got["Attributes"]["QueueArn"]

    def refused(self, code, status, call, **arguments):
        with self.assertRaises(ClientError) as caught:
            call(**arguments)
        got = caught.exception.response
        self.assertEqual((got["Error"]["Code"], got["ResponseMetadata"]["HTTPStatusCode"]), (code, status), got)
        self.assertTrue(got["ResponseMetadata"]["RequestId"])
        return got["Error"]["Message"]

    def take(self, url, n=1, **arguments):
        arguments.setdefault("WaitTimeSeconds", 5)
        arguments.setdefault("MaxNumberOfMessages", n)
        return self.sqs.receive_message(QueueUrl=url, **arguments).get("Messages", [])


class Messages(Real):
    def test_there_and_back(self):
        url = self.queue("cycle")
        self.assertEqual(url, f"{ENDPOINT}/000000000000/{MINE}-cycle")
        body = "snow \u2603 \U0001f600 <&> tab\tline\n"
        attributes = {
            "text": {"DataType": "String", "StringValue": "v \u2603"},
            "number": {"DataType": "Number.int", "StringValue": "7"},
            "bytes": {"DataType": "Binary", "BinaryValue": b"\x00\xff"},
        }
        sent = self.sqs.send_message(QueueUrl=url, MessageBody=body, MessageAttributes=attributes)
        self.assertEqual(sent["MD5OfMessageBody"], hashlib.md5(body.encode()).hexdigest())
        (m,) = self.take(url, AttributeNames=["All"], MessageAttributeNames=["All"])  # boto3 checks the digests
        self.assertEqual((m["Body"], m["MessageId"]), (body, sent["MessageId"]))
        self.assertEqual(m["MessageAttributes"], attributes)
        self.assertEqual(m["Attributes"]["ApproximateReceiveCount"], "1")
        self.assertEqual(
            set(m["Attributes"]),
            {"SenderId", "SentTimestamp", "ApproximateReceiveCount", "ApproximateFirstReceiveTimestamp"},
        )
        self.sqs.change_message_visibility(QueueUrl=url, ReceiptHandle=m["ReceiptHandle"], VisibilityTimeout=0)
        (again,) = self.take(url, AttributeNames=["ApproximateReceiveCount"])
        self.assertEqual(again["Attributes"], {"ApproximateReceiveCount": "2"})
        self.sqs.delete_message(QueueUrl=url, ReceiptHandle=again["ReceiptHandle"])
        self.sqs.delete_message(QueueUrl=url, ReceiptHandle=again["ReceiptHandle"])
        self.assertEqual(self.take(url, WaitTimeSeconds=0, VisibilityTimeout=0), [])

    def test_batches(self):
        url = self.queue("batches")
        entries = [{"Id": f"e{i}", "MessageBody": f"body {i}"} for i in range(10)]
        entries[3]["DelaySeconds"] = 901
        sent = self.sqs.send_message_batch(QueueUrl=url, Entries=entries)
        self.assertEqual(len(sent["Successful"]), 9)
        (failed,) = sent["Failed"]
        self.assertEqual((failed["Id"], failed["Code"], failed["SenderFault"]), ("e3", "InvalidParameterValue", True))
        got = self.take(url, 10)
        self.assertEqual([m["Body"] for m in got], [f"body {i}" for i in range(10) if i != 3])
        handles = [{"Id": str(i), "ReceiptHandle": m["ReceiptHandle"]} for i, m in enumerate(got)]
        changed = self.sqs.change_message_visibility_batch(
            QueueUrl=url, Entries=[dict(h, VisibilityTimeout=60) for h in handles])
        self.assertEqual(len(changed["Successful"]), 9)
        gone = self.sqs.delete_message_batch(
            QueueUrl=url, Entries=handles + [{"Id": "bad", "ReceiptHandle": "no handle"}])
        self.assertEqual(len(gone["Successful"]), 9)
        self.assertEqual([f["Code"] for f in gone["Failed"]], ["ReceiptHandleIsInvalid"])
        for code, batch in {
            "AWS.SimpleQueueService.EmptyBatchRequest": [],
            "AWS.SimpleQueueService.BatchEntryIdsNotDistinct": [{"Id": "a", "MessageBody": "b"}] * 2,
            "AWS.SimpleQueueService.InvalidBatchEntryId": [{"Id": "a b", "MessageBody": "b"}],
            "AWS.SimpleQueueService.TooManyEntriesInBatchRequest":
                [{"Id": str(i), "MessageBody": "b"} for i in range(11)],
        }.items():
            self.refused(code, 400, self.sqs.send_message_batch, QueueUrl=url, Entries=batch)

    def test_a_long_poll_wakes(self):
        url = self.queue("poll")
        got = []
        waiting = threading.Thread(target=lambda: got.extend(self.take(url, WaitTimeSeconds=20)))
        waiting.start()
        client().send_message(QueueUrl=url, MessageBody="wake up")
        waiting.join(10)
        self.assertEqual([m["Body"] for m in got], ["wake up"])

    def test_a_poll_given_up_swallows_nothing(self):
        url = self.queue("given-up")
        hasty = client(read_timeout=1, retries={"max_attempts": 0})
        with self.assertRaises(Exception):
            hasty.receive_message(QueueUrl=url, WaitTimeSeconds=20)
        self.sqs.send_message(QueueUrl=url, MessageBody="still here")
        (m,) = self.take(url, AttributeNames=["ApproximateReceiveCount"])
        self.assertEqual((m["Body"], m["Attributes"]["ApproximateReceiveCount"]), ("still here", "1"))

    def test_system_attribute(self):
        url = self.queue("trace")
        trace = {"AWSTraceHeader": {"DataType": "String", "StringValue": "Root=1-5759e988-bd862e3fe1be46a994272793"}}
        self.sqs.send_message(QueueUrl=url, MessageBody="b", MessageSystemAttributes=trace)
        (m,) = self.take(url, AttributeNames=["AWSTraceHeader"])
        self.assertEqual(m["Attributes"]["AWSTraceHeader"], trace["AWSTraceHeader"]["StringValue"])


class Queues(Real):
    def test_attributes(self):
        url = self.queue("attributes", VisibilityTimeout="45", DelaySeconds="0")
        self.sqs.set_queue_attributes(QueueUrl=url, Attributes={"MessageRetentionPeriod": "1209600"})
        got = self.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
        self.assertEqual(got["QueueArn"], f"arn:aws:sqs:us-east-1:000000000000:{MINE}-attributes")
        want = {
            "VisibilityTimeout": "45", "MessageRetentionPeriod": "1209600", "DelaySeconds": "0",
            "ReceiveMessageWaitTimeSeconds": "0", "ApproximateNumberOfMessages": "0",
            "ApproximateNumberOfMessagesNotVisible": "0", "ApproximateNumberOfMessagesDelayed": "0",
        }
        self.assertEqual({k: got[k] for k in want}, want)
        self.assertEqual(self.sqs.create_queue(QueueName=f"{MINE}-attributes")["QueueUrl"], url)
        self.refused("QueueAlreadyExists", 400, self.sqs.create_queue, QueueName=f"{MINE}-attributes",
                     Attributes={"VisibilityTimeout": "46"})
        self.assertEqual(self.sqs.get_queue_url(QueueName=f"{MINE}-attributes")["QueueUrl"], url)

    def test_errors(self):
        url = self.queue("errors")
        gone = url + "-gone"
        missing = "AWS.SimpleQueueService.NonExistentQueue"
        text = "The specified queue does not exist" + ("." if JSON else " for this wsdl version.")
        self.assertEqual(self.refused(missing, 400, self.sqs.get_queue_url, QueueName=f"{MINE}-none"), text)
        self.refused(missing, 400, self.sqs.send_message, QueueUrl=gone, MessageBody="b")
        self.refused(missing, 400, self.sqs.receive_message, QueueUrl=gone)
        self.refused("InvalidParameterValue", 400, self.sqs.receive_message, QueueUrl=url, MaxNumberOfMessages=11)
        self.refused("InvalidParameterValue", 400, self.sqs.create_queue, QueueName="no good")
        self.refused("InvalidAttributeName", 400, self.sqs.get_queue_attributes, QueueUrl=url, AttributeNames=["Nope"])
        self.refused("InvalidAttributeValue", 400, self.sqs.set_queue_attributes, QueueUrl=url,
                     Attributes={"VisibilityTimeout": "43201"})
        self.refused("InvalidMessageContents", 400, self.sqs.send_message, QueueUrl=url, MessageBody="\x00")
        self.refused("ReceiptHandleIsInvalid", 400, self.sqs.delete_message, QueueUrl=url, ReceiptHandle="x")
        self.refused("MissingParameter", 400, self.sqs.send_message, QueueUrl=url, MessageBody="")
        with self.assertRaises(self.sqs.exceptions.QueueDoesNotExist):
            self.sqs.purge_queue(QueueUrl=gone)

    def test_lists_in_pages(self):
        names = [f"{MINE}-page-{i}" for i in range(7)]
        for name in names:
            self.sqs.create_queue(QueueName=name)
        pages = self.sqs.get_paginator("list_queues").paginate(
            QueueNamePrefix=f"{MINE}-page-", PaginationConfig={"PageSize": 3})
        got = [page.get("QueueUrls", []) for page in pages]
        self.assertEqual([len(page) for page in got], [3, 3, 1])
        self.assertEqual([url.rsplit("/", 1)[1] for page in got for url in page], names)

    def test_tags(self):
        url = self.sqs.create_queue(QueueName=f"{MINE}-tags", tags={"team": "billing"})["QueueUrl"]
        self.sqs.tag_queue(QueueUrl=url, Tags={"stage": "test", "team": "orders"})
        self.sqs.untag_queue(QueueUrl=url, TagKeys=["stage"])
        self.assertEqual(self.sqs.list_queue_tags(QueueUrl=url)["Tags"], {"team": "orders"})

    def test_regions_are_apart(self):
        url = self.queue("here")
        there = client("eu-north-1")
        self.assertNotIn(url, there.list_queues(QueueNamePrefix=MINE).get("QueueUrls", []))
        made = there.create_queue(QueueName=f"{MINE}-here", Attributes={"VisibilityTimeout": "7"})["QueueUrl"]
        got = there.get_queue_attributes(QueueUrl=made, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
        self.assertEqual(got, f"arn:aws:sqs:eu-north-1:000000000000:{MINE}-here")

    def test_purge_and_delete(self):
        url = self.queue("purge")
        self.sqs.send_message(QueueUrl=url, MessageBody="b")
        self.sqs.purge_queue(QueueUrl=url)
        self.assertEqual(self.take(url, WaitTimeSeconds=0), [])
        self.sqs.delete_queue(QueueUrl=url)
        self.refused("AWS.SimpleQueueService.NonExistentQueue", 400, self.sqs.get_queue_url,
                     QueueName=f"{MINE}-purge")

    def test_the_resource(self):
        resource = boto3.resource("sqs", endpoint_url=ENDPOINT, region_name="us-east-1")
        queue = resource.create_queue(QueueName=f"{MINE}-resource")
        queue.send_message(MessageBody="by resource")
        (m,) = queue.receive_messages(WaitTimeSeconds=5)
        m.delete()
        queue.load()
        self.assertEqual(queue.attributes["ApproximateNumberOfMessagesNotVisible"], "0")
        queue.delete()

    @unittest.skipIf(VERSION < (1, 31, 0), "reads no AWS_ENDPOINT_URL_SQS")
    def test_only_the_environment_says_where(self):
        self.assertIn("QueueUrl", boto3.client("sqs").create_queue(QueueName=f"{MINE}-environment"))


class DeadLetters(Real):
    def test_dead_lettering_and_redrive(self):
        dlq = self.queue("dlq")
        source = self.queue("source", VisibilityTimeout="0", RedrivePolicy=json.dumps(
            {"deadLetterTargetArn": self.arn(dlq), "maxReceiveCount": 2}))
        self.assertEqual(self.sqs.list_dead_letter_source_queues(QueueUrl=dlq)["queueUrls"], [source])
        sent = self.sqs.send_message(QueueUrl=source, MessageBody="poison")
        for _ in range(2):
            self.assertEqual(len(self.take(source)), 1)
        self.assertEqual(self.take(source, WaitTimeSeconds=0), [])
        (dead,) = self.take(dlq, AttributeNames=["All"], VisibilityTimeout=0)
        self.assertEqual((dead["Body"], dead["MessageId"]), ("poison", sent["MessageId"]))
        self.assertEqual(dead["Attributes"]["DeadLetterQueueSourceArn"], self.arn(source))
        self.assertEqual(dead["Attributes"]["ApproximateReceiveCount"], "3")
        if not hasattr(self.sqs, "start_message_move_task"):
            return
        self.refused("ResourceNotFoundException", 404,
                     self.sqs.start_message_move_task, SourceArn=self.arn(dlq) + "-none")
        self.sqs.start_message_move_task(SourceArn=self.arn(dlq))
        (back,) = self.take(source, WaitTimeSeconds=10, AttributeNames=["ApproximateReceiveCount"])
        self.assertEqual((back["Body"], back["Attributes"]["ApproximateReceiveCount"]), ("poison", "1"))
        (task,) = self.sqs.list_message_move_tasks(SourceArn=self.arn(dlq))["Results"]
        self.assertEqual((task["Status"], task["ApproximateNumberOfMessagesMoved"]), ("COMPLETED", 1))

    def test_policy_must_name_a_queue(self):
        url = self.queue("policy")
        self.refused("InvalidParameterValue", 400, self.sqs.set_queue_attributes, QueueUrl=url, Attributes={
            "RedrivePolicy": json.dumps({"deadLetterTargetArn": self.arn(url) + "-none", "maxReceiveCount": "2"})})


class Fifo(Real):
    def test_groups_keep_their_order(self):
        url = self.queue("groups.fifo", FifoQueue="true", ContentBasedDeduplication="true")
        numbers = []
        for i in range(6):
            sent = self.sqs.send_message(QueueUrl=url, MessageBody=f"{i}", MessageGroupId=f"g{i % 2}")
            numbers.append(int(sent["SequenceNumber"]))
        self.assertEqual(numbers, sorted(numbers))
        first = self.take(url, 1, AttributeNames=["All"])[0]
        self.assertEqual((first["Body"], first["Attributes"]["MessageGroupId"]), ("0", "g0"))
        self.assertEqual(len(first["Attributes"]["SequenceNumber"]), 20)
        others = self.take(url, 10)
        self.assertEqual([m["Body"] for m in others], ["1", "3", "5"])  # g0 is blocked
        self.sqs.delete_message(QueueUrl=url, ReceiptHandle=first["ReceiptHandle"])
        self.assertEqual([m["Body"] for m in self.take(url, 10)], ["2", "4"])

    def test_deduplication(self):
        url = self.queue("dedup.fifo", FifoQueue="true")
        one = self.sqs.send_message(QueueUrl=url, MessageBody="a", MessageGroupId="g", MessageDeduplicationId="d")
        two = self.sqs.send_message(QueueUrl=url, MessageBody="b", MessageGroupId="g", MessageDeduplicationId="d")
        self.assertEqual((one["MessageId"], one["SequenceNumber"]), (two["MessageId"], two["SequenceNumber"]))
        self.assertEqual([m["Body"] for m in self.take(url, 10)], ["a"])
        self.refused("InvalidParameterValue", 400, self.sqs.send_message, QueueUrl=url, MessageBody="a",
                     MessageGroupId="g")
        self.refused("MissingParameter", 400, self.sqs.send_message, QueueUrl=url, MessageBody="a",
                     MessageDeduplicationId="d")


if __name__ == "__main__":
    print(f"boto3 {boto3.__version__}, {'JSON 1.0' if JSON else 'Query'}", flush=True)
    unittest.main(warnings="ignore")
