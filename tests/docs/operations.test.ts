/** Every example of docs/operations.md does what the page says, with as many platform requests as its table says. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { composeBillingCharges } from '../../functions/compose/compose-billing-charges.ts';
import { findMutation } from '../../graphql/mutations/mutations.ts';
import { getAdminSchema } from '../../graphql/schema/schema.ts';
import { createBillingSettings } from '../../lib/billing/records/settings.ts';
import { DEFAULT_BILLING_SETTINGS } from '../../lib/billing/records/settings-record.ts';
import type { StoreRecord } from '../../lib/storage/stores.ts';
import type { Table } from '../../lib/storage/table.ts';
import type { ContractNumber } from '../../lib/timeline/event-record.ts';
import { DAY_MS } from '../../sandbox/platform/state/instant.ts';
import { createOperationWorld } from '../contract/world/operation-world.ts';
import { NOW_MS, store } from '../graphql/world/harness.ts';
import { createMemoryTable } from '../memory-table.ts';
import { createStoreWorld } from '../world/store-world.ts';
import { examples, PAGE, prepare, queries } from './operations-page.ts';

const ROW = /^\| \[(\S+)\]\(\S+\) \| [^|]+ \| (\d+)/gm;
const requests = new Map([...PAGE.matchAll(ROW)].map(([, name = '', count]) => [name, Number(count)]));
const mutationNames = Object.keys(getAdminSchema().getMutationType()?.getFields() ?? {});

test('every mutation of the table has an example', () => {
  expect(examples.map(({ name }) => name).sort()).toEqual([...requests.keys()].sort());
});

test("describes each of the service's own mutations that change a subscription in a section", () => {
  const own = mutationNames.filter((name) => {
    const record = findMutation(name);
    return record?.kind === 'service' && record.recordsChanges === true;
  });
  const sections = new Set([...PAGE.matchAll(/^### (\S+)$/gm)].map(([, name]) => name));
  expect(own.length).toBeGreaterThan(15);
  expect(own.filter((name) => !sections.has(name))).toEqual([]);
  expect(own.filter((name) => !requests.has(name))).toEqual([]);
});

test("names each of the service's own other mutations in a guide", () => {
  const guides = ['billing', 'merchant-servers', 'mobile', 'webhooks', 'operators'].map((name) =>
    readFileSync(`docs/${name}.md`, 'utf8'),
  );
  const others = mutationNames.filter((name) => {
    const record = findMutation(name);
    return record?.kind === 'service' && record.recordsChanges !== true;
  });
  expect(others).toContain('webhookEndpointCreate');
  expect(others.filter((name) => !guides.some((text) => text.includes(name)))).toEqual([]);
});

test("the page's first example skips the order and returns no user errors", async () => {
  const query = /^## An example\n[^`]*```graphql customer\n([^`]+)```/m.exec(PAGE)?.[1] ?? '';
  const world = createStoreWorld(createMemoryTable());
  const { asFunction } = world.process();
  const { code, payload } = await world.run({ as: 'customer', query, ...asFunction });
  expect(code).toBeUndefined();
  expect(payload).toMatchObject({ billingCycle: { cycleIndex: 8, skipped: true }, userErrors: [] });
});

test("the page's example of a preview returns the new price, and changes nothing", async () => {
  const section = PAGE.slice(PAGE.indexOf('### Previews of a change'));
  const query = /```graphql customer\n([^`]+)```/.exec(section)?.[1] ?? '';
  const world = createOperationWorld();
  const before = structuredClone(world.contract(9_101_001));
  const { code, payload } = await world.run({ as: 'customer', query, table: createMemoryTable() });
  expect([code, payload.userErrors]).toEqual([undefined, []]);
  expect(payload.preview).toMatchObject({ total: { currencyCode: 'USD' }, taxesIncluded: true, date: null });
  expect(world.contract(9_101_001)).toEqual(before);
});

test.each(examples)('$name', async ({ name, as, query }) => {
  const world = createOperationWorld();
  prepare(world, name);
  const table = createMemoryTable();
  if (name === 'subscriptionOrderPostponementRevert') {
    const postpone = examples.find((one) => one.name === 'subscriptionOrderPostpone');
    await world.run({ as, query: postpone?.query ?? '', table });
  }
  if (name === 'subscriptionContractPaymentRetry') await declineByBilling(table, NOW_MS);
  const settings: StoreRecord = { ...store, sendNow: 'MOVE' };
  const { code, payload, sent } = await world.run({ as, query, table, store: settings });
  expect(code).toBeUndefined();
  expect(payload.userErrors).toEqual([]);
  expect(sent).toHaveLength(requests.get(name) ?? 0);
});

/** The service bills the store, and a payment of the contract was declined. */
async function declineByBilling(table: Table, nowMs: number): Promise<void> {
  const now = () => nowMs;
  const on = { ...DEFAULT_BILLING_SETTINGS, enabled: true };
  await createBillingSettings({ table, now }).write(store.shopId, DEFAULT_BILLING_SETTINGS, on);
  await composeBillingCharges({ table, now }).create({
    ...{ shopId: store.shopId, contractNumber: '9101001' as ContractNumber, cycleIndex: 7 },
    ...{ state: 'RETRYING', failedTryCount: 1, runDate: '2026-11-18', expectedAtMs: nowMs - DAY_MS },
    firstTryAtMs: nowMs - DAY_MS,
  });
}

const QUERY_ROW = /^\| (subscription\w+) \| both \| (\d)/gm;
const queryRequests = new Map(
  [...PAGE.matchAll(QUERY_ROW)].map(([, name = '', count]) => [name, Number(count)]),
);

test.each([...queryRequests])(
  'the page asks for %s as a customer may, in %d requests',
  async (name, count) => {
    const query = queries.find((one) => one.includes(`${name}(`)) ?? '';
    const { code, payload, sent } = await createOperationWorld().run({
      as: 'customer',
      query,
      table: createMemoryTable(),
    });
    expect(code).toBeUndefined();
    expect(JSON.stringify(payload)).toContain('"nodes":[{');
    expect(sent).toHaveLength(count);
  },
);

const TIMELINE = PAGE.slice(PAGE.indexOf('## The timeline'));

test('a customer may ask for the timeline as the page does', async () => {
  const query = /```graphql customer\n([^`]+)```/.exec(TIMELINE)?.[1] ?? '';
  const { code, payload } = await createOperationWorld().run({ as: 'customer', query });
  expect([code, payload.events.nodes]).toEqual([undefined, []]);
});

test('the forwarded mutations of the page are those that have entries', () => {
  const named = [...TIMELINE.matchAll(/^\| ([\w, ]+) \| `/gm)].flatMap(([, names = '']) => names.split(', '));
  expect(named.sort()).toEqual(
    mutationNames.filter((name) => findMutation(name)?.kind === 'forwarded').sort(),
  );
});
