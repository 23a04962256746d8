/** An address without delivery options because one of its fields is wrong: the error names the field. */
import { describe, expect, test } from '@jest/globals';
import {
  type Acting,
  createOperationWorld,
  gid,
  type OperationWorld,
} from '../../../contract/world/operation-world.ts';

const QUERY = `mutation ($contractId: ID!, $to: SubscriptionDeliveryAddressInput!) {
  subscriptionContractDeliveryUpdate(contractId: $contractId, deliveryMethod: $to) {
    contract { id }
    deliveryOptions { code }
    userErrors { field message code }
  }
}`;
const BANGOR = {
  ...{ firstName: 'Ada', lastName: 'Brewer', address1: '1 Main Street', city: 'Bangor' },
  ...{ countryCode: 'US', provinceCode: 'ME', zip: '04401' },
};
const ABROAD = { ...BANGOR, countryCode: 'JP' };
const WEEKLY = 9_101_001;

const PARTS = [
  ['firstName', '<b>x</b>', 'den Namen'],
  ['lastName', 'https://example.com', 'den Namen'],
  ['company', '<b>', 'die Firma'],
  ['address1', '<script>', 'die Straße'],
  ['address2', 'http://example.com', 'die Straße'],
  ['city', '<i>Bangor</i>', 'den Ort'],
  ['phone', '<b>1', 'die Telefonnummer'],
  ['zip', '<b>', 'die Postleitzahl'],
] as const;

const KINDS = [
  ['shipping', (address: object) => ({ shipping: address })],
  [
    'localDelivery',
    (address: object) => ({
      localDelivery: address,
      localDeliveryPhone: '+12075550123',
      instructions: 'Ring',
    }),
  ],
] as const;

function sendAddress(to: object, { as, world }: { as: Acting; world: OperationWorld }) {
  const variables = { contractId: gid('SubscriptionContract', WEEKLY), to };
  return world.run({ as, query: QUERY, variables, acceptLanguage: 'de' });
}

const steps = (sent: readonly string[][]) => sent.map(([root]) => root);
const SENT_ONCE = [
  ...['subscriptionContract', 'subscriptionContractUpdate', 'subscriptionDraft'],
  'subscriptionDraftUpdate',
];

describe.each(KINDS)('%s', (kind, toOf) => {
  test.each(PARTS)('a wrong %s (%s) is told at the client’s own field', async (part, value, named) => {
    const to = toOf({ ...BANGOR, [part]: value });
    const field = ['deliveryMethod', kind, part];
    const world = createOperationWorld();
    const before = structuredClone(world.contract(WEEKLY));
    const customer = await sendAddress(to, { as: 'customer', world });
    expect(customer.payload).toEqual({
      contract: null,
      deliveryOptions: [],
      userErrors: [{ field, code: 'INVALID', message: expect.stringContaining(named) }],
    });
    expect(world.contract(WEEKLY)).toEqual(before);
    expect(customer.recorded.map(({ outcome }) => outcome)).not.toContain('done');
    const { payload } = await sendAddress(to, { as: 'store', world });
    expect(payload.userErrors).toMatchObject([{ field, code: 'INVALID' }]);
  });

  test('a good address that nothing is delivered to: what is told stays, after one question', async () => {
    const world = createOperationWorld();
    const { payload, sent } = await sendAddress(toOf(ABROAD), { as: 'customer', world });
    expect(payload.userErrors).toMatchObject([
      { field: ['deliveryMethod', kind], message: 'Der Shop liefert nicht an diese Adresse.' },
    ]);
    expect(steps(sent)).toEqual(SENT_ONCE);
  });

  const REFUSAL = { code: 'INVALID', message: 'Words of the platform' };
  test.each([
    ['lost before', undefined],
    ['lost after', undefined],
    ['stale', undefined],
    ['refused', { ...REFUSAL, field: ['input', 'deliveryMethod', kind] }],
    ['refused', { ...REFUSAL, field: ['input', 'deliveryMethod', kind, 'address'] }],
    [
      'refused',
      { ...REFUSAL, field: ['input', 'deliveryMethod', 'localDelivery', 'localDeliveryOption', 'phone'] },
    ],
    ['refused', { ...REFUSAL, field: null }],
  ] as const)('%s where no part is named (%j): what is told stays', async (fault, refusal) => {
    const world = createOperationWorld();
    world.fail({ kind: fault, at: 'subscriptionDraftUpdate', ...(refusal && { refusal }) });
    const { payload, code, sent } = await sendAddress(toOf(ABROAD), { as: 'customer', world });
    expect([code, payload.userErrors]).toMatchObject([
      undefined,
      [{ field: ['deliveryMethod', kind], message: 'Der Shop liefert nicht an diese Adresse.' }],
    ]);
    expect(steps(sent)).toEqual(SENT_ONCE);
  });
});

test('no time left: what is told stays, inside the deadline', async () => {
  const world = createOperationWorld();
  const { holder } = world.platform;
  const { drafts } = world.platform.store();
  const set = drafts.set.bind(drafts);
  const startMs = holder.nowMs;
  // The opening of the draft took nearly all of it, and no points are left.
  drafts.set = (id, draft) => {
    holder.nowMs += 19_500;
    draft.deliveryOptionsRequested.push('deliveryOptions:1 Main Street|Bangor|04401|ME|JP|1190|250');
    world.throttle(9);
    return set(id, draft);
  };
  const { payload, sent } = await sendAddress({ shipping: ABROAD }, { as: 'customer', world });
  expect(payload.userErrors).toMatchObject([{ message: 'Der Shop liefert nicht an diese Adresse.' }]);
  expect(steps(sent).at(-1)).toBe('subscriptionDraftUpdate');
  expect(holder.nowMs - startMs).toBeLessThanOrEqual(20_000);
});
