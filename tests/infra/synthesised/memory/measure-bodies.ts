/**
 * By hand, for tools/capacity: the peak memory of the deployed functions with routes that send no large responses, from the
 * start through sign-ins and the largest bodies that they accept. Writes tools/capacity/measured-bodies.json.
 * `MEMORY_MB=256 node --import=./tests/network-off.mjs tests/infra/synthesised/memory/measure-bodies.ts`;
 * without MEMORY_MB the functions have the memory of the template.
 */
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { customerSteps } from '../../../../sandbox/demo/customer-steps.ts';
import { runSteps } from '../../../../sandbox/demo/demo-run.ts';
import type { BodyMemory } from '../../../../tools/capacity/measured-memory.ts';
import { giveClientSecret } from '../as-operator.ts';
import { silent } from '../as-people.ts';
import { peakMbOf } from '../runtime-host.ts';
import { startSizedTemplate } from './sized-template.ts';

const FILE = 'tools/capacity/measured-bodies.json';
/** The limits of the functions (`limitBody`). */
const SIGN_IN_BYTES = 64 * 1024;
const WEBHOOK_BYTES = 1024 * 1024;
const ROUNDS = 100;
const SIGN_INS = 20;
const CLIENT_SECRET = 'a secret of the measurement';
const SIGN_IN_PATHS = ['start', 'exchange', 'refresh', 'revoke'].map((name) => `/headless-auth/${name}`);

await using parts = new AsyncDisposableStack();
const running = await startSizedTemplate(parts);
const [store] = running.stores;
if (store === undefined) throw new Error('There is no store.');
await giveClientSecret(running, store.shopId, CLIENT_SECRET);

const functions = {
  'headless-auth': await measure('headless-auth', async () => {
    const [customer] = running.platform.customers;
    if (customer === undefined) throw new Error('There is no customer.');
    const stack = { baseUrl: running.baseUrl, platformUrl: running.platform.url, ...store };
    for (let count = 0; count < SIGN_INS; count++)
      await runSteps(customerSteps.slice(0, 1), {
        stack: { ...stack, customers: [customer] },
        show: silent,
        saved: new Map(),
      });
    for (let round = 0; round < ROUNDS; round++)
      for (const path of SIGN_IN_PATHS)
        for (const body of largestBodies(SIGN_IN_BYTES)) await post(path, body);
  }),
  'platform-webhooks': await measure('platform-webhooks', async () => {
    for (let round = 0; round < ROUNDS; round++)
      for (const body of largestBodies(WEBHOOK_BYTES)) {
        const status = await post('/platform/webhooks', body, {
          'x-shopify-topic': 'subscription_contracts/update',
          'x-shopify-shop-domain': store.shop,
          'x-shopify-hmac-sha256': createHmac('sha256', CLIENT_SECRET).update(body).digest('base64'),
        });
        if (status === 401 || status === 413) throw new Error(`The webhook was refused: ${status}.`);
      }
  }),
};
console.log(JSON.stringify(functions, null, 2));
writeFileSync(FILE, `${JSON.stringify(functions, null, 2)}\n`);

/** Many small objects, deep nesting, and a text of escapes: each as long as is accepted. */
function largestBodies(bytes: number): string[] {
  const fields = `{"id":9101001,"admin_graphql_api_id":"gid://shopify/SubscriptionContract/9101001","more":`;
  const room = bytes - fields.length - 4;
  const objects = `[${Array(Math.floor(room / 8))
    .fill('{"a":[]}')
    .join(',')}]`.slice(0, room);
  const whole = `${objects.slice(0, objects.lastIndexOf(',{'))}]`;
  const depth = Math.floor(room / 2);
  return [whole, '['.repeat(depth) + ']'.repeat(depth), `"${'\\u00e9'.repeat(Math.floor(room / 6))}"`].map(
    (more) => `${fields}${more}}`,
  );
}

async function post(
  path: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const response = await fetch(running.baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}

/** Measures the peak memory of the function after its start and after the load. */
async function measure(name: string, load: () => Promise<void>): Promise<BodyMemory> {
  const hosted = running.functions.find(({ functionName }) => functionName.endsWith(name));
  if (hosted === undefined) throw new Error(`There is no ${name}.`);
  const { pid, memoryMb } = hosted;
  const startedMb = peakMbOf(pid);
  await load();
  return { memoryMb, startedMb, peakMb: peakMbOf(pid) };
}
