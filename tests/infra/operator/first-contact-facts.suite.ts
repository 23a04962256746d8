/** Each step against the emulated platform in either way that it can be. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { allSteps } from '../../../infra/operator/first-contact/steps/all-steps.ts';
import { type FirstContactWorld, prepaid } from './first-contact-world.ts';

let world: FirstContactWorld;

const setting = (settings: object) => () => world.setting(settings);
const withhold = (...withheld: string[]) => world.control('scopes', { withheld });
const admin = (operation: string, fault: object, count = 1) =>
  world.fault({ target: 'admin', operation, count, ...fault });
const named = (sub: string) => async () => {
  await world.setting({ subjects: { 7001001: sub } });
  return byAda();
};
const byAda = async () => ({ type: world.signInAt('ada@example.com') });
const nothing = async () => undefined;

const oldOrder = {
  data: { orders: { nodes: [{ id: 'gid://shopify/Order/1', createdAt: '2024-01-01T00:00:00Z' }] } },
};
const place = {
  __typename: 'SubscriptionPickupOption',
  code: 'pickup',
  location: { id: 'gid://shopify/Location/1' },
};
const places = { data: { subscriptionDraft: { deliveryOptions: { deliveryOptions: [place] } } } };

type Case = [name: string, when: string, setUp: () => Promise<unknown>, verdict: string, words: string];
const cases: Case[] = [
  ['api-version', 'as documented', nothing, 'so', 'oldest that lives is 2026-07'],
  [
    'api-version',
    'another version answers',
    () =>
      admin('FirstContactVersion', { body: { data: {} }, headers: { 'x-shopify-api-version': '2026-10' } }),
    'not so',
    '2026-07 is answered by 2026-10',
  ],
  [
    'api-version',
    'an expired one is not there',
    async () => {
      await admin('FirstContactVersion', {
        body: { data: {} },
        headers: { 'x-shopify-api-version': '2026-07' },
      });
      await admin('FirstContactVersion', { status: 404 });
    },
    'not so',
    'not answered by a living one',
  ],
  ['discovery', 'served', nothing, 'so', 'pinned one'],
  ['discovery', 'moved', setting({ discovery: 'moved' }), 'not so', 'does not serve them itself'],
  [
    'discovery',
    'down',
    () => world.fault({ target: 'sign-in', operation: 'discovery', count: 4, status: 503 }),
    'not measured',
    'did not answer',
  ],
  ['origin', 'refused', nothing, 'so', 'it is refused'],
  ['origin', 'taken', setting({ origin: 'taken' }), 'so', 'taken, too'],
  ['origin', 'needed', setting({ origin: 'needed' }), 'not so', 'with an Origin alone'],
  [
    'origin',
    'down',
    () => world.fault({ target: 'sign-in', operation: 'token', count: 3, status: 503 }),
    'not measured',
    'in every form',
  ],
  ['app-secret', 'as documented', nothing, 'so', 'either form'],
  [
    'app-secret',
    'in other words',
    () => admin('access_token', { status: 400, body: { error: 'invalid_request' } }, 2),
    'not so',
    'other words',
  ],
  [
    'app-secret',
    'taken',
    () => admin('access_token', { body: { access_token: 'x' } }),
    'not so',
    'all the same',
  ],
  [
    'app-secret',
    'down',
    () => admin('access_token', { status: 503 }, 2),
    'not measured',
    'if the platform is not down',
  ],
  ['app-secret', 'a token alone', async () => ({ hasApp: false }), 'not measured', 'token alone'],
  ['nodes-cost', 'by its ids', nothing, 'so', 'Each id costs 2'],
  ['nodes-cost', 'once', setting({ nodesCost: 'once' }), 'not so', 'however many'],
  ['old-orders', 'granted', nothing, 'not measured', 'they are seen'],
  ['old-orders', 'hidden', () => withhold('read_all_orders'), 'so', '9101002'],
  [
    'old-orders',
    'seen without',
    async () => {
      await withhold('read_all_orders');
      await admin('FirstContactOldOrders', { body: oldOrder });
    },
    'not so',
    'without it',
  ],
  ['cycle-range', 'answered', nothing, 'so', '501 cycles'],
  ['cycle-range', 'refused', setting({ longRanges: 'refused' }), 'not so', 'INVALID_FIELD_ARGUMENTS'],
  [
    'prepaid-price',
    'no such contract',
    nothing,
    'not measured',
    'billed every 3 months, delivered every month',
  ],
  ['prepaid-price', 'of the payment', () => prepaid(world, '30'), 'so', 'computed price is the policy'],
  ['prepaid-price', 'of each delivery', () => prepaid(world, '90'), 'not so', 'that of each delivery'],
  ['prepaid-price', 'neither', () => prepaid(world, '45'), 'not so', 'neither'],
  ['sub', 'the number', byAda, 'so', 'the same'],
  ['sub', 'another number', named('7001002'), 'not so', 'every sign-in is rejected'],
  ['sub', 'no number', named('c-7f3a'), 'not so', 'each sign-in asks'],
  ['sub', 'nobody there', nothing, 'not measured', 'Nobody is at the terminal'],
  [
    'sub',
    'another sign-in is pasted',
    async () => ({ type: async () => 'shop.81234567001.app://callback?code=x&state=y' }),
    'not measured',
    'another sign-in',
  ],
  [
    'sub',
    'something else is pasted',
    async () => ({ type: async () => 'https://example.com' }),
    'not measured',
    'does not begin with',
  ],
  ['storefront-token', 'allowed', nothing, 'so', 'deleted'],
  [
    'storefront-token',
    'denied',
    () => withhold('unauthenticated_read_product_listings'),
    'not so',
    'not granted: unauthenticated_read_product_listings',
  ],
  ['pickup-locations', 'granted', nothing, 'not measured', 'has read_locations'],
  ['pickup-locations', 'denied', () => withhold('read_locations'), 'so', 'ACCESS_DENIED'],
  [
    'pickup-locations',
    'told all the same',
    async () => {
      await withhold('read_locations');
      await admin('FirstContactOptions', { body: places });
    },
    'not so',
    'without it',
  ],
  ['empty-discount', 'refused', nothing, 'so', 'NO_ENTITLED_LINES'],
  ['empty-discount', 'kept', setting({ emptyDiscounts: 'kept' }), 'not so', 'committed'],
  ['rhythm', 'after the current cycle', nothing, 'so', 'keeps its end'],
  [
    'rhythm',
    'from the current cycle',
    () => world.control('rescheduling', { rescheduling: 'FROM_CURRENT_CYCLE' }),
    'so',
    'anew from its start',
  ],
  ['two-attempts', 'one at a time', nothing, 'so', 'in progress'],
  ['two-attempts', 'several', setting({ openAttempts: 'several' }), 'not so', 'charged twice'],
];

export function whatIsSo(given: () => FirstContactWorld): void {
  beforeAll(() => {
    world = given();
  });

  describe('what is so', () => {
    test.each(cases)('%s, %s', async (name, _when, setUp, verdict, words) => {
      const options = ((await setUp()) ?? {}) as { contracts?: string[]; type?: () => Promise<string> };
      const isOption = ['contracts', 'type', 'hasApp'].some((name) => name in options);
      const found = await world.find(name, isOption ? options : {});
      expect(found).toMatchObject({ verdict, words: expect.stringContaining(words) });
    });

    test('every step is played in every way that the platform may be', () => {
      for (const { name } of allSteps) {
        const verdicts = new Set(cases.filter(([each]) => each === name).map(([, , , verdict]) => verdict));
        expect([name, verdicts.has('so')]).toEqual([name, true]);
        // A rhythm has no third way here.
        expect([name, verdicts.has('not so') || name === 'rhythm']).toEqual([name, true]);
      }
    });
  });
}
