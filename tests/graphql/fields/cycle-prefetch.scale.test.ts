/** Whatever a session remembers, a query has the response that it has without memory, byte by byte. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CustomerId } from '../../../lib/domain/customer-id.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import { createPauseRecordRepository } from '../../../lib/subscriptions/pause/pause-record.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import { propertyRuns } from '../../full-size.ts';
import { ADA, NOW_MS, type StandIn, store } from '../world/harness.ts';
import { createRememberedWorld } from '../world/remembered-world.ts';
import { shape, shapedContracts } from './charged-next.ts';

const DAY_MS = 86_400_000;
const CARLA = 7001003 as CustomerId;
const ADAS = [9101001, 9101002, 9101003] as const;
const BENS = 9101004;
const CARLAS = Array.from({ length: 30 }, (_, index) => 9102000 + index);
const EXISTING = [...ADAS, BENS, ...CARLAS].map(String);

/** The emulated platform's cursor of a contract. */
const CURSOR = Buffer.from(`last_id:${ADAS[0]}`).toString('base64url');

const gid = (type: string, number: number | string) => `gid://platform/${type}/${number}`;

/** Numbers that a session can have: its own contracts, those of others, absent ones, and what is no number. */
const number = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ADAS.map(String)) },
  { weight: 2, arbitrary: fc.constantFrom(...EXISTING) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 99 }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom('', '0', '-1', '1e3', '9101001?x', 'gid://shopify/Order/1', '"') },
);

const NEXT = 'date cycleIndex total { amount currencyCode } isSkippable';
const nextOrder = fc.constantFrom(
  `nextOrder { ${NEXT} }`,
  `a: nextOrder { date } status b: nextOrder { isSkippable }`,
  `nextOrder @include(if: $yes) { ${NEXT} }`,
  `nextOrder @skip(if: $yes) { ${NEXT} }`,
  `...Next`,
  `... @include(if: $yes) { nextOrder { cycleIndex } } id`,
  'id status',
);
const paging = fc.constantFrom(
  '',
  'first: 1',
  'first: 2',
  'first: 30',
  'last: 2',
  'first: $first',
  'first: $first, reverse: true',
  'first: 25, reverse: true',
  'first: 2, after: $after',
);
const list = fc
  .tuple(nextOrder, paging, fc.constantFrom('nodes', 'edges'), fc.constantFrom('', ' @include(if: $yes)'))
  .map(([selection, args, below, when]) => {
    const contracts = below === 'nodes' ? `nodes { ${selection} }` : `edges { cursor node { ${selection} } }`;
    return `subscriptionContracts${args && `(${args})`}${when} { ${contracts} pageInfo { hasNextPage } }`;
  });
const customer = fc.constantFrom(...Array.from({ length: 9 }, () => '$customer'), '$other');
const contract = fc
  .constantFrom(...ADAS, BENS, 1)
  .map((one) => JSON.stringify(gid('SubscriptionContract', one)));
const root = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(customer, list).map(([id, one]) => `customer(id: ${id}) { id ${one} }`),
  },
  {
    weight: 1,
    arbitrary: contract.map((id) => `subscriptionContract(id: ${id}) { id nextOrder { ${NEXT} } }`),
  },
  {
    weight: 1,
    arbitrary: contract.map(
      (id) => `subscriptionContractDetails(contractId: ${id}) { contract { nextOrder { date } } }`,
    ),
  },
);
const query = fc.array(root, { minLength: 1, maxLength: 3 }).map((roots) => {
  const selected = roots.map((one, index) => `r${index}: ${one}`).join('\n');
  const variables = ['$customer: ID!', '$other: ID!', '$yes: Boolean!', '$first: Int', '$after: String'];
  const used = variables.filter((one) => selected.includes(one.slice(0, one.indexOf(':'))));
  const isNamed = selected.includes('...Next');
  return {
    query: `query${used.length > 0 ? `(${used.join(', ')})` : ''} { ${selected} }
      ${isNamed ? `fragment Next on SubscriptionContract { nextOrder { ${NEXT} } }` : ''}`,
    names: used.map((one) => one.slice(1, one.indexOf(':'))),
  };
});

/** What becomes of a prefetch. */
const fates = ['answered', 'throttled', 'without data', 'with errors', 'without errors'] as const;

function answeringPrefetch(fate: (typeof fates)[number], standIn: StandIn): StandIn {
  return async (sent) => {
    if (!sent.isOptional || fate === 'answered') return standIn(sent);
    if (fate === 'throttled') throw new ServiceError('THROTTLED');
    if (fate === 'without data') return { data: null, errors: [{ message: 'no', path: ['c0'] }] };
    if (fate === 'without errors') return { data: null, errors: [] };
    return { ...(await standIn(sent)), errors: [{ message: 'no', path: ['c1', 'nodes'] }] };
  };
}

const run = fc.record({
  query,
  numbers: fc.array(number, { maxLength: 40 }),
  fate: fc.constantFrom(...fates, 'answered' as const, 'answered' as const),
  isCarla: fc.nat(3).map((draw) => draw === 0),
  yes: fc.boolean(),
  first: fc.option(fc.integer({ min: 1, max: 30 })),
  after: fc.option(fc.constantFrom(CURSOR, 'junk')),
  shapes: fc.array(shapedContracts, { maxLength: 3 }),
  resumesAfterDays: fc.option(fc.integer({ min: -2, max: 400 })),
});
type Run = typeof run extends fc.Arbitrary<infer Value> ? Value : never;

async function createWorld({ isCarla, shapes, resumesAfterDays, numbers }: Run) {
  const world = createRememberedWorld(isCarla ? CARLA : ADA);
  for (const [index, shaped] of shapes.entries()) {
    const found = world.platform.store().contracts.get(ADAS[index] ?? 0);
    if (found !== undefined) shape(world.platform, found, shaped);
  }
  if (resumesAfterDays !== null) {
    const by = { kind: 'CUSTOMER', customerId: ADA } as const;
    const pause = {
      ...{ shopId: store.shopId, contractNumber: `${ADAS[2]}` as ContractNumber, pauseId: 'pause' },
      ...{ pausedAtMs: NOW_MS, pausedBy: by, setBy: by, setAtMs: NOW_MS, reason: undefined },
      resumesAtMs: NOW_MS + resumesAfterDays * DAY_MS,
    };
    const pauses = createPauseRecordRepository(world);
    await pauses.replace(await pauses.read(pause), pause, NOW_MS);
  }
  world.memory.numbers = numbers;
  return world;
}

const seen = { prefetches: 0, oneTrip: 0, nextOrders: 0 };

async function check(one: Run): Promise<void> {
  const world = await createWorld(one);
  const own = one.isCarla ? CARLA : ADA;
  const all = {
    ...{ customer: gid('Customer', own), other: gid('Customer', 7001002) },
    ...{ yes: one.yes, first: one.first, after: one.after },
  };
  const variables = Object.fromEntries(
    Object.entries(all).filter(([name]) => one.query.names.includes(name)),
  );
  const request = { query: one.query.query, variables };
  const expected = JSON.stringify((await world.askWithoutMemory(request)).result);
  const fate = answeringPrefetch(one.fate, world.standIn);
  // The second visit has the memory that the first has left.
  for (const answering of [fate, world.standIn, world.standIn]) {
    const before = new Set(world.memory.numbers);
    const { result, sent, trips } = await world.ask(request, { answering });
    expect(JSON.stringify(result)).toBe(expected);
    const prefetched = sent.filter(({ isOptional }) => isOptional);
    expect(prefetched.length).toBeLessThanOrEqual(1);
    const ownNumbers = own === CARLA ? CARLAS : ADAS;
    const added = world.memory.numbers.filter((each) => !before.has(each));
    expect(added.filter((each) => !ownNumbers.some((id) => `${id}` === each))).toEqual([]);
    seen.prefetches += prefetched.length;
    if (prefetched.length > 0 && trips === 1) seen.oneTrip++;
  }
  if (/"date":/.test(expected)) seen.nextOrders++;
}

test('a query has the same response whatever the session remembers', async () => {
  await fc.assert(fc.asyncProperty(run, check), propertyRuns(2000));
  // The queries reach what is checked.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(3);
});
