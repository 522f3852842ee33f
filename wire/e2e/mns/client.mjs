// The official SMQ (MNS) client for Node against the endpoint in the
// environment: every operation that it has, and the errors that applications
// meet.
import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const MNS = require("@alicloud/mns");
console.log("@alicloud/mns " + JSON.parse(readFileSync(new URL("./node_modules/@alicloud/mns/package.json", import.meta.url))).version);

const mns = new MNS("1234567890", {
  endpoint: process.env.INFLIGHT_URL ?? process.env.AWS_ENDPOINT_URL_SQS,
  accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? "inflight",
  accessKeySecret: process.env.AWS_SECRET_ACCESS_KEY ?? "inflight",
});
const queue = "mns-" + randomUUID().slice(0, 8);
const dead = queue + "-dead";
const md5 = (text) => createHash("md5").update(text).digest("hex").toUpperCase();
const refused = (promise, name, status) =>
  assert.rejects(promise, (e) => {
    assert.equal(e.name, `MNS${name}Error`, e.message);
    assert.match(e.message, new RegExp(`failed with ${status}\\.`));
    return true;
  });

// Queues.
const created = await mns.createQueue(queue, { VisibilityTimeout: 30, PollingWaitSeconds: 0 });
assert.equal(created.code, 201);
assert.ok(created.headers.location.endsWith("/queues/" + queue), created.headers.location);
assert.equal((await mns.createQueue(queue, { VisibilityTimeout: 30 })).code, 204);
await refused(mns.createQueue(queue, { VisibilityTimeout: 31 }), "QueueAlreadyExist", 409);
await refused(mns.createQueue("bad_name"), "InvalidQueueName", 400);
await refused(mns.createQueue(queue + "-x", { VisibilityTimeout: 43201 }), "InvalidArgument", 400);
await mns.createQueue(dead);
const listed = await mns.listQueue("", 100, queue);
assert.deepEqual(listed.body.map((q) => q.QueueName), [queue, dead]);
assert.equal((await mns.setQueueAttributes(queue, { DelaySeconds: 0, DlqPolicy: { Enabled: true, DeadLetterTargetQueue: dead, MaxReceiveCount: 5 } })).code, 204);
const attributes = (await mns.getQueueAttributes(queue)).body;
for (const [name, value] of Object.entries({ QueueName: queue, VisibilityTimeout: "30", MaximumMessageSize: "65536", ActiveMessages: "0", LoggingEnabled: "False" }))
  assert.equal(attributes[name], value, name);
assert.ok(Math.abs(Number(attributes.CreateTime) * 1000 - Date.now()) < 60_000, "CreateTime is in seconds");

// One message.
await refused(mns.receiveMessage(queue), "MessageNotExist", 404);
await refused(mns.receiveMessage(queue + "-none"), "QueueNotExist", 404);
const body = "I am 测试字符串. &lt;&amp;"; // the client does not escape
const sent = await mns.sendMessage(queue, { MessageBody: body, Priority: 1 });
assert.equal(sent.code, 201);
assert.equal(sent.body.MessageBodyMD5, md5("I am 测试字符串. <&"));
const peeked = (await mns.peekMessage(queue)).body;
assert.deepEqual([peeked.MessageId, peeked.DequeueCount, peeked.ReceiptHandle], [sent.body.MessageId, "0", undefined]);
const received = (await mns.receiveMessage(queue, 1)).body;
assert.deepEqual([received.MessageBody, received.DequeueCount, received.Priority], ["I am 测试字符串. <&", "1", "1"]);
const handle = received.ReceiptHandle;
await refused(mns.changeMessageVisibility(queue, handle, 0), "InvalidArgument", 400);
await refused(mns.changeMessageVisibility(queue, handle, 43201), "InvalidArgument", 400);
await refused(mns.changeMessageVisibility(queue, "MbZj6wDWli+QEauMZc8ZRv37sIW2iJKq3M9Mx/KSbkJ0", 50), "ReceiptHandleError", 400);
await refused(mns.changeMessageVisibility(queue + "-none", handle, 50), "QueueNotExist", 404);
const changed = (await mns.changeMessageVisibility(queue, handle, 50)).body;
assert.equal(changed.NextVisibleTime.length, 13);
assert.ok(Math.abs(Number(changed.NextVisibleTime) - Date.now() - 50_000) < 5_000);
await refused(mns.changeMessageVisibility(queue, handle, 50), "MessageNotExist", 404);
await refused(mns.deleteMessage(queue, handle), "MessageNotExist", 404);
assert.equal((await mns.deleteMessage(queue, changed.ReceiptHandle)).code, 204);
await refused(mns.deleteMessage(queue, changed.ReceiptHandle), "MessageNotExist", 404);

// A delayed one, taken back by its sender; and a poll that ends with a message.
const later = (await mns.sendMessage(queue, { MessageBody: "later", DelaySeconds: 600 })).body;
assert.equal((await mns.getQueueAttributes(queue)).body.DelayMessages, "1");
assert.equal((await mns.deleteMessage(queue, later.ReceiptHandle)).code, 204);
const poll = mns.receiveMessage(queue, 20);
await mns.sendMessage(queue, { MessageBody: "while somebody waits" });
await mns.deleteMessage(queue, (await poll).body.ReceiptHandle);

// Batches.
const batch = await mns.batchSendMessage(queue, ["a", "b", "c"].map((b) => ({ MessageBody: b })));
assert.deepEqual([batch.code, ...batch.body.map((m) => m.MessageBodyMD5)], [201, md5("a"), md5("b"), md5("c")]);
const mixed = await mns.batchSendMessage(queue, [{ MessageBody: "d" }, { MessageBody: "e", Priority: 17 }]);
assert.deepEqual([mixed.code, mixed.body[0].MessageBodyMD5, mixed.body[1].ErrorCode], [500, md5("d"), "InvalidArgument"]);
assert.equal((await mns.batchPeekMessage(queue, 16)).body.length, 4);
const all = (await mns.batchReceiveMessage(queue, 16, 1)).body;
assert.deepEqual(all.map((m) => m.MessageBody), ["a", "b", "c", "d"]);
const handles = all.map((m) => m.ReceiptHandle);
const part = await mns.batchDeleteMessage(queue, [handles[0], "nonsense"]);
assert.deepEqual([part.code, part.body.length, part.body[0].ErrorCode, part.body[0].ReceiptHandle], [404, 1, "ReceiptHandleError", "nonsense"]);
assert.equal((await mns.batchDeleteMessage(queue, handles.slice(1))).code, 204);
await refused(mns.batchReceiveMessage(queue, 16), "MessageNotExist", 404);
await refused(mns.batchReceiveMessage(queue, 17), "InvalidArgument", 400);

assert.equal((await mns.deleteQueue(queue)).code, 204);
assert.equal((await mns.deleteQueue(dead)).code, 204);
await refused(mns.getQueueAttributes(queue), "QueueNotExist", 404);
console.log("every operation answered as the client expects");
