"""kombu's SQS transport: a message goes round, a rejected one comes back."""
import os
import socket
import sys
import uuid
from urllib.parse import urlsplit

import boto3
import kombu

where = urlsplit(os.environ["AWS_ENDPOINT_URL_SQS"])
print(f"kombu {kombu.__version__}, boto3 {boto3.__version__}")
url = f"sqs://x:x@{where.hostname}:{where.port}//"
name = "kombu-" + uuid.uuid4().hex[:8]
options = {"region": "us-east-1", "is_secure": False, "wait_time_seconds": 2, "polling_interval": 0.1,
           "visibility_timeout": 30}
with kombu.Connection(url, transport_options=options) as connection:
    queue = connection.SimpleQueue(name)
    queue.put({"order": 1, "text": "\u2603"}, headers={"h": "v"})
    first = queue.get(block=True, timeout=20)
    assert first.payload == {"order": 1, "text": "\u2603"}, first.payload
    assert first.headers.get("h") == "v", first.headers
    first.requeue()
    again = queue.get(block=True, timeout=20)
    assert again.payload == first.payload, again.payload
    again.ack()
    for i in range(25):
        queue.put(i)
    got = []
    while len(got) < 25:
        m = queue.get(block=True, timeout=20)
        got.append(m.payload)
        m.ack()
    assert sorted(got) == list(range(25)), got
    queue.close()
sqs = boto3.client("sqs", endpoint_url=os.environ["AWS_ENDPOINT_URL_SQS"], region_name="us-east-1")
left = sqs.get_queue_attributes(QueueUrl=sqs.get_queue_url(QueueName=name)["QueueUrl"], AttributeNames=["All"])["Attributes"]
counts = [left["ApproximateNumberOfMessages" + state] for state in ("", "NotVisible", "Delayed")]
assert counts == ["0", "0", "0"], counts
