/** Measures the delay of a change's webhook with `npm start`: the median and the maximum of 100 changes. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isFullSize } from '../../../full-size.ts';
import { startTestStack, type TestStack } from '../../../stack.ts';

/** In `npm test`, beside many other processes, a few show that they arrive. */
const CHANGES = isFullSize ? 100 : 3;
const WITHIN_MS = 2000;

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack({ webhooks: true });
});
afterAll(() => stack.stop());

async function ask(query: string) {
  const { baseUrl, adminKey } = stack;
  const response = await fetch(`${baseUrl}/api/admin/unstable/graphql.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${adminKey}` },
    body: JSON.stringify({ query }),
  });
  return (await response.json()) as {
    readonly data: {
      readonly subscriptionContracts: {
        readonly nodes: readonly { readonly id: string; readonly status: string }[];
      };
    };
    readonly errors?: unknown;
  };
}

type Received = { readonly atMs: number; readonly id: string; readonly body: string };

async function received(): Promise<Received[]> {
  const response = await fetch(new URL('/received', stack.merchantServerUrl));
  const all = (await response.json()) as Received[];
  return all.filter(({ body }) => JSON.parse(body).type === 'subscription.note_changed');
}

test(`the median of ${CHANGES} changes arrives within two seconds`, async () => {
  const { data } = await ask('{ subscriptionContracts(first: 50) { nodes { id status } } }');
  const nodes = data.subscriptionContracts.nodes.filter(({ status }) => status === 'ACTIVE');
  for (let change = 0; change < CHANGES; change++) {
    const { id } = nodes[change % nodes.length] ?? { id: '' };
    const { errors } = await ask(
      `mutation { subscriptionContractNoteUpdate(contractId: "${id}", note: "${change}") { userErrors { message } } }`,
    );
    expect(errors).toBeUndefined();
    // Changes at all parts of a second.
    await wait(137);
  }
  let arrived = await received();
  for (let tries = 0; arrived.length < CHANGES && tries < 120; tries++) {
    await wait(500);
    arrived = await received();
  }
  const waits = arrived
    .map(({ atMs, body }) => atMs - Date.parse(JSON.parse(body).timestamp))
    .sort((one, other) => one - other);
  const [median = Infinity, maximum = Infinity] = [waits[Math.floor(waits.length / 2)], waits.at(-1)];
  process.stdout.write(`${waits.length} changes: median ${median} ms, maximum ${maximum} ms\n`);
  expect(waits).toHaveLength(CHANGES);
  if (isFullSize) expect(median).toBeLessThanOrEqual(WITHIN_MS);
});
