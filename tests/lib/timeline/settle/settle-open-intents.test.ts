import { beforeEach, describe, expect, test } from '@jest/globals';
import { formatPlatformDate } from '../../../../lib/domain/instant.ts';
import { ServiceError } from '../../../../lib/errors/service-error.ts';
import type { StoreRecord } from '../../../../lib/storage/stores.ts';
import {
  createPauseRecordRepository,
  type PauseRecord,
} from '../../../../lib/subscriptions/pause/pause-record.ts';
import type { ContractNumber } from '../../../../lib/timeline/event-record.ts';
import { STORE_TIMELINE } from '../../../../lib/timeline/read-events.ts';
import {
  type SettleOpenIntentsDeps,
  settleOpenIntents,
} from '../../../../lib/timeline/settle/settle-open-intents.ts';
import { NOW_MS } from '../../../graphql/world/harness.ts';
import { Crash, createFaults, faulty } from '../../stores/world/faults.ts';
import { createSettleWorld, MONTHLY, type SettleWorld, WEEKLY } from '../settle-world.ts';

const PAUSE: Omit<PauseRecord, 'shopId' | 'setAtMs'> = {
  contractNumber: `${WEEKLY}` as ContractNumber,
  pauseId: '1',
  pausedAtMs: undefined,
  pausedBy: undefined,
  resumesAtMs: NOW_MS + 864e5,
  reason: undefined,
  setBy: { kind: 'MERCHANT', label: 'Helpdesk' },
};
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

let world: SettleWorld;
beforeEach(() => {
  world = createSettleWorld();
});

const settle = (changes: Partial<SettleOpenIntentsDeps> = {}) =>
  settleOpenIntents({ ...world.deps(), ...changes }, world.nowMs() + 10 * MINUTE_MS);

describe('a process that dies', () => {
  test('leaves no entry when it crashed before the request to the platform, and is settled after two minutes', async () => {
    await world.begin('subscription_paused', 'ACTIVE', 'PAUSED');
    world.later(2 * MINUTE_MS - 1);
    expect(await settle()).toBe(0);
    world.later(1);
    expect(await settle()).toBe(1);
    expect(await world.timeline()).toEqual([]);
    expect(await settle()).toBe(0);
  });

  test('after the platform did it leaves its entry, at the time of its intent', async () => {
    await world.begin('subscription_paused', 'ACTIVE', 'PAUSED');
    await world.change('subscriptionContractPause');
    world.later(15 * MINUTE_MS);
    expect(await world.timeline()).toEqual([]);
    expect(await settle()).toBe(1);
    expect(await world.timeline()).toEqual(['subscription_paused DONE']);
    expect((await world.entries())[0]?.createdAtMs).toBe(NOW_MS);
  });

  test('takes no missing access as evidence of the state', async () => {
    const card = world.contract(9101001).content.paymentMethodId;
    await world.beginFacts([['customerPaymentMethod', null, card]]);
    world.withhold('read_customer_payment_methods', 'write_customer_payment_methods');
    world.later(3 * MINUTE_MS);
    await settle();
    expect(await world.timeline()).toEqual(['subscription_updated UNKNOWN']);
  });

  test('resolves an e-mail to unknown, without a request to the platform', async () => {
    await world.begin('payment_method_update_email_sent', null, null);
    world.later(3 * MINUTE_MS);
    await settle();
    expect(await world.timeline()).toEqual(['payment_method_update_email_sent UNKNOWN']);
    expect(world.requests()).toBe(0);
  });

  test('resolves a change of the whole store to unknown', async () => {
    await world.timelines.begin({
      action: 'billing_cycles_charged',
      contractId: null,
      details: {},
      changes: [],
    });
    world.later(3 * MINUTE_MS);
    await settle();
    expect(await world.timeline(STORE_TIMELINE)).toEqual(['billing_cycles_charged UNKNOWN']);
  });

  test('many times on one contract: each is settled by what came after it, with one read', async () => {
    await world.begin('subscription_paused', 'ACTIVE', 'PAUSED');
    await world.change('subscriptionContractPause');
    world.later(5 * MINUTE_MS);
    await world.begin('subscription_resumed', 'PAUSED', 'ACTIVE');
    await world.change('subscriptionContractActivate');
    world.later(5 * MINUTE_MS);
    await world.begin('subscription_paused', 'ACTIVE', 'PAUSED');
    world.later(5 * MINUTE_MS);
    expect(await settle()).toBe(3);
    expect(await world.timeline()).toEqual(['subscription_paused DONE', 'subscription_resumed DONE']);
    expect(world.requests()).toBe(1);
  });
});

test('does not doubt later what the platform has returned', async () => {
  const { settleAsDone: done } = await world.begin('subscription_paused', 'ACTIVE', 'PAUSED');
  await done();
  world.contract(WEEKLY).content.status = 'FAILED';
  world.later(5 * MINUTE_MS);
  expect(await settle()).toBe(0);
  expect(await world.open()).toEqual([]);
  expect(await world.timeline()).toEqual(['subscription_paused DONE']);
});

test('resolves to unknown when the contract was changed externally since', async () => {
  await world.begin('subscription_paused', 'ACTIVE', 'PAUSED');
  world.later(5 * MINUTE_MS);
  await world.change('subscriptionContractPause');
  await settle();
  expect(await world.timeline()).toEqual(['subscription_paused UNKNOWN']);
});

test('a skip, a line and a date are read from the contract as they are', async () => {
  const contract = world.contract(WEEKLY);
  const [line] = contract.content.lines;
  const variantId = String(line?.variantId);
  await world.beginFacts([
    [`lines.${line?.id}.quantity`, '7', String(line?.quantity)],
    [`lines.${line?.id}.variantId`, '1', variantId],
    ['lines.gone.quantity', '1', null],
    ['nextBillingDate', null, contract.content.nextBillingDate],
    ['billingPolicy', '9 MONTH', '1 WEEK'],
    ['billingCycles.9.skipped', 'true', 'false'],
    ['billingCycles.9.status', 'BILLED', 'UNBILLED'],
    ['discounts.12', 'TEN', null],
    ['customAttributes', 'gift', ''],
  ]);
  world.later(3 * MINUTE_MS);
  await settle();
  expect(await world.timeline()).toEqual(['subscription_updated DONE']);
  expect(world.requests()).toBe(1);
});

test('reads the end of a pause from the stored pause', async () => {
  const pause = { ...PAUSE, shopId: world.shopId, setAtMs: world.nowMs() };
  const { read, replace } = createPauseRecordRepository(world.timelines);
  const before = formatPlatformDate(pause.resumesAtMs);
  for (const [pauseId, resumesAtMs] of [
    ['1', pause.resumesAtMs],
    ['2', undefined],
  ] as const) {
    await replace(await read(pause), { ...pause, pauseId, resumesAtMs }, world.nowMs());
    await world.beginFacts([['currentPause.resumesAt', before, null]]);
    world.later(3 * MINUTE_MS);
    await settle();
  }
  expect(await world.timeline()).toEqual(['subscription_updated DONE']);
});

test('a change of a line’s plan alone is settled by the plan', async () => {
  const [line] = world.contract(WEEKLY).content.lines;
  const field = `lines.${line?.id}.sellingPlanId`;
  for (const [before, after] of [
    ['1', `${line?.sellingPlanId}`],
    [`${line?.sellingPlanId}`, '1'],
  ] as const) {
    await world.beginFacts([[field, before, after]]);
    world.later(3 * MINUTE_MS);
    await settle();
  }
  expect(await world.timeline()).toEqual(['subscription_updated DONE']);
});

describe('a store', () => {
  test('keeps the intents of a store that does not respond, and settles others', async () => {
    await world.begin('subscription_paused', 'ACTIVE', 'PAUSED');
    world.later(2 * HOUR_MS);
    const sendWithinBudget = () => Promise.reject(new ServiceError('PLATFORM_UNAVAILABLE'));
    expect(await settle({ sendWithinBudget })).toBe(0);
    expect(world.metric()).toEqual({ open: 1, intentsOpenOverAnHour: 1 });
    expect(await settle()).toBe(1);
    expect(world.metric()).toEqual({ open: 0, intentsOpenOverAnHour: 0 });
  });

  test('settles the other intents of a store when one contract cannot be read', async () => {
    await world.begin('subscription_paused', 'ACTIVE', 'PAUSED');
    world.later(1);
    await world.begin('subscription_paused', 'ACTIVE', 'PAUSED', MONTHLY);
    world.later(3 * MINUTE_MS);
    const { sendWithinBudget: send } = world.deps();
    const sendWithinBudget: typeof send = (operation) =>
      String(operation.variables.id).endsWith(`${WEEKLY}`)
        ? Promise.reject(new ServiceError('QUERY_TOO_COMPLEX'))
        : send(operation);
    expect(await settle({ sendWithinBudget })).toBe(1);
    expect(await settle()).toBe(1);
  });

  test('stops waiting for a store that is unresponsive for a week', async () => {
    await world.begin('subscription_paused', 'ACTIVE', 'PAUSED');
    world.later(8 * 24 * HOUR_MS);
    await settle({ sendWithinBudget: () => Promise.reject(new ServiceError('STORE_DISCONNECTED')) });
    expect(await world.timeline()).toEqual(['subscription_paused UNKNOWN']);
  });

  test('leaves a store alone that is not installed', async () => {
    await world.begin('subscription_paused', 'ACTIVE', 'PAUSED');
    world.later(2 * HOUR_MS);
    const store = { status: 'uninstalled' } as StoreRecord;
    expect(await settle({ stores: { find: async () => store } })).toBe(0);
    expect(world.metric()).toMatchObject({ intentsOpenOverAnHour: 0 });
    expect(await world.timeline()).toEqual([]);
  });

  test('counts entries that are not appended for an hour, too', async () => {
    await (await world.begin('subscription_paused', 'ACTIVE', 'PAUSED')).settleAsDone();
    world.later(59 * MINUTE_MS);
    await settle();
    expect(world.metric()).toEqual({ open: 0, intentsOpenOverAnHour: 0 });
    world.later(2 * MINUTE_MS);
    await settle();
    expect(world.metric()).toEqual({ open: 0, intentsOpenOverAnHour: 1 });
    await world.place();
    await settle();
    expect(world.metric()).toEqual({ open: 0, intentsOpenOverAnHour: 0 });
  });

  test('is read no further when the time is up', async () => {
    await world.begin('subscription_paused', 'ACTIVE', 'PAUSED');
    world.later(3 * MINUTE_MS);
    expect(await settleOpenIntents(world.deps(), world.nowMs())).toBe(0);
    expect(world.requests()).toBe(0);
  });
});

describe('an intent that a mistake of ours keeps open', () => {
  const finishers = {
    subscription_paused: () => Promise.reject(new RangeError('Invalid time value')),
  };
  const recorded = () => world.timelines.logs.filter(({ message }) => message === 'intent.settlement_failed');

  test('keeps no other intent open, of its contract or another, and is logged with its cause', async () => {
    await world.begin('subscription_paused', 'ACTIVE', 'PAUSED');
    await world.change('subscriptionContractPause');
    world.later(5 * MINUTE_MS);
    await world.begin('subscription_cancelled', 'PAUSED', 'CANCELLED');
    await world.change('subscriptionContractCancel');
    await world.begin('subscription_resumed', 'PAUSED', 'ACTIVE', MONTHLY);
    world.later(5 * MINUTE_MS);
    expect(await settle({ finishers })).toBe(2);
    expect(await world.timeline()).toEqual(['subscription_cancelled DONE']);
    expect(recorded()).toMatchObject([
      { fields: { action: 'subscription_paused', cause: 'Invalid time value' } },
    ]);
    // The next run, without the error, settles the intent.
    expect(await settle()).toBe(1);
    expect(await world.timeline()).toEqual(['subscription_paused DONE', 'subscription_cancelled DONE']);
  });

  test('resolves to unknown after a week', async () => {
    await world.begin('subscription_paused', 'ACTIVE', 'PAUSED');
    await world.change('subscriptionContractPause');
    world.later(7 * 24 * HOUR_MS + 1);
    expect(await settle({ finishers })).toBe(1);
    expect(await world.timeline()).toEqual(['subscription_paused UNKNOWN']);
    expect(await settle({ finishers })).toBe(0);
    expect(recorded()).toHaveLength(1);
  });
});

describe('more open intents than are held in memory', () => {
  const endAtMs = () => world.nowMs() + 10 * MINUTE_MS;

  test('settles the intents behind one that cannot be settled', async () => {
    for (let wait = 0; wait < 3; wait++) {
      await world.begin('subscription_paused', 'ACTIVE', 'PAUSED');
      world.later(1);
    }
    await world.begin('subscription_paused', 'ACTIVE', 'PAUSED', MONTHLY);
    world.later(3 * HOUR_MS);
    const { sendWithinBudget: send } = world.deps();
    const sendWithinBudget: typeof send = (operation) =>
      String(operation.variables.id).endsWith(`${WEEKLY}`)
        ? Promise.reject(new ServiceError('QUERY_TOO_COMPLEX'))
        : send(operation);
    expect(await settleOpenIntents({ ...world.deps(), sendWithinBudget }, endAtMs(), 2)).toBe(1);
    expect(world.metric()).toEqual({ open: 3, intentsOpenOverAnHour: 3 });
  });

  test('resolves each intent of one contract by the ones after it', async () => {
    await world.begin('subscription_paused', 'ACTIVE', 'PAUSED');
    await world.change('subscriptionContractPause');
    world.later(5 * MINUTE_MS);
    await world.begin('subscription_resumed', 'PAUSED', 'ACTIVE');
    await world.change('subscriptionContractActivate');
    world.later(5 * MINUTE_MS);
    expect(await settleOpenIntents(world.deps(), endAtMs(), 1)).toBe(2);
    expect(await world.timeline()).toEqual(['subscription_paused DONE', 'subscription_resumed DONE']);
    expect(world.metric()).toEqual({ open: 0, intentsOpenOverAnHour: 0 });
  });
});

test('a run that is killed at any point is finished by the next, each intent settled once', async () => {
  await world.begin('subscription_paused', 'ACTIVE', 'PAUSED');
  await world.change('subscriptionContractPause');
  world.later(5 * MINUTE_MS);
  await world.begin('subscription_resumed', 'PAUSED', 'ACTIVE');
  world.later(5 * MINUTE_MS);
  const intents = await world.open();
  let deaths = 0;
  for (let step = 0; ; step++) {
    for (const fault of ['before', 'after'] as const) {
      const faults = createFaults();
      faults.plan = ({ count }) => (count === step ? fault : undefined);
      const table = faulty(world.timelines.table, 'table', faults);
      const died = await settle(world.over(table)).then(
        () => false,
        (error: unknown) => {
          if (error instanceof Crash) return true;
          throw error;
        },
      );
      await settle();
      expect([step, fault, await world.timeline()]).toEqual([step, fault, ['subscription_paused DONE']]);
      if (!died) {
        expect(deaths).toBeGreaterThan(8);
        return;
      }
      deaths++;
      await world.restore(intents);
    }
  }
});

test('two runs at once settle each intent once', async () => {
  await world.begin('subscription_paused', 'ACTIVE', 'PAUSED');
  await world.change('subscriptionContractPause');
  world.later(5 * MINUTE_MS);
  await Promise.all([settle(), settle()]);
  expect(await world.timeline()).toEqual(['subscription_paused DONE']);
});
