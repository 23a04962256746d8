/**
 * What must be told of a contract that the service and others change, from the facts of the platform and apart from the
 * code: each change that somebody else made once, from what to what. What nobody looked at in between is one change.
 */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { measured } from '../../../infra/tools/costs/measured.ts';
import { compareContract } from '../../../lib/store-events/contracts/compare-contract.ts';
import { explainFact, type Touch } from '../../../lib/store-events/contracts/explain-fact.ts';
import { type ChangedFact, deliveryMethodFact, factOf } from '../../../lib/timeline/changed-fact.ts';
import type { ContractNumber, EventNumber } from '../../../lib/timeline/event-number.ts';
import { holdsRights } from '../../rights/guarded-table.ts';
import { Crash } from '../stores/world/faults.ts';
import { createEventsWorld, type EventsWorld, MONTHLY, WEEKLY } from './events-world.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

type Step = {
  readonly field: number;
  readonly value: number;
  /** How long nothing happens before it. */
  readonly seconds: number;
  readonly what: What;
};
type What =
  | { readonly kind: 'elsewhere' }
  /** `crossed`: somebody else changes the fact after it was read, and before it is made. */
  | { readonly kind: 'ours'; readonly ends: Ending; readonly crossed: number | undefined }
  | { readonly kind: 'look'; readonly dies: number | undefined };
type Begun = Awaited<ReturnType<EventsWorld['begin']>>;
/** How a change of the service's own ends: it is told at once, settled later, or it was never made. */
type Ending = 'at once' | 'later' | 'not made';

/** Who made a change of a fact, or that somebody looked. */
type Happening =
  | {
      readonly who: 'ours' | 'elsewhere';
      readonly field: string;
      readonly before: string | null;
      readonly after: string | null;
    }
  | 'looked';

const optional = (most: number) => fc.option(fc.nat(most), { nil: undefined, freq: 3 });
const what: fc.Arbitrary<What> = fc.oneof(
  fc.constant({ kind: 'elsewhere' as const }),
  fc.record({
    kind: fc.constant('ours' as const),
    ends: fc.constantFrom<Ending>('at once', 'at once', 'later', 'not made'),
    crossed: optional(2),
  }),
  fc.record({ kind: fc.constant('look' as const), dies: optional(14) }),
);
type Script = { readonly fields: readonly number[]; readonly steps: readonly Step[] };
const script: fc.Arbitrary<Script> = fc.record({
  /** Few facts, so that changes meet. */
  fields: fc.array(fc.nat(99), { minLength: 1, maxLength: 3 }),
  steps: fc.array(
    fc.record({
      ...{ what, field: fc.nat(2), value: fc.nat(2) },
      seconds: fc.constantFrom(2, 3, 7, 31, 45, 120),
    }),
    { minLength: 1, maxLength: 14 },
  ),
});

test('each change that somebody else made is told once, and none of our own', async () => {
  await fc.assert(
    fc.asyncProperty(script, async (one) => {
      const world = createEventsWorld(MONTHLY);
      const history = await play(world, one);
      expect(await toldOf(world)).toEqual(expectedOf(world, history));
    }),
    { numRuns: 30, seed: 20_261_121 },
  );
});

const crowd = fc.array(
  fc.record({
    ...{ atMs: fc.nat(6_000), after: fc.constantFrom('a', 'b', 'c'), isOurs: fc.boolean() },
    ...{ readsMs: fc.nat(900), takesMs: fc.nat(4_000), answersMs: fc.nat(4_000) },
    isKnown: fc.boolean(),
  }),
  { maxLength: 9 },
);

test('of changes at the same time no more is told as made by others than they made', () => {
  fc.assert(
    fc.property(crowd, (changes) => {
      const moments: { readonly atMs: number; readonly happen: () => void }[] = [];
      const touches: Touch[] = [];
      let [value, foreign] = ['a', 0];
      for (const { atMs, after, isOurs, isKnown, readsMs, takesMs, answersMs } of changes) {
        const happen = () => {
          if (!isOurs && value !== after) foreign++;
          value = after;
        };
        const createdAtMs = atMs + readsMs;
        const madeAtMs = createdAtMs + takesMs;
        const read = () => {
          const before = value;
          const endedAtMs = madeAtMs + answersMs;
          const number = String(createdAtMs).padStart(35, '0') as EventNumber;
          const times = { readAtMs: atMs, createdAtMs, endedAtMs, isSince: true, isSure: isKnown };
          // A change that finds what it wants may undo what comes in between.
          touches.push({ ...times, number, made: before === after ? 'any' : { before, after } });
        };
        if (isOurs) moments.push({ atMs: createdAtMs - Math.floor(readsMs / 2), happen: read });
        moments.push({ atMs: madeAtMs, happen });
      }
      for (const { happen } of moments.sort((one, other) => one.atMs - other.atMs)) happen();
      touches.sort((one, other) => (one.number < other.number ? -1 : 1));
      const steps = explainFact({ field: 'note', before: 'a', after: value }, touches);
      expect(steps.length).toBeLessThanOrEqual(foreign);
    }),
    { numRuns: 200, seed: 1 },
  );
});

describe('a change of our own that is under way', () => {
  test('is waited for, 15 minutes at most, and is told by nobody else', async () => {
    const world = createEventsWorld();
    await world.look();
    world.later(MINUTE_MS);
    const change = await world.begin('status', 'PAUSED');
    world.elsewhere('status', 'PAUSED');
    expect(await world.look()).toBe('wait');
    world.later(16 * MINUTE_MS);
    expect(await world.look()).toBe('done');
    await change.done();
    world.later(MINUTE_MS);
    expect(await world.look()).toBe('done');
    expect(await world.foreign()).toEqual([]);
  });

  test('and whose end nobody knows tells what it found all the same', async () => {
    const world = createEventsWorld();
    await world.look();
    world.later(MINUTE_MS);
    world.elsewhere('note', 'b');
    await world.begin('note', 'c');
    world.elsewhere('note', 'c');
    world.later(16 * MINUTE_MS);
    expect(await world.look()).toBe('done');
    expect(await toldOf(world)).toEqual({ note: [expect.stringMatching(/ → b$/)] });
  });

  test('of another fact is no hindrance once it is settled', async () => {
    const world = createEventsWorld();
    await world.look();
    world.later(MINUTE_MS);
    const change = await world.begin('note', 'ours');
    world.elsewhere('note', 'ours');
    world.elsewhere('status', 'PAUSED');
    await change.done();
    world.later(MINUTE_MS);
    expect(await world.look()).toBe('done');
    expect(await toldOf(world)).toEqual({ status: ['ACTIVE → PAUSED'] });
  });
});

test('what we have added and somebody else has removed before anybody looked is told as removed', async () => {
  const world = createEventsWorld();
  const { content } = world.contract;
  content.note = null;
  await world.look();
  world.later(MINUTE_MS);
  const change = await world.begin('note', 'ring');
  content.note = 'ring';
  await change.done();
  world.later(MINUTE_MS);
  content.note = null;
  expect(await world.look()).toBe('done');
  expect(await world.foreign()).toMatchObject([
    { changes: [{ field: 'note', before: 'ring', after: null }] },
  ]);
});

describe('what a change brings that we have perhaps made is told as nobody else’s', () => {
  const reading = (facts: Record<string, string>) => ({ readAtMs: 0, facts, untold: [], cycles: {} });
  const change = (action: string, isSure: boolean, fact: ChangedFact) => ({
    ...{ number: '1' as EventNumber, createdAtMs: 0, isSince: true, isPast: false, details: {} },
    ...{ action, isSure, changes: [fact] },
  });

  test('the price of another way of delivery', () => {
    const readings = {
      before: reading({ deliveryPrice: '5 USD' }),
      now: reading({ deliveryPrice: '9 USD' }),
    };
    const own = (isSure: boolean) => change('subscription_delivery_updated', isSure, deliveryMethodFact());
    expect(compareContract(readings, [own(false)])).toEqual([]);
    expect(compareContract(readings, [own(true)])).toHaveLength(1);
  });

  test.each(['deliveryPrice', 'deliveryMethod'])('lines bring another %s', (field) => {
    const readings = { before: reading({ [field]: '5 USD' }), now: reading({ [field]: '9 USD' }) };
    const lines = factOf('lines', { before: null, after: null });
    const own = (isSure: boolean) => change('subscription_lines_updated', isSure, lines);
    expect(compareContract(readings, [own(false)])).toEqual([]);
    expect(compareContract(readings, [own(true)])).toHaveLength(1);
  });

  test('a discount whose id nobody knew before', () => {
    const readings = { before: reading({}), now: reading({ 'discounts.7': 'WELCOME10' }) };
    const discounts = factOf('discounts', { before: null, after: null });
    expect(compareContract(readings, [change('subscription_discount_applied', false, discounts)])).toEqual(
      [],
    );
  });
});

test('a contract that is made elsewhere for somebody who was erased is told once, and nothing of it is kept', async () => {
  const world = createEventsWorld();
  const { snapshots } = world.deps();
  const kept = () => snapshots.read(world.installed.shopId, String(WEEKLY) as ContractNumber);
  world.erased(true);
  world.elsewhere('note', 'a');
  for (const dies of [0, 3, 5, 7, 9, undefined]) {
    await look(world, dies, 0);
    world.later(MINUTE_MS);
    expect(JSON.stringify((await kept()) ?? {})).not.toMatch(/"(?:customerId|note|instrument|status)"/);
  }
  await world.pass();
  world.erased(false);
  for (const note of ['b', 'c', 'c']) {
    world.elsewhere('note', note);
    world.later(MINUTE_MS);
    await world.look(0);
  }
  expect(await world.foreign()).toMatchObject([
    { action: 'subscription_created' },
    { changes: [{ field: 'note', before: 'b', after: 'c' }] },
  ]);
  const told = (await world.stream()).filter(({ entry }) => entry?.action === 'subscription_created');
  expect(new Set(told.map(({ id }) => id)).size).toBe(1);
});

test('what others did is told before what was changed here since it was found, wherever the worker dies', async () => {
  for (let step = 0, hasDied = true; hasDied; step++) {
    hasDied = false;
    const world = createEventsWorld();
    await world.look();
    world.later(MINUTE_MS);
    world.elsewhere('note', 'b');
    world.faults.plan = ({ operation }) => {
      const isWrite = ['put', 'update', 'delete'].includes(operation);
      if (!isWrite || hasDied || writes++ < Math.floor(step / 2)) return undefined;
      hasDied = true;
      return step % 2 === 0 ? 'before' : 'after';
    };
    let writes = 0;
    await world.look().catch((error: unknown) => expect(error).toBeInstanceOf(Crash));
    world.faults.plan = () => undefined;
    world.later(1);
    const own = await world.begin('billingCycles.9.skipped', 'true');
    world.elsewhere('billingCycles.9.skipped', 'true');
    await own.done();
    // Delivery runs before the worker comes again.
    await world.stream();
    for (let looks = 0; looks < 3; looks++) {
      world.later(MINUTE_MS);
      await world.look();
    }
    const stream = await world.stream();
    const first = [...new Map(stream.map(({ id, entry }) => [id, String(entry?.number)])).values()];
    expect([step, first]).toEqual([step, first.toSorted()]);
    expect([step, first.length, (await world.foreign()).length]).toEqual([step, 2, 1]);
  }
});

test('a timed pause that was ended elsewhere is let go, one that was made since is not', async () => {
  const world = createEventsWorld();
  const pause = (pauseId: string) => ({
    ...{ shopId: world.installed.shopId, contractNumber: String(WEEKLY) as ContractNumber, pauseId },
    ...{ pausedAtMs: undefined, pausedBy: undefined, reason: undefined },
    ...{ resumesAtMs: world.nowMs() + 86_400_000, setAtMs: world.nowMs() },
    setBy: { kind: 'MERCHANT' as const, label: 'Helpdesk' },
  });
  world.elsewhere('status', 'PAUSED');
  const first = pause('1');
  await world.timedPauses.set(undefined, first);
  world.later(MINUTE_MS);
  await world.look();
  world.elsewhere('status', 'ACTIVE');
  world.later(MINUTE_MS);
  await world.look();
  expect(await world.timedPauses.read(first)).toBeUndefined();
  world.elsewhere('status', 'PAUSED');
  await world.look();
  world.later(MINUTE_MS);
  await world.timedPauses.set(undefined, pause('2'));
  await world.look();
  expect(await world.timedPauses.read(first)).toMatchObject({ pauseId: '2' });
});

describe('the night', () => {
  const DAY_MS = 86_400_000;
  const inTheNight = (world: EventsWorld) => world.later(DAY_MS);

  test('finds what no webhook told, of all contracts, once', async () => {
    const world = createEventsWorld();
    const nextAtMs = await world.pass();
    expect(nextAtMs).toBeGreaterThan(world.nowMs());
    expect(await world.foreign()).toEqual([]);
    world.elsewhere('note', 'b');
    world.elsewhere('billingCycles.9.skipped', 'true');
    // By day it has nothing to do.
    await world.pass();
    expect(await world.foreign()).toEqual([]);
    inTheNight(world);
    await world.pass();
    inTheNight(world);
    await world.pass();
    expect(Object.keys(await toldOf(world)).sort()).toEqual(['billingCycles.9.skipped', 'note']);
    const told = (await world.stream()).filter(({ entry }) => entry?.action === 'changed_elsewhere');
    expect(told).toHaveLength(1);
  });

  test.each([
    [undefined, 3],
    [1, 1],
    [14, 14],
  ])(
    'tells each order as many days ahead as the store wants, and each card that ends, once: %p',
    async (wanted, days) => {
      const world = createEventsWorld();
      world.wantsUpcoming(wanted);
      const method = world.world.platform
        .store()
        .paymentMethods.get(world.contract.content.paymentMethodId ?? '');
      const end = new Date(world.nowMs() + 5 * DAY_MS);
      Object.assign(method?.instrument ?? {}, {
        expiryMonth: end.getUTCMonth() + 1,
        expiryYear: end.getUTCFullYear(),
      });
      for (let night = 0; night < 10; night++) {
        await world.pass();
        inTheNight(world);
      }
      const told = (await world.stream()).filter(({ contract }) => contract === String(WEEKLY));
      const orders = told.filter(({ event }) => event?.type === 'order.upcoming');
      expect(new Set(orders.map(({ id }) => id)).size).toBe(orders.length);
      expect(orders.length).toBeGreaterThan(0);
      const aheadMs = orders.map(
        ({ event, placedAtMs }) => Date.parse(event?.order?.date ?? '') - placedAtMs,
      );
      expect(Math.max(...aheadMs)).toBeLessThanOrEqual(days * DAY_MS);
      // It comes in the night after.
      expect(Math.max(...aheadMs)).toBeGreaterThan((days - 1) * DAY_MS);
      expect(told.filter(({ event }) => event?.type === 'payment_method.expiring')).toHaveLength(1);
    },
  );

  test('finds that others undid a change of our own, though all is as it was before', async () => {
    const world = createEventsWorld();
    world.elsewhere('note', 'a');
    await world.pass();
    world.later(MINUTE_MS);
    const own = await world.begin('note', 'b');
    world.elsewhere('note', 'b');
    await own.done();
    world.later(20 * MINUTE_MS);
    world.elsewhere('note', 'a');
    inTheNight(world);
    await world.pass();
    inTheNight(world);
    await world.pass();
    expect(await toldOf(world)).toEqual({ note: [expect.anything()] });
  });

  test('writes a note and the snapshot of a contract that it has not seen, and nothing of one that is as it was', async () => {
    const world = createEventsWorld();
    await world.install();
    const writes = () =>
      world.faults.calls.filter(({ operation }) => /^(?:put|update|delete)$/.test(operation));
    await world.look();
    expect(writes().map(({ operation }) => operation)).toEqual(['put', 'put']);
    // That the second is a snapshot of some kilobytes is measured.
    expect(measured.firstLook.writeUnits).toBeGreaterThan(2);
    inTheNight(world);
    await world.look();
    expect(writes()).toHaveLength(3);
  });

  describe('has confirmed what it found unchanged, so what we have perhaps done before', () => {
    const marked = { family: 'contracts', object: String(WEEKLY) } as const;
    async function toldAfter(field: string, isSettledBefore: boolean, areChargesRead = true) {
      const world = createEventsWorld();
      await world.install();
      await world.pass();
      world.later(20 * MINUTE_MS);
      const own = await world.begin(field, 'true');
      if (isSettledBefore) await own.settle('UNKNOWN');
      inTheNight(world);
      const charges = { kind: 'lost before', at: 'subscriptionBillingAttempts', times: 99 } as const;
      if (!areChargesRead) world.world.fail(charges);
      await world.pass();
      world.later(MINUTE_MS);
      if (!isSettledBefore) await own.settle('UNKNOWN');
      world.elsewhere(field, 'true');
      world.later(MINUTE_MS);
      await world.act(marked);
      return Object.keys(await toldOf(world));
    }

    test('hides nothing that others do afterwards', async () => {
      expect(await toldAfter('note', true)).toEqual(['note']);
    });

    test('hides nothing either if the night could not read charges', async () => {
      expect(await toldAfter('note', true, false)).toEqual(['note']);
    });

    test('and was settled after it may still explain what is found', async () => {
      expect(await toldAfter('note', false)).toEqual([]);
    });

    test('to an order, too: a night reads the next ones alone', async () => {
      expect(await toldAfter('billingCycles.9.skipped', true)).toEqual([]);
    });
  });

  test('registers again what the platform has deleted', async () => {
    const world = createEventsWorld();
    const registered = () => world.world.platform.store().webhookSubscriptions;
    await world.pass();
    const size = registered()?.size ?? 0;
    expect(size).toBeGreaterThan(10);
    registered()?.clear();
    inTheNight(world);
    await world.pass();
    expect(registered()?.size).toBe(size);
  });

  test('dies anywhere, goes on, and loses nothing', async () => {
    const world = createEventsWorld();
    await world.pass();
    world.elsewhere('note', 'b');
    inTheNight(world);
    for (let step = 0; step < 60; step++) {
      const from = world.faults.calls.length;
      let hasDied = false;
      world.faults.plan = ({ count }) => {
        if (count !== from + (step % 20)) return undefined;
        hasDied = true;
        return step % 2 === 0 ? 'before' : 'after';
      };
      await world.pass().catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error;
      });
      world.faults.plan = () => undefined;
      if (!hasDied) break;
    }
    await world.pass();
    expect(await toldOf(world)).toEqual({ note: [expect.stringMatching(/ → b$/)] });
  });
});

describe('a payment method', () => {
  const methodOf = (world: EventsWorld) => {
    const { paymentMethodId } = world.contract.content;
    const method = world.world.platform.store().paymentMethods.get(paymentMethodId ?? '');
    if (method === undefined) throw new Error('no method');
    return method;
  };

  test('that pays with another card, or is removed, is told on its contract', async () => {
    const world = createEventsWorld();
    await world.look();
    Object.assign(methodOf(world).instrument, { lastDigits: '0001' });
    world.later(MINUTE_MS);
    await world.look();
    methodOf(world).revokedAt = new Date(world.nowMs()).toISOString();
    world.later(MINUTE_MS);
    await world.look();
    await world.look();
    const actions = (await world.foreign()).map(({ action }) => action);
    expect(actions).toEqual(['payment_method_replaced', 'payment_method_removed']);
  });
});

describe('what webhooks told', () => {
  const contract = { family: 'contracts', object: String(WEEKLY) } as const;
  const uninstalled = { family: 'app', object: '82000000001' } as const;

  test('is acted on once, however often it was told, and in whatever order', async () => {
    const world = createEventsWorld();
    await world.install();
    await world.act(contract);
    world.elsewhere('status', 'PAUSED');
    world.later(MINUTE_MS);
    const scopes = { family: 'scopes', object: '82000000001' } as const;
    // Shops may share a secret: what one of them was sent, sent again under another's name, is of ids that it lacks.
    const absent = { family: 'contracts', object: '1' } as const;
    const foreign = [
      { family: 'attempts', object: '1' },
      { family: 'payment-methods', object: 'nobodys' },
    ] as const;
    const method = {
      family: 'payment-methods',
      object: world.contract.content.paymentMethodId ?? '',
    } as const;
    const again = await world.act(scopes, method, contract, absent, ...foreign, contract);
    expect([again, world.logs, await world.marked()]).toEqual([undefined, [], []]);
    await world.act(contract, method);
    expect(await toldOf(world)).toEqual({ status: ['ACTIVE → PAUSED'] });
    expect(await world.marked()).toEqual([]);
  });

  test('waits while a change of our own is under way, and is looked at again', async () => {
    const world = createEventsWorld();
    await world.install();
    await world.act(contract);
    world.later(MINUTE_MS);
    const change = await world.begin('status', 'PAUSED');
    world.elsewhere('status', 'PAUSED');
    expect(await world.act(contract)).toBe(world.nowMs() + MINUTE_MS);
    expect(await world.marked()).toEqual([`contracts ${WEEKLY}`]);
    await change.done();
    world.later(MINUTE_MS);
    expect(await world.act()).toBeUndefined();
    expect([await world.marked(), await world.foreign()]).toEqual([[], []]);
  });

  test('an uninstall counts if the platform refuses the grant, and is nothing after a new install', async () => {
    const world = createEventsWorld();
    await world.install();
    await world.act(uninstalled);
    expect((await world.record()).status).toBe('installed');
    world.refuseGrant();
    world.later(MINUTE_MS);
    await world.act(uninstalled);
    await world.act(uninstalled, contract);
    expect((await world.record()).status).toBe('uninstalled');
    const told = (await world.stream()).map(({ id, event }) => [event?.type, id]);
    expect(new Set(told.map(String)).size).toBe(1);
    expect(told[0]?.[0]).toBe('store.uninstalled');
    // Its other marks wait for a new install, or go with it.
    expect(await world.marked()).toEqual([`contracts ${WEEKLY}`]);
  });
});

/** Plays the script, then lets all be settled and looks once more. */
async function play(world: EventsWorld, { fields, steps }: Script) {
  const history: Happening[] = [];
  let open: { readonly change: Begun; readonly sinceMs: number }[] = [];
  await world.look();
  for (const { seconds, what, ...step } of steps) {
    // Of changes at the same time nobody can tell which found what.
    world.later(Math.max(seconds, open.length > 0 ? 31 : 0) * SECOND_MS);
    if (what.kind === 'look') {
      if ((await look(world, what.dies)) === 'done') history.push('looked');
      continue;
    }
    const field = chosenOf(world, fields)[step.field % fields.length] ?? 'note';
    const { values, isForeign = false } = world.fact(field);
    const textAt = (index: number) => values[index % values.length] ?? null;
    const [before, after] = [world.value(field), textAt(step.value)];
    if (before === after) continue;
    const who = isForeign ? 'elsewhere' : what.kind;
    if (what.kind === 'elsewhere' || isForeign) world.elsewhere(field, after);
    else {
      const change = await world.begin(field, after);
      if (what.ends === 'not made') {
        await change.notDone();
        continue;
      }
      if (what.crossed !== undefined) world.elsewhere(field, textAt(what.crossed));
      world.elsewhere(field, after);
      if (what.ends === 'at once') await change.done();
      else open.push({ change, sinceMs: world.nowMs() });
    }
    history.push({ who, field, before, after });
    // Later nobody would wait for them.
    for (const { change, sinceMs } of open)
      if (world.nowMs() - sinceMs > 8 * MINUTE_MS) await change.settle();
    open = open.filter(({ sinceMs }) => world.nowMs() - sinceMs <= 8 * MINUTE_MS);
  }
  for (const { change } of open) await change.settle();
  world.later(2 * MINUTE_MS);
  expect(await world.look()).toBe('done');
  return history;
}

/** With a variant a line's price and plan change. */
function chosenOf(world: EventsWorld, fields: readonly number[]): string[] {
  const chosen = fields.map((index) => world.fields[index % world.fields.length] ?? 'note');
  const variant = chosen.find((field) => field.endsWith('.variantId'));
  return chosen.map((field) => (/(?:Price|PlanId)$/.test(field) ? (variant ?? field) : field));
}

/** A worker that dies at its nth call of the table, and another after it. */
async function look(world: EventsWorld, dies: number | undefined, baselineAtMs?: number) {
  if (dies !== undefined) {
    const from = world.faults.calls.length;
    world.faults.plan = ({ count }) =>
      count === from + Math.floor(dies / 2) ? (dies % 2 === 0 ? 'before' : 'after') : undefined;
    await world.look(baselineAtMs).catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error;
    });
    world.faults.plan = () => undefined;
  }
  return world.look(baselineAtMs);
}

/** By field, every step that was told, as `a → b`. */
async function toldOf(world: EventsWorld): Promise<Record<string, string[]>> {
  const facts = (await world.foreign()).flatMap(({ changes }) => changes);
  // What comes with a line is told with it.
  const byField = Map.groupBy(
    facts.filter(({ field }) => world.fields.includes(field)),
    ({ field }) => field,
  );
  const steps = [...byField].map(([field, own]) => [
    field,
    own.map(({ before, after }) => `${before} → ${after}`),
  ]);
  return Object.fromEntries(steps);
}

/** Between two looks and two changes of ours, what others made of a fact is one step. */
function expectedOf(world: EventsWorld, history: readonly Happening[]): Record<string, string[]> {
  const expected: Record<string, string[]> = {};
  for (const field of world.fields) {
    const runs: { before: string | null; after: string | null }[] = [];
    let run: { before: string | null; after: string | null } | undefined;
    for (const one of history) {
      if (one === 'looked' || (one.field === field && one.who === 'ours')) run = undefined;
      else if (one.field === field) {
        if (run !== undefined) run.after = one.after;
        else {
          run = { before: one.before, after: one.after };
          runs.push(run);
        }
      }
    }
    const steps = runs.filter(({ before, after }) => before !== after);
    const { isBare = false } = world.fact(field);
    const told = steps.map(({ before, after }) => (isBare ? 'null → null' : `${before} → ${after}`));
    if (told.length > 0) expected[field] = told;
  }
  return expected;
}

holdsRights();
