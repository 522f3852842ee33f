// sqs-producer sends, sqs-consumer takes, over the AWS SDK for JavaScript.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import * as sdk from "@aws-sdk/client-sqs";
import { Consumer } from "sqs-consumer";
import { Producer } from "sqs-producer";

const version = (name) =>
  JSON.parse(readFileSync(new URL(`./node_modules/${name}/package.json`, import.meta.url))).version;
console.log(["@aws-sdk/client-sqs", "sqs-consumer", "sqs-producer"].map((n) => `${n} ${version(n)}`).join(", "));

const sqs = new sdk.SQSClient({}); // where, who and the region: from the environment
const name = "node-" + randomUUID().slice(0, 8);
const ask = (command) => sqs.send(command);

const dlq = (await ask(new sdk.CreateQueueCommand({ QueueName: name + "-dlq" }))).QueueUrl;
const arn = (await ask(new sdk.GetQueueAttributesCommand({ QueueUrl: dlq, AttributeNames: ["QueueArn"] }))).Attributes.QueueArn;
const queueUrl = (
  await ask(
    new sdk.CreateQueueCommand({
      QueueName: name,
      Attributes: { VisibilityTimeout: "1", RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arn, maxReceiveCount: 2 }) },
    }),
  )
).QueueUrl;

const producer = Producer.create({ queueUrl, sqs });
const ids = Array.from({ length: 25 }, (_, i) => `m${i}`);
const sent = await producer.send(ids.map((id) => ({ id, body: `body of ${id}` })));
assert.equal(sent.length, 25);
await producer.send({ id: "poison", body: "poison", messageAttributes: { kind: { DataType: "String", StringValue: "bad" } } });
assert.equal(await producer.queueSize(), 26);

const seen = new Map();
let refused = 0;
const finished = new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error(`seen ${seen.size}, refused ${refused}`)), 60_000).unref();
  const consumer = Consumer.create({
    queueUrl,
    sqs,
    batchSize: 10,
    waitTimeSeconds: 2,
    terminateVisibilityTimeout: true, // a failure gives it back at once
    messageAttributeNames: ["All"],
    messageSystemAttributeNames: ["ApproximateReceiveCount"],
    handleMessage: async (m) => {
      if (m.Body === "poison") {
        assert.equal(m.MessageAttributes.kind.StringValue, "bad");
        refused = Number(m.Attributes.ApproximateReceiveCount);
        throw new Error("cannot do that");
      }
      seen.set(m.Body, (seen.get(m.Body) ?? 0) + 1);
      return m;
    },
  });
  consumer.on("error", reject);
  consumer.on("processing_error", () => {});
  consumer.on("empty", () => {
    if (seen.size === 25 && refused === 2) {
      consumer.on("stopped", resolve);
      consumer.stop();
    }
  });
  consumer.start();
});
await finished;
assert.deepEqual([...seen.values()], Array(25).fill(1));
assert.equal(await producer.queueSize(), 0);

const dead = await ask(new sdk.ReceiveMessageCommand({ QueueUrl: dlq, MessageSystemAttributeNames: ["All"], WaitTimeSeconds: 5 }));
assert.equal(dead.Messages[0].Body, "poison");

// A poll that its caller aborts swallows nothing.
const abort = new AbortController();
const poll = sqs.send(new sdk.ReceiveMessageCommand({ QueueUrl: queueUrl, WaitTimeSeconds: 20 }), { abortSignal: abort.signal });
setTimeout(() => abort.abort(), 300);
await assert.rejects(poll, { name: "AbortError" });
await producer.send("still-here");
const left = await ask(new sdk.ReceiveMessageCommand({ QueueUrl: queueUrl, WaitTimeSeconds: 5, MessageSystemAttributeNames: ["ApproximateReceiveCount"] }));
assert.equal(left.Messages[0].Body, "still-here");
assert.equal(left.Messages[0].Attributes.ApproximateReceiveCount, "1");

await assert.rejects(ask(new sdk.GetQueueUrlCommand({ QueueName: "none-" + name })), (e) => e instanceof sdk.QueueDoesNotExist);
const fifo = (await ask(new sdk.CreateQueueCommand({ QueueName: name + ".fifo", Attributes: { FifoQueue: "true" } }))).QueueUrl;
const ordered = Producer.create({ queueUrl: fifo, sqs });
await ordered.send(["a", "b", "c"].map((id) => ({ id, body: id, groupId: "g", deduplicationId: id })));
const inOrder = await ask(new sdk.ReceiveMessageCommand({ QueueUrl: fifo, MaxNumberOfMessages: 10, WaitTimeSeconds: 5 }));
assert.deepEqual(inOrder.Messages.map((m) => m.Body), ["a", "b", "c"]);
sqs.destroy();
