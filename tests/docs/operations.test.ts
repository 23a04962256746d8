/** Every example of docs/operations.md does what the page says, with as many platform requests as its table says. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createOperationWorld, gid, type OperationWorld } from '../contract/operation-world.ts';

const PAGE = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
const EXAMPLE = /^### (\S+)\n+```graphql (customer|store)\n([^`]+)```/gm;
const ROW = /^\| \[(\S+)\]\(\S+\) \| [^|]+ \| (\d+)/gm;
const WEEKLY = 9_101_001;
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

test.each(examples)('$name', async ({ name, as, document }) => {
  const world = createOperationWorld();
  prepare(world);
  const query = document
    .replace('PAYMENT_METHOD', gid('CustomerPaymentMethod', CARD))
    .replace('DISCOUNT', gid('SubscriptionManualDiscount', DISCOUNT));
  const { code, payload, sent } = await world.run({ as, query });
  expect(code).toBeUndefined();
  expect(payload.userErrors).toEqual([]);
  expect(sent).toHaveLength(requests.get(name) ?? 0);
});

/** What an example needs beside the seed: a second card, a discount. */
function prepare({ platform, contract }: OperationWorld): void {
  const { content } = contract(WEEKLY);
  const { paymentMethods } = platform.store();
  const card = paymentMethods.get(content.paymentMethodId ?? '');
  if (card === undefined) throw new Error('The contract has no card.');
  paymentMethods.set(CARD, { ...card, id: CARD });
  content.discounts.push({
    id: DISCOUNT,
    title: 'Goodwill',
    type: 'MANUAL',
    targetType: 'LINE_ITEM',
    value: { percentage: 10 },
    lineIds: null,
    recurringCycleLimit: null,
    usageCount: 0,
    redeemCode: null,
    rejectionReason: null,
  });
}
