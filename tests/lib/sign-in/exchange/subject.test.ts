/** Checks an id_token's subject against the customer that the Customer Account API returns. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { exchangeCodeForTokens } from '../../../../lib/sign-in/exchange/exchange-code-for-tokens.ts';
import { ADA, outcome, signedIn, signInToCode, use } from '../world/journey.ts';
import { createWorld, SHOP_ID, type World } from '../world/world.ts';

const BEN = 7001002;
const gid = (id: number | string) => `gid://shopify/Customer/${id}`;

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const sessionsOf = (id: number) => world.deps.sessions.listOf(SHOP_ID, id as typeof ADA);
const requests = () => world.platform.state.requests.filter(({ path }) => path === '/customer').length;
const alarms = () => world.logs.filter(({ fields }) => fields.alarm === 'sign_in_subject');

describe.each([
  ['digits', `${ADA}`],
  ['a global id', gid(ADA)],
])('a subject that names another customer, as %s', (_what, subject) => {
  test('is rejected, also when it is sent again, and rings', async () => {
    world.platform.state.customerId = gid(BEN);
    const request = await signInToCode(world, subject);
    for (let times = 0; times < 2; times++) {
      expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('SIGN_IN_REJECTED');
    }
    expect([await sessionsOf(ADA), await sessionsOf(BEN)]).toEqual([[], []]);
    expect(alarms().map(({ fields }) => fields)).toEqual([
      { alarm: 'sign_in_subject', shopId: SHOP_ID, named: ADA, customerId: BEN },
    ]);

    expect(world.platform.codeGrants()).toBe(1);
  });

  test('does not get in where that customer has signed in before', async () => {
    const pair = await signedIn(world);
    world.platform.state.customerId = gid(BEN);
    expect(await outcome(exchangeCodeForTokens(world.deps, await signInToCode(world, subject)))).toBe(
      'SIGN_IN_REJECTED',
    );
    expect(await sessionsOf(ADA)).toHaveLength(1);
    await use(world.deps, pair);
  });

  test('is not asked about where the operator trusts it', async () => {
    await world.putStore({ trustsSubject: true });
    world.platform.state.faults.set('customer', { status: 503 });
    const pair = await exchangeCodeForTokens(world.deps, await signInToCode(world, subject));
    expect([pair.customerId, requests(), alarms()]).toEqual([ADA, 0, []]);
  });
});

test.each([
  ['names nobody', null],
  ['names a customer of another kind', 'gid://shopify/Company/7001001'],
  ['names a number that is none', gid('9007199254740993')],
])('a Customer Account API that %s is no proof', async (_what, customerId) => {
  world.platform.state.customerId = customerId;
  expect(await outcome(exchangeCodeForTokens(world.deps, await signInToCode(world)))).toBe(
    'SIGN_IN_REJECTED',
  );
  expect(await sessionsOf(ADA)).toEqual([]);
});

test('an opaque subject is asked about, trusted or not', async () => {
  await world.putStore({ trustsSubject: true });
  const pair = await exchangeCodeForTokens(world.deps, await signInToCode(world, 'f3a1-opaque'));
  expect([pair.customerId, requests()]).toEqual([ADA, 1]);
});
