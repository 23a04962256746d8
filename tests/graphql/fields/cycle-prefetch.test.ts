/** The next orders of a list for a session that remembers its contracts: one round trip to the platform. */
import { setImmediate as tick } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { CustomerId } from '../../../lib/domain/customer-id.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import type { StandIn } from '../world/harness.ts';
import { createRememberedWorld } from '../world/remembered-world.ts';

const CUSTOMER = 'gid://platform/Customer/7001001';
const CARLA = 7001003 as CustomerId;
const [WEEKLY, MONTHLY, PAUSED, BENS] = ['9101001', '9101002', '9101003', '9101004'] as const;
const list = (
  args: string,
  selection = 'id nextOrder { date cycleIndex }',
  customer = CUSTOMER,
  variables = '',
) =>
  `query ${variables} {
    customer(id: "${customer}") { subscriptionContracts(${args}) { nodes { ${selection} } } } }`;
/** The emulated platform's cursor of the weekly contract. */
const CURSOR = Buffer.from(`last_id:${WEEKLY}`).toString('base64url');
const LIST = list('first: 10');

let world: ReturnType<typeof createRememberedWorld>;
beforeEach(() => {
  world = createRememberedWorld();
});

/** Answers the prefetch with `prefetch`, and all other requests as the platform does. */
const answeringPrefetch =
  (prefetch: StandIn): StandIn =>
  (sent) =>
    sent.isOptional ? prefetch(sent) : world.standIn(sent);

function prefetchedIds(
  sent: readonly { readonly isOptional?: boolean; readonly variables: object }[],
): string[] {
  const variables = sent.find(({ isOptional }) => isOptional)?.variables ?? {};
  const ids = Object.entries(variables).filter(([name]) => /^id\d+$/.test(name));
  return ids.map(([, id]) => String(id).replace(/.*\//, ''));
}

describe('round trips in sequence', () => {
  test('are two on the first visit and one for a returning customer', async () => {
    const first = await world.ask({ query: LIST });
    const returning = await world.ask({ query: LIST });
    expect([first.trips, returning.trips]).toEqual([2, 1]);
    expect(returning.sent).toHaveLength(2);
    expect(returning.result).toEqual(first.result);
    expect(first.data.customer.subscriptionContracts.nodes[0].nextOrder.cycleIndex).toBe(7);
  });

  test('are two when the list has a contract that is not remembered, which alone is read afterwards', async () => {
    world.memory.numbers = [WEEKLY];
    const { trips, sent } = await world.ask({ query: LIST });
    expect(trips).toBe(2);
    expect(sent.at(-1)?.variables).toMatchObject({ id0: expect.stringContaining(MONTHLY) });
    expect(sent.at(-1)?.variables).not.toHaveProperty('id1');
    expect((await world.ask({ query: LIST })).trips).toBe(1);
  });

  test('are one when the list has twenty-five contracts', async () => {
    world = createRememberedWorld(CARLA);
    const query = list('first: 25', 'nextOrder { date }', 'gid://platform/Customer/7001003');
    const first = await world.ask({ query });
    const returning = await world.ask({ query });
    expect([first.trips, returning.trips]).toEqual([2, 1]);
    expect(world.memory.numbers.length).toBeLessThanOrEqual(25);
    expect(returning.result).toEqual(first.result);
  });
});

describe('the prefetch', () => {
  beforeEach(() => {
    world.memory.numbers = [WEEKLY, MONTHLY];
  });

  test.each([
    ['a list without next orders', list('first: 10', 'id')],
    [
      'a list whose next orders are excluded',
      list('first: 10', 'id nextOrder @skip(if: $yes) { date }', CUSTOMER, '($yes: Boolean = true)'),
    ],
    ['a later page', list(`first: 10, after: "${CURSOR}"`)],
    [
      'one contract',
      `{ subscriptionContract(id: "gid://platform/SubscriptionContract/${WEEKLY}") { nextOrder { date } } }`,
    ],
    [
      'the list of another customer',
      list('first: 10', 'nextOrder { date }', 'gid://platform/Customer/7001002'),
    ],
  ])('is not sent for %s', async (_name, query) => {
    const { sent, errors } = await world.ask({ query });
    expect(errors.every((error) => error === 'FORBIDDEN at customer')).toBe(true);
    expect(sent.filter(({ isOptional }) => isOptional)).toEqual([]);
    expect(world.memory.writes).toEqual([]);
  });

  test.each([
    ['a number', list('first: 1'), [WEEKLY]],
    ['a variable', list('first: $first', 'nextOrder { date }', CUSTOMER, '($first: Int = 1)'), [WEEKLY]],
    ['no page size', list('reverse: true').replace('(reverse: true)', ''), [WEEKLY, MONTHLY]],
  ])('reads no more contracts than the list can have: %s', async (_name, query, expected) => {
    expect(prefetchedIds((await world.ask({ query })).sent)).toEqual(expected);
  });

  test('ignores what is no number, repeated numbers, and more than twenty-five', async () => {
    const many = Array.from({ length: 30 }, (_, index) => String(9102000 + index));
    world.memory.numbers = ['', '0', '../1', WEEKLY, WEEKLY, 'x'.repeat(600), ...many];
    const ids = prefetchedIds((await world.ask({ query: list('first: 50', 'nextOrder { date }') })).sent);
    expect(ids).toEqual([WEEKLY, ...many.slice(0, 24)]);
  });

  test.each<[string, StandIn]>([
    ['is not sent because points are scarce', () => Promise.reject(new ServiceError('THROTTLED'))],
    ['fails', () => Promise.reject(new Error('failed'))],
    ['has no data', () => ({ data: null, errors: [{ message: 'no' }] })],
    ['has data with errors', () => ({ data: { c0: null }, errors: [{ message: 'no', path: ['c0'] }] })],
  ])('changes nothing when it %s', async (_name, prefetch) => {
    const expected = await world.askWithoutMemory({ query: LIST });
    const { result, trips } = await world.ask({ query: LIST }, { answering: answeringPrefetch(prefetch) });
    expect(JSON.stringify(result)).toBe(JSON.stringify(expected.result));
    expect(trips).toBe(2);
  });

  test('has ended when the response leaves, also if the first request fails', async () => {
    let isOpen = false;
    const answering: StandIn = async (sent) => {
      if (!sent.isOptional) throw new ServiceError('PLATFORM_UNAVAILABLE');
      isOpen = true;
      for (let turn = 0; turn < 200; turn++) await tick();
      isOpen = false;
      return world.standIn(sent);
    };
    await expect(world.ask({ query: LIST }, { answering })).rejects.toThrow('PLATFORM_UNAVAILABLE');
    expect(isOpen).toBe(false);
  });

  test('has its own deadline of one second', async () => {
    const { sent } = await world.ask({ query: LIST });
    const deadlines = sent.map((one) => Reflect.get(one, 'deadlineAtMs'));
    expect(Math.max(...deadlines) - Math.min(...deadlines)).toBe(19_000);
  });

  test('is never used for a contract of another customer', async () => {
    world.memory.numbers = [BENS, WEEKLY, MONTHLY];
    const { result, sent } = await world.ask({ query: LIST });
    expect(prefetchedIds(sent)).toContain(BENS);
    expect(result).toEqual((await world.askWithoutMemory({ query: LIST })).result);
    expect(JSON.stringify(result)).not.toContain(BENS);
  });
});

describe('the remembered contracts', () => {
  test('are those with next orders, written once', async () => {
    for (let visit = 0; visit < 3; visit++) await world.ask({ query: LIST });
    expect(world.memory.writes).toEqual([[WEEKLY, MONTHLY]]);
  });

  test('stay when a shorter list, or a later page, is read', async () => {
    await world.ask({ query: LIST });
    const later = list(`first: 10, after: "${CURSOR}"`);
    for (const query of [list('first: 1'), later]) expect((await world.ask({ query })).errors).toEqual([]);
    expect(world.memory.writes).toHaveLength(1);
  });

  test('lose a contract that has ended, is paused, or does not exist', async () => {
    world.memory.numbers = [PAUSED, WEEKLY, '1', MONTHLY];
    const found = world.platform.store().contracts.get(Number(MONTHLY));
    if (found === undefined) throw new Error('The seed has no monthly contract.');
    found.content.status = 'CANCELLED';
    await world.ask({ query: LIST });
    expect(world.memory.writes).toEqual([[WEEKLY]]);
  });

  test('lose those that a complete list does not have, in one write', async () => {
    world.memory.numbers = [BENS, WEEKLY, '9102001', MONTHLY, '9102002'];
    await world.ask({ query: LIST });
    expect(world.memory.writes).toEqual([[WEEKLY, MONTHLY]]);
  });

  test('are none after an empty list, and stay when the list failed', async () => {
    world.memory.numbers = [WEEKLY];
    const standIn: StandIn = () => Promise.reject(new ServiceError('PLATFORM_UNAVAILABLE'));
    await expect(world.ask({ query: LIST }, { answering: standIn })).rejects.toThrow('PLATFORM_UNAVAILABLE');
    expect(world.memory.writes).toEqual([]);
    for (const { content } of world.platform.store().contracts.values()) content.customerId = 7001002;
    await world.ask({ query: LIST });
    expect(world.memory.writes).toEqual([[]]);
  });

  test('change their order when a list begins with another one, so that the next such list needs one round trip', async () => {
    world.memory.numbers = [MONTHLY, WEEKLY];
    const trips = [];
    for (let visit = 0; visit < 3; visit++) trips.push((await world.ask({ query: list('first: 1') })).trips);
    expect(trips).toEqual([2, 1, 1]);
    expect(world.memory.writes).toEqual([[WEEKLY, MONTHLY]]);
  });

  test('are written before the response leaves, however slow the table is', async () => {
    let isWritten = false;
    const writeSlowly = async () => {
      for (let turn = 0; turn < 200; turn++) await tick();
      isWritten = true;
    };
    const { errors, trips } = await world.ask({ query: LIST }, { replace: writeSlowly });
    expect([errors, trips, isWritten]).toEqual([[], 2, true]);
  });
});
