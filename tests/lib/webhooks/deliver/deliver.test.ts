import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { STORE_CONCURRENCY } from '../../../../functions/compose/webhooks/run-store-work.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { readLastStreamRecord } from '../../../../lib/storage/stream/read-stream.ts';
import type { ContractNumber } from '../../../../lib/timeline/event-record.ts';
import { listBacklogs } from '../../../../lib/webhooks/deliver/backlog.ts';
import { WEBHOOK_TIMEOUT_MS } from '../../../../lib/webhooks/send-webhook.ts';
import type { WebhookPayload } from '../../../../lib/webhooks/to-webhook-payload.ts';
import { createMonth } from '../../../../tools/capacity/assumptions.ts';
import { computeOwnPartOfWaiting, countConfigurationReads } from '../../../../tools/capacity/measured.ts';
import type { createMemoryTable } from '../../../memory-table.ts';
import { holdsRights } from '../../../rights/guarded-table.ts';
import {
  accepts,
  createDeliveryWorld,
  type DeliveryWorld,
  HOUR_MS,
  MINUTE_MS,
  type Receipt,
  type Receiver,
  START_MS,
} from './delivery-world.ts';
import { createStoredWorld } from './stored-world.ts';

const SHOP = 81000000001 as ShopId;
const refusing =
  (status: number, isRefused: (contract: string | undefined) => boolean = () => true): Receiver =>
  ({ contract }) => ({ afterMs: 200, answer: { status: isRefused(contract) ? status : 200 } });
const poison = refusing(400, (contract) => contract === 'bad');
const numbersOf = ({ receipts }: DeliveryWorld, endpointId = 'a') =>
  receipts.filter((one) => one.endpointId === endpointId).map(({ number }) => number);
const minutesOf = (world: DeliveryWorld, number: number) =>
  world.receipts.filter((one) => one.number === number).map(({ atMs }) => (atMs - START_MS) / MINUTE_MS);
const simulate = <T>(world: DeliveryWorld, work: () => Promise<T>) => world.time.runUntil(work());
const parkedOf = ({ memory }: DeliveryWorld) => listBacklogs(memory, { shopId: SHOP, id: 'a' }, 'PARKED');

test('delivers each contract in order, one event at a time, and up to 32 contracts concurrently', async () => {
  const world = createDeliveryWorld();
  world.addEndpoint(SHOP, 'a');
  await simulate(world, async () => {
    for (let index = 0; index < 200; index++) await world.place(SHOP, `${index % 40}`);
    await world.run();
  });
  const under = (atMs: number) => world.receipts.filter((one) => one.atMs <= atMs && one.answeredAtMs > atMs);
  const concurrentTries = world.receipts.map(({ atMs }) => under(atMs).length);
  expect(Math.max(...concurrentTries)).toBe(32);
  expect(numbersOf(world).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 200 }, (_, index) => index + 1),
  );
  for (const contract of new Set(world.receipts.map((one) => one.contract))) {
    const own = world.receipts.filter((one) => one.contract === contract);
    for (const [index, receipt] of own.slice(1).entries()) {
      expect(receipt.number).toBeGreaterThan(own[index]?.number ?? Infinity);
      expect(receipt.atMs).toBeGreaterThanOrEqual(own[index]?.answeredAtMs ?? Infinity);
    }
  }
});

test('reads no further page of events while long ones wait, and delivers all of them', async () => {
  const world = createDeliveryWorld({ moreCharacters: 19_000 });
  world.addEndpoint(SHOP, 'a');
  await simulate(world, async () => {
    for (let index = 0; index < 500; index++) await world.place(SHOP, 'one');
    await world.pass(0.1);
  });
  // A page of a hundred is read when few of the events before it wait.
  expect(world.reads.length).toBeGreaterThan(4);
  expect(Math.max(...world.reads.map(({ fromNumber, received }) => fromNumber - received))).toBeLessThan(20);
  expect(numbersOf(world)).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
});

test('retries a refused event on schedule, parks it, and blocks its own contract alone', async () => {
  const world = createDeliveryWorld();
  world.addEndpoint(SHOP, 'a', poison);
  await simulate(world, async () => {
    await world.place(SHOP, 'bad');
    await world.place(SHOP, 'good');
    await world.place(SHOP, 'bad');
    await world.pass(1);
    await world.place(SHOP, 'good');
    await world.place(SHOP, 'bad');
    await world.pass(11);
  });
  // Half the jitter: 5 s, 5 min, 30 min, 2 h, 5 h, each by a run of the next minute.
  expect(minutesOf(world, 1).map(Math.floor)).toEqual([0, 1, 7, 41, 174, 505]);
  expect(numbersOf(world).filter((number) => number !== 1)).toEqual([2, 4]);
  const [parked] = await parkedOf(world);
  expect(parked).toMatchObject({ of: 'bad', numbers: [1, 3, 5], refusals: 6, answer: 400 });
});

async function parkedWorld() {
  const world = createDeliveryWorld();
  world.addEndpoint(SHOP, 'a', poison);
  await simulate(world, async () => {
    for (const contract of ['bad', 'good', 'bad']) await world.place(SHOP, contract);
    await world.pass(1);
    await world.place(SHOP, 'good');
    await world.pass(9);
  });
  world.receipts.length = 0;
  return world;
}

test('a parked event goes again by hand, and the later ones of its contract after it', async () => {
  const world = await parkedWorld();
  await simulate(world, async () => {
    await world.configure('a', { receiver: accepts, resends: [{ id: 'wish-1', number: 1 }] });
    await world.run();
    await world.place(SHOP, 'bad');
    await world.run();
  });
  expect(numbersOf(world)).toEqual([1, 3, 5]);
  expect(await parkedOf(world)).toEqual([]);
});

test('an event that was accepted goes again by hand, once', async () => {
  const world = await parkedWorld();
  await simulate(world, async () => {
    await world.configure('a', { resends: [{ id: 'wish-1', number: 2 }] });
    await world.pass(1);
  });
  expect(numbersOf(world)).toEqual([2]);
});

test('a replay sends all since its number again, and lets go of what was parked before', async () => {
  const world = await parkedWorld();
  await simulate(world, async () => {
    await world.configure('a', { receiver: accepts, replay: { id: 'wish-1', fromNumber: 2 } });
    await world.run();
  });
  expect(numbersOf(world).sort()).toEqual([2, 3, 4]);
  expect(await parkedOf(world)).toMatchObject([{ of: 'bad', numbers: [1], state: 'LEFT' }]);
  await simulate(world, async () => {
    await world.place(SHOP, 'bad');
    await world.run();
    await world.configure('a', { resends: [{ id: 'wish-2', number: 1 }] });
    await world.run();
  });
  expect(numbersOf(world).slice(3)).toEqual([5, 1]);
  expect(await parkedOf(world)).toEqual([]);
});

test('410 disables at once, until the store enables the endpoint again', async () => {
  const world = createDeliveryWorld();
  world.addEndpoint(SHOP, 'a', refusing(410));
  await simulate(world, async () => {
    await world.place(SHOP, '1');
    await world.pass(1);
    await world.place(SHOP, '1');
    await world.pass(1);
  });
  expect(numbersOf(world)).toEqual([1]);
  expect(world.disabled).toMatchObject([{ endpointId: 'a', reason: 'GONE' }]);
  await simulate(world, async () => {
    await world.configure('a', { receiver: accepts, version: 2 });
    await world.run();
  });
  expect(numbersOf(world)).toEqual([1, 1, 2]);
});

test('polls an endpoint that is down seldom, delays no other, and disables it after 24 hours', async () => {
  const world = createDeliveryWorld();
  world.addEndpoint(SHOP, 'down', () => ({ afterMs: 10_000, answer: { failed: 'TIMEOUT' } }));
  world.addEndpoint(SHOP, 'a');
  let contracts = 0;
  await simulate(world, async () => {
    for (let hour = 0; hour < 26; hour++) {
      // Enough events to reach the endpoint's maximum concurrency; afterwards there are always untried ones.
      for (let more = hour === 0 ? 40 : 20; more > 0; more--) await world.place(SHOP, `${contracts++}`);
      await world.pass(1);
    }
  });
  expect(world.disabled).toMatchObject([{ endpointId: 'down', reason: 'FAILING' }]);
  const disabledAtMs = world.disabled[0]?.atMs ?? 0;
  expect((disabledAtMs - START_MS) / HOUR_MS).toBeCloseTo(24, 0);
  expect(numbersOf(world, 'down').length).toBeLessThanOrEqual(createMonth().triesADayAtDown);
  expect(numbersOf(world)).toHaveLength(contracts);
  const times = new Map(world.streamOf(SHOP).map(({ number, atMs }) => [number, atMs]));
  for (const { endpointId, number, answeredAtMs } of world.receipts)
    if (endpointId === 'a') expect(answeredAtMs - (times.get(number) ?? 0)).toBeLessThan(90_000);
});

test('days in which the service sent nothing do not disable an endpoint that refuses, a day of refusals does', async () => {
  const world = createDeliveryWorld();
  world.addEndpoint(SHOP, 'a', () => ({ afterMs: 10, answer: { status: 500 } }));
  const goneDays = 12;
  await simulate(world, async () => {
    for (let day = 0; day < goneDays; day++) {
      await world.place(SHOP, `${day % 3}`);
      await world.run();
      // A clock that is moved, or an outage of the service: no run in between.
      await world.time.until(world.time.now() + 24 * HOUR_MS);
    }
    expect(world.disabled).toEqual([]);
    expect(numbersOf(world).length).toBeGreaterThan(goneDays);
    await world.pass(25);
  });
  expect(world.disabled).toMatchObject([{ endpointId: 'a', reason: 'FAILING' }]);
  const hours = ((world.disabled[0]?.atMs ?? 0) - START_MS) / HOUR_MS - 24 * goneDays;
  expect(Math.round(hours)).toBe(24);
});

test('disables an endpoint after a day that requests a day’s delay each time', async () => {
  const world = createDeliveryWorld();
  world.addEndpoint(SHOP, 'a', () => ({ afterMs: 10, answer: { status: 500, retryAfter: '86400' } }));
  await simulate(world, async () => {
    await world.place(SHOP, '1');
    await world.pass(25);
  });
  expect(world.disabled).toMatchObject([{ endpointId: 'a', reason: 'FAILING' }]);
});

test('instances wait for endpoints that are down together, at least as costs take it by chance', async () => {
  const world = createDeliveryWorld({ storeConcurrency: STORE_CONCURRENCY });
  const stores = Array.from({ length: 8 }, (_, index) => (SHOP + index) as typeof SHOP);
  const [hours, minutesApart] = [4, 7];
  for (const shopId of stores)
    world.addEndpoint(shopId, `${shopId}`, () => ({
      afterMs: WEBHOOK_TIMEOUT_MS,
      answer: { failed: 'TIMEOUT' },
    }));
  await simulate(world, async () => {
    const going = world.pass(hours);
    for (let event = 0; event < 24; event++) {
      for (const shopId of stores.slice(event % 2)) await world.place(shopId, `${event}`);
      await world.time.until(world.time.now() + minutesApart * MINUTE_MS);
    }
    await going;
  });
  const runs = [...Map.groupBy(world.receipts, ({ worker }) => worker).values()];
  const times = (run: typeof world.receipts, time: 'atMs' | 'answeredAtMs') => run.map((one) => one[time]);
  const waitedMs = runs.map(
    (run) => Math.max(...times(run, 'answeredAtMs')) - Math.min(...times(run, 'atMs')),
  );
  const tries = world.receipts.length;
  const concurrentTries = (tries * WEBHOOK_TIMEOUT_MS) / (hours * HOUR_MS);
  expect(tries).toBeGreaterThan(200);
  expect(waitedMs.reduce((sum, ms) => sum + ms, 0) / tries).toBeLessThan(
    WEBHOOK_TIMEOUT_MS * computeOwnPartOfWaiting(concurrentTries),
  );
});

test.each([
  ['fast', 200, 300],
  ['slow', 2500, 30],
  ['down', WEBHOOK_TIMEOUT_MS, 12],
])(
  'reads an endpoint that is %s again as often as costs and simulation assume',
  async (_name, afterMs, events) => {
    const world = createDeliveryWorld();
    world.addEndpoint(SHOP, 'a', () => ({
      afterMs,
      answer: { status: afterMs === WEBHOOK_TIMEOUT_MS ? 503 : 200 },
    }));
    await simulate(world, async () => {
      // One after another: never are more answers waited for.
      for (let event = 0; event < events; event++) await world.place(SHOP, 'one');
      await world.pass(1);
    });
    expect(world.receipts.length).toBeGreaterThan(3);
    expect(world.polls()).toBeGreaterThan(0);
    // Once in its life its head is new, and it may be gone by then.
    expect(world.polls() - 1).toBeLessThanOrEqual(
      Math.ceil(world.receipts.length * countConfigurationReads(afterMs)),
    );
  },
);

test('delivers events that were refused during the downtime as soon as the endpoint is up again', async () => {
  const world = createDeliveryWorld();
  world.addEndpoint(SHOP, 'a', refusing(503));
  await simulate(world, async () => {
    for (let index = 0; index < 60; index++) await world.place(SHOP, `${index % 30}`);
    await world.pass(9);
    await world.configure('a', { receiver: accepts });
    world.receipts.length = 0;
    await world.pass(1);
  });
  expect(new Set(numbersOf(world)).size).toBe(60);
  expect(Math.max(...world.receipts.map(({ atMs }) => atMs)) - START_MS - 9 * HOUR_MS).toBeLessThan(
    32 * MINUTE_MS,
  );
});

test('an endpoint that refuses one type alone gets all others, is not disabled, and what it refuses is parked', async () => {
  const world = createDeliveryWorld();
  world.addEndpoint(
    SHOP,
    'a',
    refusing(422, (contract) => contract?.startsWith('bad') === true),
  );
  await simulate(world, async () => {
    for (let index = 0; index < 30; index++) await world.place(SHOP, `bad ${index}`);
    for (let hour = 0; hour < 40; hour++) {
      await world.place(SHOP, `good ${hour}`);
      await world.pass(1);
    }
  });
  expect(world.disabled).toEqual([]);
  const accepted = world.receipts.filter(({ contract }) => contract?.startsWith('good') === true);
  expect(accepted).toHaveLength(40);
  expect((await parkedOf(world)).length).toBe(30);
});

test('Retry-After keeps an event back, and the whole endpoint where it has too much to do', async () => {
  const world = createDeliveryWorld();
  const busy: Receiver = (_, before) =>
    before.length === 0
      ? { afterMs: 200, answer: { status: 429, retryAfter: '1800' } }
      : { afterMs: 200, answer: { status: 200 } };
  world.addEndpoint(SHOP, 'a', busy);
  await simulate(world, async () => {
    await world.place(SHOP, '1');
    await world.run();
    await world.place(SHOP, '2');
    await world.pass(1);
  });
  expect(numbersOf(world).sort()).toEqual([1, 1, 2]);
  expect(minutesOf(world, 2)[0]).toBeGreaterThanOrEqual(30);
});

test('calls a changed endpoint at once, whatever it had requested before', async () => {
  const world = createDeliveryWorld();
  world.addEndpoint(SHOP, 'a', () => ({ afterMs: 5, answer: { status: 429, retryAfter: '9'.repeat(23) } }));
  await simulate(world, async () => {
    for (let contract = 0; contract < 20; contract++) await world.place(SHOP, `${contract}`);
    await world.pass(5);
    await world.configure('a', { receiver: accepts, version: 2 });
    world.receipts.length = 0;
    await world.run();
  });
  expect(new Set(numbersOf(world)).size).toBe(20);
});

test('notifies an uninstalled store for 24 hours more, and then no longer', async () => {
  const world = createDeliveryWorld();
  world.addEndpoint(SHOP, 'a');
  await simulate(world, async () => {
    world.storeState.uninstalledAtMs = world.time.now();
    await world.place(SHOP, undefined, 'store.uninstalled');
    await world.pass(25);
    await world.place(SHOP, undefined);
    await world.pass(1);
  });
  expect(numbersOf(world)).toEqual([1]);
});

test('delivers the uninstallation when nothing waits before it, else in the last hour of the draining', async () => {
  const deliverLast = async (isRefused: (receipt: Receipt) => boolean) => {
    const world = createDeliveryWorld();
    const receiver: Receiver = (one) => ({ afterMs: 200, answer: { status: isRefused(one) ? 500 : 200 } });
    world.addEndpoint(SHOP, 'a', receiver);
    await simulate(world, async () => {
      for (const contract of ['bad', 'bad', ...Array.from({ length: 40 }, (_, index) => `${index}`)])
        await world.place(SHOP, contract);
      world.storeState.uninstalledAtMs = world.time.now();
      await world.place(SHOP, undefined, 'store.uninstalled');
      await world.pass(1);
      await world.place(SHOP, 'late');
      await world.pass(24);
    });
    const reported = world.receipts.findIndex(({ number }) => number === 43);
    const after = world.receipts.slice(reported + 1).map(({ number }) => number);
    return { after, minute: Math.floor(minutesOf(world, 43)[0] ?? NaN), parked: await parkedOf(world) };
  };
  const hours = (count: number) => START_MS + count * HOUR_MS;
  const accepted = await deliverLast(({ contract, atMs }) => contract === 'bad' && atMs < hours(2));
  expect(accepted).toMatchObject({ after: [], minute: expect.any(Number) });
  expect(accepted.minute).toBeGreaterThan(120);
  // A parked event does not delay the last one.
  const parked = await deliverLast(
    ({ contract, atMs }) => contract === 'bad' || (contract === '7' && atMs < hours(1)),
  );
  expect(parked).toMatchObject({ after: [], parked: [{ of: 'bad' }] });
  expect(parked.minute).toBeLessThan(23 * 60);
  // An unreachable endpoint still gets the notification while there is time to try again.
  const down = await deliverLast(({ number }) => number !== 43);
  expect(down.minute).toBeGreaterThanOrEqual(23 * 60);
  expect(down.minute).toBeLessThan(24 * 60 - 20);
});

test('an uninstalling that is over holds up nothing, nor is held up', async () => {
  const world = createDeliveryWorld();
  world.addEndpoint(SHOP, 'a', poison);
  await simulate(world, async () => {
    await world.place(SHOP, 'bad');
    await world.place(SHOP, undefined, 'store.uninstalled');
    await world.place(SHOP, '1');
    await world.run();
  });
  expect(new Set(numbersOf(world))).toEqual(new Set([1, 2, 3]));
});

test('delivers the types of an endpoint, from its start on', async () => {
  const world = createDeliveryWorld();
  world.addEndpoint(SHOP, 'a', accepts, { types: ['order.charged'], startsAt: 2 });
  await simulate(world, async () => {
    for (const type of ['order.charged', 'order.skipped', 'order.charged'])
      await world.place(SHOP, '1', type);
    await world.run();
  });
  expect(numbersOf(world)).toEqual([3]);
});

test('does not send a waiting event of a type that the endpoint no longer has', async () => {
  const world = createDeliveryWorld();
  world.addEndpoint(SHOP, 'a', refusing(500));
  await simulate(world, async () => {
    for (const type of ['order.charged', 'order.skipped']) await world.place(SHOP, '1', type);
    await world.run();
    world.receipts.length = 0;
    await world.configure('a', { receiver: accepts, types: ['order.skipped'], version: 2 });
    await world.run();
    await world.configure('a', { types: null, version: 3 });
    await world.run();
  });
  expect(numbersOf(world)).toEqual([2]);
});

test('sends requests from stored endpoint, stream and timeline that the package verifies', async () => {
  const world = await createStoredWorld(SHOP, 'https://a.example/');
  const { table, endpoints, endpoint, secret } = world;
  await world.place('31' as ContractNumber, 'entry-1');
  const sent: { headers: Readonly<Record<string, string>>; body: string }[] = [];
  const answers = [500, 410];
  const turn = world.serve(async (request) => {
    sent.push(request);
    return { status: answers[sent.length - 1] ?? 200 };
  });
  expect(await turn()).toBeGreaterThan(Date.now());
  await endpoints.requestReplay(endpoint, {
    resends: [{ id: 'w-1', askedAtMs: Date.now(), number: await first(table) }],
  });
  expect(await turn()).toBeUndefined();
  for (const { headers, body } of sent) {
    const payload = new Webhook(secret).verify(body, { ...headers }) as WebhookPayload;
    const { type, data } = payload;
    expect([type, headers['webhook-id'], data.customerId]).toEqual([
      'subscription.paused',
      'entry-1',
      'gid://platform/Customer/7001001',
    ]);
  }
  const { items } = await table.scan({ filter: 'attribute_exists(#action)', names: { '#action': 'action' } });
  expect(items.map(({ action }) => action)).toContain('webhook_endpoint_disabled');
  expect(sent).toHaveLength(2);
});

async function first(table: ReturnType<typeof createMemoryTable>): Promise<number> {
  const head = await readLastStreamRecord({ table }, SHOP);
  return head?.number ?? 0;
}

holdsRights();
