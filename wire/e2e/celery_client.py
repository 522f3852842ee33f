"""A Celery worker of its own process does tasks that this one sends."""
import os
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

import celery

here = os.path.dirname(os.path.abspath(__file__))
with tempfile.TemporaryDirectory() as directory:
    os.environ.update(E2E_DONE=directory, E2E_QUEUE="celery-" + uuid.uuid4().hex[:8], PYTHONPATH=here)
    sys.path.insert(0, here)
    import celery_tasks as tasks

    print(f"celery {celery.__version__}")
    worker = subprocess.Popen([sys.executable, "-m", "celery", "-A", "celery_tasks", "worker", "--pool", "solo",
                               "--loglevel", "INFO", "--without-gossip", "--without-mingle", "--without-heartbeat"],
                              cwd=directory)
    try:
        for i in range(20):
            tasks.add.delay(i, 1)
        tasks.flaky.delay()
        tasks.add.apply_async((100, 1), countdown=2)
        want = {f"add-{i}" for i in range(20)} | {"flaky-0", "flaky-1", "add-100"}
        begun = time.monotonic()
        while {p.name for p in Path(directory).glob("*-*")} != want:
            assert worker.poll() is None, f"the worker ended with {worker.returncode}"
            assert time.monotonic() - begun < 60, f"done: {sorted(os.listdir(directory))}"
            time.sleep(0.1)
        assert (Path(directory) / "add-19").read_text() == "20"
    finally:
        worker.send_signal(signal.SIGTERM)
        try:
            worker.wait(30)
        except subprocess.TimeoutExpired:
            worker.kill()
            raise
    import boto3

    sqs = boto3.client("sqs", endpoint_url=os.environ["AWS_ENDPOINT_URL_SQS"], region_name="us-east-1")
    url = sqs.get_queue_url(QueueName=os.environ["E2E_QUEUE"])["QueueUrl"]
    left = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
    counts = [left["ApproximateNumberOfMessages" + state] for state in ("", "NotVisible", "Delayed")]
    assert counts == ["0", "0", "0"], f"left in the queue: {counts}"
