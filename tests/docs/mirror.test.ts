/** docs/webhooks.md, "Keep a mirror": the code on the page keeps one that equals the API, by webhooks, by reading, and by both. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
// @ts-expect-error The example is plain JavaScript.
import { applyEvent, catchUp, factsOf, startMirror } from '../../examples/merchant/keep-mirror.mjs';
import { days, randomOf } from '../lib/store-events/model/model-script.ts';
import { createModelWorld } from '../lib/store-events/model/model-world.ts';

const [CHANGES, STEPS_A_DAY] = [200, 40];

test('the code on the page is the example', () => {
  const page = readFileSync('docs/webhooks.md', 'utf8');
  expect(page).toContain(`\`\`\`js\n${readFileSync('examples/merchant/keep-mirror.mjs', 'utf8')}\`\`\``);
});

test('a mirror equals the API after 200 changes with lost, doubled and late webhooks, however it is kept', async () => {
  const [steps = []] = fc.sample(days(CHANGES), { seed: 7, numRuns: 1 });
  const world = await createModelWorld();
  await world.install();
  const ask: Ask = (query, variables) => world.ask(query, variables);
  const byReading = await startMirror(ask);
  const byWebhooks = structuredClone(byReading);
  const byBoth = structuredClone(byReading);
  const afterLosses = structuredClone(byReading);
  const backwards = structuredClone(byReading);
  const backToWebhooks = structuredClone(byReading);
  let receivedByReading = 0;
  for (const [index, step] of steps.entries()) {
    await world.runStep(step);
    if (index % 7 === 0) await catchUp(ask, byReading);
    if (index % STEPS_A_DAY === STEPS_A_DAY - 1) await world.reconcile();
    // Switches from webhooks to polling during the run, without a gap.
    if (index === Math.floor(steps.length / 2)) await catchUp(ask, byBoth);
    // Switches from polling to webhooks: creates the endpoint, then reads once more.
    if (index === 60) receivedByReading = world.receipts()[0]?.receipts.length ?? 0;
    if (index === 70) await catchUp(ask, backToWebhooks);
  }
  await world.reconcile();
  await catchUp(ask, byReading);
  const [endpoint] = world.receipts();
  for (const { body } of endpoint?.receipts ?? []) {
    applyEvent(byWebhooks, body);
    applyEvent(byBoth, body);
  }
  const draw = randomOf(7);
  const bodies = (endpoint?.receipts ?? []).map(({ body }) => body);
  // More than half are lost, the others come twice and in any order; then the whole is read from the start.
  const shuffled = bodies.filter(() => draw() < 0.4).flatMap((body) => [body, body]);
  shuffled.sort(() => draw() - 0.5);
  for (const body of shuffled) applyEvent(afterLosses, body);
  await catchUp(ask, afterLosses);
  for (const body of bodies.toReversed()) applyEvent(backwards, body);
  expect(receivedByReading).toBeGreaterThan(0);
  for (const body of bodies.slice(receivedByReading)) applyEvent(backToWebhooks, body);
  const fresh = comparable(await startMirror(ask));
  expect(comparable(byReading)).toEqual(fresh);
  expect(comparable(byWebhooks)).toEqual(fresh);
  expect(comparable(byBoth)).toEqual(fresh);
  expect(comparable(afterLosses)).toEqual(fresh);
  expect(comparable(backwards)).toEqual(fresh);
  expect(comparable(backToWebhooks)).toEqual(fresh);
  const { subscriptionContracts } = (await ask(FIRST)) as {
    subscriptionContracts: { nodes: [{ id: string }] };
  };
  const [first] = subscriptionContracts.nodes;
  expect(byReading.contracts.get(first.id).facts).toMatchObject(factsOf(first));
});

const FIRST = `{ subscriptionContracts(first: 1) { nodes { id status deliveryPrice { amount currencyCode }
  discounts(first: 50) { nodes { id title } } lines(first: 100) { nodes { id quantity variantId } } } } }`;

type Ask = (query: string, variables?: Readonly<Record<string, unknown>>) => Promise<unknown>;
type Mirror = {
  readonly contracts: ReadonlyMap<string, { readonly facts: Readonly<Record<string, unknown>> }>;
};

/** The facts of each subscription; a new mirror has queried no orders. */
function comparable({ contracts }: Mirror) {
  return Object.fromEntries(
    [...contracts].map(([id, { facts }]) => [
      id,
      Object.fromEntries(Object.entries(facts).filter(([field]) => !field.startsWith('billingCycles.'))),
    ]),
  );
}
