/**
 * The reported events of a contract that the service and other apps change: each event continues from the one before
 * it, so that a mirror that applies them in order matches the platform.
 */
import { describe, expect, test } from '@jest/globals';
import type { ContractNumber } from '../../../../lib/timeline/event-record.ts';
import { measuredWorks } from '../../../../tools/capacity/measured.ts';
import { recordedOf } from '../../../contract/world/observe.ts';
import { holdsRights } from '../../../rights/guarded-table.ts';
import { Crash } from '../../stores/world/faults.ts';
import { createEventsWorld, type EventsWorld, WEEKLY } from '../events-world.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 1440 * MINUTE_MS;

/** An event as `type: field before → after`. */
function shortOf({ type, data }: Awaited<ReturnType<EventsWorld['events']>>[number]): string {
  const changes = data.changes.map(({ field, before, after }) => `${field} ${text(before)} → ${text(after)}`);
  return `${data.actor?.kind} ${type}: ${changes.join(', ')}`;
}
const text = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
const shorts = async (world: EventsWorld) => (await world.events()).map(shortOf);

/** The platform changes the contract, or a charge of it ends: both set `updatedAt`. */
function updated({ contract, nowMs }: EventsWorld): void {
  contract.updatedAt = new Date(nowMs()).toISOString();
}
const timeOf = ({ nowMs }: EventsWorld) => new Date(nowMs()).toISOString();

describe('a mirror that is built from events', () => {
  test('learns of an external pause before the own resuming that found it', async () => {
    const world = createEventsWorld();
    await world.readContracts();
    world.later(MINUTE_MS);
    world.changeExternally('status', 'PAUSED');
    world.later(6 * SECOND_MS);
    const resume = await world.begin('status', 'ACTIVE', 'subscription_resumed');
    world.changeExternally('status', 'ACTIVE');
    await resume.settleAsDone();
    world.later(MINUTE_MS);
    await world.readContracts();
    expect(await shorts(world)).toEqual([
      'UNKNOWN subscription.paused: status ACTIVE → PAUSED',
      'CUSTOMER subscription.resumed: status PAUSED → ACTIVE',
    ]);
  });

  test('learns of an external price change after an own change of the interval', async () => {
    const world = createEventsWorld();
    await world.readContracts();
    world.later(MINUTE_MS);
    const change = await world.begin('billingPolicy', '1 MONTH', 'subscription_interval_updated');
    world.changeExternally('billingPolicy', '1 MONTH');
    await change.settleAsDone();
    world.later(MINUTE_MS);
    await world.readContracts();
    world.later(MINUTE_MS);
    const [price = ''] = world.fields.filter((field) => field.endsWith('.currentPrice'));
    const before = world.value(price);
    world.changeExternally(price, '6.5 USD');
    await world.readContracts();
    const all = await world.events();
    expect(all.map(({ type }) => type)).toEqual([
      'subscription.interval_changed',
      'subscription.updated',
      'subscription.lines_changed',
    ]);
    expect(all.map(({ data }) => data.ordersChanged)).toEqual([true, true, false]);
    expect(all[2]?.data).toMatchObject({
      actor: { kind: 'UNKNOWN' },
      changes: [
        {
          before: { amount: before?.split(' ')[0], currencyCode: 'USD' },
          after: { amount: '6.5', currencyCode: 'USD' },
        },
      ],
    });
  });

  test('reports a cancellation by its own type, with any other change', async () => {
    const world = createEventsWorld();
    await world.readContracts();
    world.later(MINUTE_MS);
    world.changeExternally('note', 'b');
    world.changeExternally('status', 'CANCELLED');
    await world.readContracts();
    expect(await shorts(world)).toEqual([
      'UNKNOWN subscription.note_changed: note null → null',
      'UNKNOWN subscription.cancelled: status ACTIVE → CANCELLED',
    ]);
  });

  test('learns the index and the date of the same order, and of no order when only the note of the next payment moves', async () => {
    const world = createEventsWorld();
    await world.readContracts();
    world.later(MINUTE_MS);
    const [moved, later] = ['billingCycles.10.billingAttemptExpectedDate', 'nextBillingDate'];
    const dates = [world.fact(moved).values[1] ?? '', world.fact(later).values[2] ?? ''] as const;
    world.changeExternally('billingCycles.9.skipped', 'true');
    world.changeExternally(moved, dates[0]);
    world.changeExternally(later, dates[1]);
    await world.readContracts();
    const all = (await world.events()).map(({ type, data: { order } }) => [
      type,
      order?.cycleIndex,
      order?.date,
    ]);
    expect(all).toEqual([
      ['subscription.updated', undefined, undefined],
      ['order.skipped', 9, null],
      ['order.rescheduled', 10, dates[0]],
    ]);
  });

  test('learns all of an added line, and that all of a removed one is gone', async () => {
    const world = createEventsWorld();
    await world.readContracts();
    world.later(MINUTE_MS);
    world.changeExternally('lines.91.quantity', '2');
    await world.readContracts();
    world.later(MINUTE_MS);
    world.changeExternally('lines.91.quantity', null);
    await world.readContracts();
    const [added, removed] = (await world.events()).map(({ data }) => data.changes);
    const fields = ['currentPrice', 'quantity', 'sellingPlanId', 'variantId'].map(
      (name) => `lines.91.${name}`,
    );
    expect(added?.map(({ field }) => field).toSorted()).toEqual(fields);
    expect(added).toContainEqual({ field: 'lines.91.quantity', before: null, after: 2 });
    expect(removed?.map(({ field, after }) => [field, after]).toSorted()).toEqual(
      fields.map((field) => [field, null]),
    );
  });
});

describe('a contract that a key has made', () => {
  test('is reported as created with all its facts at the second read', async () => {
    const world = createEventsWorld();
    await world.create();
    // The platform's webhook comes at once, so the first reading is too near to the creation.
    await world.act({ topicGroup: 'contracts', object: String(WEEKLY) });
    world.later(MINUTE_MS);
    await world.act();
    const all = await world.events();
    expect(all.map(({ type }) => type)).toEqual(['subscription.created']);
    expect(all[0]?.data.customerId).toEqual(expect.stringContaining('/Customer/'));
    const { changes = [] } = all[0]?.data ?? {};
    expect(changes).toContainEqual({ field: 'status', before: null, after: 'ACTIVE' });
    expect(changes.every(({ before }) => before === null)).toBe(true);
  });

  test('is reported as created without a webhook of the platform', async () => {
    const world = createEventsWorld();
    await world.create();
    await world.events();
    world.later(MINUTE_MS);
    await world.act();
    const all = await world.events();
    expect(all.map(({ type, data }) => [type, data.changes.length > 0])).toEqual([
      ['subscription.created', true],
    ]);
  });

  test('is reported with the facts that are read first, even when that is only after an hour', async () => {
    const world = createEventsWorld();
    await world.create();
    for (let minutes = 0; minutes < 60; minutes += 10) {
      world.later(10 * MINUTE_MS);
      expect(await world.events()).toEqual([]);
    }
    const pause = await world.begin('status', 'PAUSED', 'subscription_paused');
    world.changeExternally('status', 'PAUSED');
    await pause.settleAsDone();
    expect(await world.events()).toEqual([]);
    world.later(MINUTE_MS);
    await world.readContracts();
    const all = await world.events();
    expect(all.map(({ type }) => type)).toEqual(['subscription.created']);
    expect(all[0]?.data.changes).toContainEqual({ field: 'status', before: null, after: 'PAUSED' });
    world.changeExternally('status', 'ACTIVE');
    world.later(MINUTE_MS);
    await world.readContracts();
    expect((await world.events()).at(-1)?.type).toBe('subscription.resumed');
  });

  test('is reported without facts after a week, and is not reported as active again', async () => {
    const world = createEventsWorld();
    await world.create();
    world.later(8 * 1440 * MINUTE_MS);
    await world.events();
    await world.readContracts();
    const all = await world.events();
    expect([all[0]?.type, all[0]?.data.changes]).toEqual(['subscription.created', []]);
    expect(all.length).toBeGreaterThan(1);
    expect(all.map(({ type }) => type)).not.toContain('subscription.activated');
  });
});

describe('a change of our own that is under way', () => {
  test('waits for it 15 minutes at most, and reports it once', async () => {
    const world = createEventsWorld();
    await world.readContracts();
    world.later(MINUTE_MS);
    const change = await world.begin('status', 'PAUSED');
    world.changeExternally('status', 'PAUSED');
    expect(await world.readContracts()).toBe('wait');
    world.later(16 * MINUTE_MS);
    expect(await world.readContracts()).toBe('done');
    await change.settleAsDone();
    world.later(MINUTE_MS);
    expect(await world.readContracts()).toBe('done');
    expect(await world.foreign()).toEqual([]);
  });

  test('reports no fact of an open change until it is settled', async () => {
    const world = createEventsWorld();
    await world.readContracts();
    world.later(MINUTE_MS);
    world.changeExternally('deliveryPrice', '1 USD');
    const change = await world.begin('deliveryPrice', '2.5 USD', 'subscription_delivery_updated');
    world.changeExternally('deliveryPrice', '2.5 USD');
    world.later(16 * MINUTE_MS);
    expect(await world.readContracts()).toBe('done');
    expect(await shorts(world)).toEqual([]);
    await change.settle();
    const [own, ...others] = await world.events();
    expect([own?.data.actor?.kind, own?.data.changes[0]?.after]).toEqual([
      'CUSTOMER',
      { amount: '2.5', currencyCode: 'USD' },
    ]);
    expect(others).toEqual([]);
  });

  test('reports other facts once the change is settled', async () => {
    const world = createEventsWorld();
    await world.readContracts();
    world.later(MINUTE_MS);
    const change = await world.begin('note', 'ours');
    world.changeExternally('note', 'ours');
    world.changeExternally('status', 'PAUSED');
    await change.settleAsDone();
    world.later(MINUTE_MS);
    expect(await world.readContracts()).toBe('done');
    expect(await recordedByContract(world)).toEqual({ status: ['ACTIVE → PAUSED'] });
  });
});

test('reports as removed what the service has added and another app has removed before the next read', async () => {
  const world = createEventsWorld();
  await world.readContracts();
  world.later(MINUTE_MS);
  const change = await world.begin('discounts.d-1', 'Ten off');
  world.changeExternally('discounts.d-1', 'Ten off');
  await change.settleAsDone();
  world.later(MINUTE_MS);
  world.changeExternally('discounts.d-1', null);
  expect(await world.readContracts()).toBe('done');
  expect(await world.foreign()).toMatchObject([
    { changes: [{ field: 'discounts.d-1', before: 'Ten off', after: null }] },
  ]);
});

test('reports a contract that is made externally for an erased customer once, and stores nothing of it', async () => {
  const world = createEventsWorld();
  const stored = () =>
    recordedOf({ table: world.base }, world.installed.shopId, String(WEEKLY) as ContractNumber);
  world.erased(true);
  world.changeExternally('note', 'a');
  for (const dies of [0, 3, 5, 7, 9, undefined]) {
    await readWithCrash(world, dies, 0);
    world.later(MINUTE_MS);
    expect(JSON.stringify(await stored())).not.toMatch(/"(?:customerId|note|instrument|status)"/);
  }
  await world.pass();
  world.erased(false);
  for (const note of ['b', 'c', 'c']) {
    world.changeExternally('note', note);
    world.later(MINUTE_MS);
    await world.readContracts(0);
  }
  expect(await world.foreign()).toMatchObject([
    { action: 'subscription_created' },
    { changes: [{ field: 'note', before: null, after: null }] },
  ]);
  const recorded = (await world.stream()).filter(({ entry }) => entry?.action === 'subscription_created');
  expect(new Set(recorded.map(({ id }) => id)).size).toBe(1);
});

test('reports external changes before later changes of the service, wherever the worker crashes', async () => {
  for (let step = 0, hasDied = true; hasDied; step++) {
    hasDied = false;
    const world = createEventsWorld();
    await world.readContracts();
    world.later(MINUTE_MS);
    world.changeExternally('note', 'b');
    world.faults.plan = ({ operation }) => {
      const isWrite = ['put', 'update', 'delete'].includes(operation);
      if (!isWrite || hasDied || writes++ < Math.floor(step / 2)) return undefined;
      hasDied = true;
      return step % 2 === 0 ? 'before' : 'after';
    };
    let writes = 0;
    await world.readContracts().catch((error: unknown) => expect(error).toBeInstanceOf(Crash));
    world.faults.plan = () => undefined;
    world.later(1);
    const own = await world.begin('billingCycles.9.skipped', 'true');
    world.changeExternally('billingCycles.9.skipped', 'true');
    await own.settleAsDone();
    // Delivery runs before the worker comes again.
    await world.stream();
    for (let reads = 0; reads < 3; reads++) {
      world.later(MINUTE_MS);
      await world.readContracts();
    }
    const stream = await world.stream();
    const first = [...new Map(stream.map(({ id, entry }) => [id, String(entry?.number)])).values()];
    expect([step, first]).toEqual([step, first.toSorted()]);
    expect([step, first.length, (await world.foreign()).length]).toEqual([step, 2, 1]);
  }
});

test('deletes a timed pause that was ended externally, and keeps a later one', async () => {
  const world = createEventsWorld();
  const pause = (pauseId: string) => ({
    ...{ shopId: world.installed.shopId, contractNumber: String(WEEKLY) as ContractNumber, pauseId },
    ...{ pausedAtMs: undefined, pausedBy: undefined, reason: undefined },
    ...{ resumesAtMs: world.nowMs() + 86_400_000, setAtMs: world.nowMs() },
    setBy: { kind: 'MERCHANT' as const, label: 'Helpdesk' },
  });
  world.changeExternally('status', 'PAUSED');
  const first = pause('1');
  await world.timedPauses.set(undefined, first);
  world.later(MINUTE_MS);
  await world.readContracts();
  world.changeExternally('status', 'ACTIVE');
  world.later(MINUTE_MS);
  await world.readContracts();
  expect(await world.timedPauses.read(first)).toBeUndefined();
  world.changeExternally('status', 'PAUSED');
  await world.readContracts();
  world.later(MINUTE_MS);
  await world.timedPauses.set(undefined, pause('2'));
  await world.readContracts();
  expect(await world.timedPauses.read(first)).toMatchObject({ pauseId: '2' });
});

describe('the nightly reconciliation', () => {
  const advanceDay = (world: EventsWorld) => world.later(DAY_MS);

  test('finds what no webhook reported, of all contracts, once', async () => {
    const world = createEventsWorld();
    const nextAtMs = await world.pass();
    expect(nextAtMs).toBeGreaterThan(world.nowMs());
    expect(await world.foreign()).toEqual([]);
    world.changeExternally('note', 'b');
    world.changeExternally('billingCycles.9.skipped', 'true');
    // By day it has nothing to do.
    await world.pass();
    expect(await world.foreign()).toEqual([]);
    advanceDay(world);
    await world.pass();
    advanceDay(world);
    await world.pass();
    expect(Object.keys(await recordedByContract(world)).sort()).toEqual(['billingCycles.9.skipped', 'note']);
    const recorded = (await world.stream()).filter(({ entry }) => entry?.action === 'changed_elsewhere');
    expect(recorded.map(({ entry }) => entry?.type)).toEqual(['subscription.note_changed', 'order.skipped']);
  });

  test.each([
    [undefined, 3],
    [1, 1],
    [14, 14],
  ])(
    'reports each order as many days ahead as the store wants, and each expiring card, once: %p',
    async (expected, days) => {
      const world = createEventsWorld();
      world.wantsUpcoming(expected);
      const method = world.world.platform
        .store()
        .paymentMethods.get(world.contract.content.paymentMethodId ?? '');
      const end = new Date(world.nowMs() + 5 * DAY_MS);
      Object.assign(method?.instrument ?? {}, {
        expiryMonth: end.getUTCMonth() + 1,
        expiryYear: end.getUTCFullYear(),
      });
      for (let day = 0; day < 10; day++) {
        await world.pass();
        advanceDay(world);
      }
      const recorded = (await world.stream()).filter(({ contract }) => contract === String(WEEKLY));
      const orders = recorded.filter(({ event }) => event?.type === 'order.upcoming');
      expect(new Set(orders.map(({ id }) => id)).size).toBe(orders.length);
      expect(orders.length).toBeGreaterThan(0);
      const aheadMs = orders.map(
        ({ event, placedAtMs }) => Date.parse(event?.order?.date ?? '') - placedAtMs,
      );
      expect(Math.max(...aheadMs)).toBeLessThanOrEqual(days * DAY_MS);
      // The next nightly reconciliation reports it.
      expect(Math.max(...aheadMs)).toBeGreaterThan((days - 1) * DAY_MS);
      expect(recorded.filter(({ event }) => event?.type === 'payment_method.expiring')).toHaveLength(1);
    },
  );

  test('announces nothing of a contract that it sees for the first time and whose customer was erased', async () => {
    const world = createEventsWorld();
    world.wantsUpcoming(14);
    const method = world.world.platform
      .store()
      .paymentMethods.get(world.contract.content.paymentMethodId ?? '');
    const end = new Date(world.nowMs() + 5 * DAY_MS);
    Object.assign(method?.instrument ?? {}, {
      expiryMonth: end.getUTCMonth() + 1,
      expiryYear: end.getUTCFullYear(),
    });
    world.erased(true);
    for (let day = 0; day < 3; day++) {
      await world.pass();
      advanceDay(world);
    }
    const announced = (await world.stream()).filter(
      ({ contract, event }) =>
        contract === String(WEEKLY) && /^(?:order.upcoming|payment_method.expiring)$/.test(event?.type ?? ''),
    );
    expect(announced).toEqual([]);
  });

  test('reports that another app undid a change of the service, though the value is as before', async () => {
    const world = createEventsWorld();
    world.changeExternally('note', 'a');
    await world.pass();
    world.later(MINUTE_MS);
    const own = await world.begin('note', 'b');
    world.changeExternally('note', 'b');
    await own.settleAsDone();
    world.later(20 * MINUTE_MS);
    world.changeExternally('note', 'a');
    advanceDay(world);
    await world.pass();
    advanceDay(world);
    await world.pass();
    expect(await recordedByContract(world)).toEqual({ note: [expect.anything()] });
  });

  test('writes a note and an observation of a contract that it has not seen, and nothing of one that is as it was', async () => {
    const world = createEventsWorld();
    await world.install();
    const writes = () =>
      world.faults.calls.filter(({ operation }) => /^(?:put|update|delete)$/.test(operation));
    await world.readContracts();
    expect(writes().map(({ operation }) => operation)).toEqual(['put', 'put', 'put']);
    // The measured write units show that the last put is the snapshot of some kilobytes.
    expect(measuredWorks.firstRead.writeUnits).toBeGreaterThan(2);
    advanceDay(world);
    await world.readContracts();
    expect(writes()).toHaveLength(3);
  });

  test('registers again what the platform has deleted', async () => {
    const world = createEventsWorld();
    const registered = () => world.world.platform.store().webhookSubscriptions;
    await world.pass();
    const size = registered()?.size ?? 0;
    expect(size).toBeGreaterThan(10);
    registered()?.clear();
    advanceDay(world);
    await world.pass();
    expect(registered()?.size).toBe(size);
  });

  test('continues after a crash anywhere, and loses nothing', async () => {
    const world = createEventsWorld();
    await world.pass();
    world.changeExternally('note', 'b');
    advanceDay(world);
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
    expect(await recordedByContract(world)).toEqual({ note: ['null → null'] });
  });
});

describe('a payment method', () => {
  const methodOf = (world: EventsWorld) => {
    const { paymentMethodId } = world.contract.content;
    const method = world.world.platform.store().paymentMethods.get(paymentMethodId ?? '');
    if (method === undefined) throw new Error('no method');
    return method;
  };

  test('reports a replaced or removed payment method on its contract', async () => {
    const world = createEventsWorld();
    await world.readContracts();
    Object.assign(methodOf(world).instrument, { lastDigits: '0001' });
    world.later(MINUTE_MS);
    await world.readContracts();
    methodOf(world).revokedAt = new Date(world.nowMs()).toISOString();
    world.later(MINUTE_MS);
    await world.readContracts();
    await world.readContracts();
    const actions = (await world.foreign()).map(({ action }) => action);
    expect(actions).toEqual(['payment_method_replaced', 'payment_method_removed']);
  });

  test('dates a replaced or removed method when it is seen, not by an earlier decline that updated the contract', async () => {
    const world = createEventsWorld();
    await world.readContracts();
    world.later(DAY_MS);
    updated(world);
    await world.readContracts();
    world.later(23 * DAY_MS);
    Object.assign(methodOf(world).instrument, { lastDigits: '0001' });
    const replacedAt = timeOf(world);
    await world.readContracts();
    world.later(DAY_MS);
    updated(world);
    await world.readContracts();
    world.later(DAY_MS);
    methodOf(world).revokedAt = new Date(world.nowMs()).toISOString();
    const removedAt = timeOf(world);
    await world.readContracts();
    expect((await world.events()).map(({ data }) => [data.occurredAt, data.isEstimate])).toEqual([
      [replacedAt, true],
      [removedAt, true],
    ]);
  });
});

describe('the time of a change that was made outside the service', () => {
  test('is the time of the contract for its own facts, and of the reading for orders and the payment method', async () => {
    const world = createEventsWorld();
    await world.readContracts();
    world.later(DAY_MS);
    world.changeExternally('note', 'b');
    updated(world);
    const updatedAt = timeOf(world);
    world.later(DAY_MS);
    world.changeExternally('billingCycles.9.skipped', 'true');
    const method = world.world.platform
      .store()
      .paymentMethods.get(world.contract.content.paymentMethodId ?? '');
    Object.assign(method?.instrument ?? {}, { lastDigits: '0001' });
    await world.readContracts();
    const times = (await world.events()).map(({ type, data }) => [type, data.occurredAt]);
    expect(times.sort()).toEqual([
      ['order.skipped', timeOf(world)],
      ['subscription.note_changed', updatedAt],
      ['subscription.payment_method_changed', timeOf(world)],
    ]);
    // Each entry has its own time in the timeline.
    const actions = (await world.foreign()).map(({ action }) => action);
    expect(actions).toEqual(['changed_elsewhere', 'changed_elsewhere', 'payment_method_replaced']);
  });
});

describe('an inbox item', () => {
  const contract = { topicGroup: 'contracts', object: String(WEEKLY) } as const;
  const uninstalled = { topicGroup: 'app', object: '82000000001' } as const;

  test('is processed once, however often and in whatever order its webhooks came', async () => {
    const world = createEventsWorld();
    await world.install();
    await world.act(contract);
    world.changeExternally('status', 'PAUSED');
    world.later(MINUTE_MS);
    const scopes = { topicGroup: 'scopes', object: '82000000001' } as const;
    // Shops may share a secret: what one of them was sent, sent again under another's name, is of ids that it lacks.
    const absent = { topicGroup: 'contracts', object: '1' } as const;
    const foreign = [
      { topicGroup: 'attempts', object: '1' },
      { topicGroup: 'payment-methods', object: 'nobodys' },
    ] as const;
    const method = {
      topicGroup: 'payment-methods',
      object: world.contract.content.paymentMethodId ?? '',
    } as const;
    const again = await world.act(scopes, method, contract, absent, ...foreign, contract);
    expect([again, world.logs, await world.inboxItems()]).toEqual([undefined, [], []]);
    await world.act(contract, method);
    expect(await recordedByContract(world)).toEqual({ status: ['ACTIVE → PAUSED'] });
    expect(await world.inboxItems()).toEqual([]);
  });

  test('waits while a change of the service is under way, and is processed again', async () => {
    const world = createEventsWorld();
    await world.install();
    await world.act(contract);
    world.later(MINUTE_MS);
    const change = await world.begin('status', 'PAUSED');
    world.changeExternally('status', 'PAUSED');
    expect(await world.act(contract)).toBe(world.nowMs() + MINUTE_MS);
    expect(await world.inboxItems()).toEqual([`contracts ${WEEKLY}`]);
    await change.settleAsDone();
    world.later(MINUTE_MS);
    expect(await world.act()).toBeUndefined();
    expect([await world.inboxItems(), await world.foreign()]).toEqual([[], []]);
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
    const recorded = (await world.stream()).map(({ id, event }) => [event?.type, id]);
    expect(new Set(recorded.map(String)).size).toBe(1);
    expect(recorded[0]?.[0]).toBe('store.uninstalled');
    // Its other marks wait for a new install, or go with it.
    expect(await world.inboxItems()).toEqual([`contracts ${WEEKLY}`]);
  });
});

/** A worker that dies at its nth call of the table, and another after it. */
async function readWithCrash(world: EventsWorld, dies: number | undefined, baselineAtMs?: number) {
  if (dies !== undefined) {
    const from = world.faults.calls.length;
    world.faults.plan = ({ count }) =>
      count === from + Math.floor(dies / 2) ? (dies % 2 === 0 ? 'before' : 'after') : undefined;
    await world.readContracts(baselineAtMs).catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error;
    });
    world.faults.plan = () => undefined;
  }
  return world.readContracts(baselineAtMs);
}

/** Returns every recorded step by field, as `a → b`. */
async function recordedByContract(world: EventsWorld): Promise<Record<string, string[]>> {
  const facts = (await world.foreign()).flatMap(({ changes }) => changes);
  // Fields that a new line brings along are recorded with the line.
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

holdsRights();
