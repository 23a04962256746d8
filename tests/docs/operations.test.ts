/** Every example of docs/operations.md does what the page says, with as many platform requests as its table says. */

import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { forwardedChange } from '../../graphql/plan/forwarded-changes.ts';
import { adminSchema } from '../../graphql/schema/schema.ts';
import { dayMs, isoInstant } from '../../infra/local/platform/state/instant.ts';
import { neededAccess } from '../../lib/stores/needed-access.ts';
import { discountByHand } from '../contract/discount-by-hand.ts';
import { createOperationWorld, gid, type OperationWorld } from '../contract/operation-world.ts';
import { NOW_MS } from '../graphql/plan/harness.ts';
import { accessOfDocument } from '../lib/stores/access-of-document.ts';
import { createMemoryTable } from '../memory-table.ts';

const PAGE = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
const EXAMPLE = /^### (\S+)\n+```graphql (customer|store)\n([^`]+)```/gm;
const ROW = /^\| \[(\S+)\]\(\S+\) \| [^|]+ \| (\d+)/gm;
const WEEKLY = 9_101_001;
/** The cycle that runs at the time of the tests ends four days later. */
const CURRENT = 7;
const CARD = 'c0ffee';
const DISCOUNT = '0f0f0f0f-0000-4000-a000-00000000000d';

const examples = [...PAGE.matchAll(EXAMPLE)].map(([, name = '', as, document = '']) => ({
  name,
  as: as as 'customer' | 'store',
  document,
}));
const requests = new Map([...PAGE.matchAll(ROW)].map(([, name = '', count]) => [name, Number(count)]));
test('every mutation of the table has an example', () => {
  expect(examples.map(({ name }) => name).sort()).toEqual([...requests.keys()].sort());
});

/** What each change of the page needs of the platform. */
const needed = new Map<string, ReadonlySet<string>>();

test.each(examples)('$name', async ({ name, as, document }) => {
  const world = createOperationWorld();
  prepare(world, name);
  const query = document
    .replace('PAYMENT_METHOD', gid('CustomerPaymentMethod', CARD))
    .replace('DATE', isoInstant(NOW_MS + 20 * dayMs))
    .replace('IN_CYCLE_8', isoInstant(NOW_MS + 10 * dayMs))
    .replace('DISCOUNT', gid('SubscriptionManualDiscount', DISCOUNT));
  const { code, payload, sent, documents } = await world.run({ as, query, table: createMemoryTable() });
  needed.set(name, new Set(documents.flatMap((document) => [...accessOfDocument(document).keys()])));
  expect(code).toBeUndefined();
  expect(payload.userErrors).toEqual([]);
  expect(sent).toHaveLength(requests.get(name) ?? 0);
});

const QUERIES = PAGE.slice(PAGE.indexOf('## Queries'), PAGE.indexOf('## Mutations'));
const QUERY_ROW = /^\| (subscription\w+) \| both \| (\d)/gm;
const queries = [...QUERIES.matchAll(/```graphql customer\n([^`]+)```/g)].map(([, query = '']) => query);
const queryRequests = new Map(
  [...QUERIES.matchAll(QUERY_ROW)].map(([, name = '', count]) => [name, Number(count)]),
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

test.each(neededAccess)('the table of access tells what needs $handle', ({ handle, stops = [] }) => {
  const names = examples.map(({ name }) => name);
  const needing = names.filter((name) => needed.get(name)?.has(handle));
  expect(needing.sort()).toEqual(stops === 'every change' ? names.sort() : [...stops].sort());
});

test('the changes need nothing that the table does not have', () => {
  const handles = neededAccess.map(({ handle }) => handle);
  const strange = [...needed.values()].flatMap((own) =>
    [...own].filter((handle) => !handles.includes(handle)),
  );
  expect(strange).toEqual([]);
});

const TIMELINE = PAGE.slice(PAGE.indexOf('## The timeline'));

test('a customer may ask for the timeline as the page does', async () => {
  const query = /```graphql customer\n([^`]+)```/.exec(TIMELINE)?.[1] ?? '';
  const { code, payload } = await createOperationWorld().run({ as: 'customer', query });
  expect([code, payload.events.nodes]).toEqual([undefined, []]);
});

test('the forwarded mutations of the page are those that have entries', () => {
  const named = [...TIMELINE.matchAll(/^\| ([\w, ]+) \| `/gm)].flatMap(([, names = '']) => names.split(', '));
  const mutations = Object.keys(adminSchema().getMutationType()?.getFields() ?? {});
  expect(named.sort()).toEqual(mutations.filter((name) => forwardedChange(name) !== undefined).sort());
});

/** What an example needs beside the seed: a second card, a discount; an order that is due. */
function prepare({ platform, contract }: OperationWorld, name: string): void {
  const { content, cycleEdits } = contract(WEEKLY);
  if (name === 'subscriptionBillingCycleCharge') {
    cycleEdits[CURRENT] = { skipped: false, billingDate: isoInstant(NOW_MS + dayMs / 2), contract: null };
  }
  const { paymentMethods } = platform.store();
  const card = paymentMethods.get(content.paymentMethodId ?? '');
  if (card === undefined) throw new Error('The contract has no card.');
  paymentMethods.set(CARD, { ...card, id: CARD });
  content.discounts.push(discountByHand({ id: DISCOUNT, title: 'Goodwill' }));
}
