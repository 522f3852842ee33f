"""The tasks of celery_client.py; its worker imports this."""
import os
from pathlib import Path
from urllib.parse import urlsplit

from celery import Celery

where = urlsplit(os.environ["AWS_ENDPOINT_URL_SQS"])
done = Path(os.environ["E2E_DONE"])
app = Celery("e2e", broker=f"sqs://x:x@{where.hostname}:{where.port}//")
app.conf.update(
    task_default_queue=os.environ["E2E_QUEUE"],
    task_ignore_result=True,
    task_acks_late=True,
    worker_hijack_root_logger=False,
    broker_connection_retry_on_startup=True,
    broker_transport_options={"region": "us-east-1", "is_secure": False, "wait_time_seconds": 2,
                              "polling_interval": 0.1, "visibility_timeout": 60},
)


@app.task
def add(a, b):
    (done / f"add-{a}").write_text(str(a + b))


@app.task(bind=True, max_retries=2)
def flaky(self):
    (done / f"flaky-{self.request.retries}").write_text("tried")
    if self.request.retries < 1:
        raise self.retry(countdown=0)
