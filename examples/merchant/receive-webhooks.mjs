/** Receives webhooks: WEBHOOK_SECRET=whsec_… PORT=8080 node receive-webhooks.mjs. Requires `npm install standardwebhooks`. */
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const { WEBHOOK_SECRET, PORT = '8080', STACK_CLOCK } = process.env;
const webhook = new Webhook(WEBHOOK_SECRET);
// Put both into your database: ids under a unique key for 30 days, events into a queue.
const seen = new Set();
const queue = [];
const machineNow = Date.now;

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    if (STACK_CLOCK) await followStack();
    // Verify the raw bytes: JSON that is parsed and serialized again has another signature.
    const event = webhook.verify(Buffer.concat(chunks), request.headers);
    if (!seen.has(request.headers['webhook-id'])) queue.push(event);
    seen.add(request.headers['webhook-id']);
    // Respond first, and process the event afterwards.
    response.writeHead(204).end(work);
  } catch {
    response.writeHead(401).end();
  }
}).listen(Number(PORT), () => console.log('listening'));

function work() {
  for (let event = queue.shift(); event !== undefined; event = queue.shift())
    console.log(event.type, event.data.contractId, JSON.stringify(event.data.changes));
}

/** Takes the time of `npm start`, whose clock a rehearsal moves. Leave STACK_CLOCK unset elsewhere: whoever sets it moves your clock. */
async function followStack() {
  const { now } = await (await fetch(STACK_CLOCK)).json();
  const aheadMs = Date.parse(now) - machineNow();
  Date.now = () => machineNow() + aheadMs;
}
