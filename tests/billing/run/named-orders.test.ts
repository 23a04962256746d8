/** Single orders in which the service once did something else than the oracle expects. */
import { expect, test } from '@jest/globals';
import { runBilling } from '../../../lib/billing/run/run-billing.ts';
import { toPastOrders } from '../../../lib/subscriptions/interval/unfinished-intervals.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import { holdsRights } from '../../rights/guarded-table.ts';
import { answers, at, describeExample, type Given } from '../oracle/examples/examples.ts';
import { runContractEvent } from '../oracle/random/replay.ts';
import { findDisagreements, findViolations } from './accept-description.ts';
import { nameRequest } from './crash-points.ts';
import { CALM, type RandomFaults } from './fault-profile.ts';
import { simulate } from './simulate.ts';

const chargeOfOthers = { kind: 'charge', atMs: at('2027-01-04T12:00Z'), index: 1 } as const;
const newCard = { kind: 'card', atMs: at('2027-01-04T18:00Z'), card: { answers: answers('PAYS') } } as const;

/** Nothing breaks, and the platform lets others pay an order twice. */
const CALM_WITH_SEVERAL_PAYMENTS: RandomFaults = {
  ...CALM,
  behaviour: { openAttempts: 'several', paymentsPerOrder: 'several' },
};

const ORDERS: Readonly<Record<string, Given>> = {
  'waits for the customer whose card was declined in a charge of others': {
    answers: answers('EXPIRED_PAYMENT_METHOD', 'PAYS'),
    events: [chargeOfOthers],
  },
  'tries a card that came after the decline of others': {
    answers: answers('EXPIRED_PAYMENT_METHOD'),
    events: [chargeOfOthers, newCard],
  },
  'takes the final action of an order when the next one is due, and not its retry of that day': {
    answers: answers('DO_NOT_HONOR', 'PAYS'),
    settings: { declined: { retryAfterDays: [13], finalAction: 'CANCEL' } },
    contract: { policy: { interval: 'DAY', intervalCount: 13, anchors: [] }, billedCount: 2 },
  },
  'takes no final action for a declined order that the customer has skipped when the next one is due': {
    answers: answers('DO_NOT_HONOR', 'PAYS'),
    settings: { declined: { retryAfterDays: [13], finalAction: 'PAUSE' } },
    contract: { policy: { interval: 'DAY', intervalCount: 13, anchors: [] }, billedCount: 2 },
    events: [{ kind: 'skip', atMs: at('2027-01-16T12:00Z'), index: 3 }],
  },
  'tries a declined order again on the day to which it was moved, and not on that of its next try': {
    answers: answers('INSUFFICIENT_FUNDS', 'PAYS'),
    contract: { createdMs: at('2026-12-09T08:20Z') },
    events: [
      { kind: 'move', atMs: at('2027-01-02T00:00Z'), index: 1, toMs: at('2027-01-05T12:00Z') },
      { kind: 'move', atMs: at('2027-01-05T15:00Z'), index: 1, toMs: at('2027-01-07T08:00Z') },
    ],
  },
  'takes the final action of an order when the next one was due while billing was stopped': {
    answers: answers('INSUFFICIENT_FUNDS', 'PAYS'),
    changes: [
      { kind: 'stop', atMs: at('2027-01-14T12:00Z') },
      { kind: 'resume', atMs: at('2027-01-29T12:00Z') },
    ],
    contract: { policy: { interval: 'DAY', intervalCount: 13, anchors: [] }, billedCount: 2 },
  },
  'charges an order that was left to the next day before a younger one of its contract': {
    answers: answers('EXPIRED_PAYMENT_METHOD'),
    settings: { hour: 0 },
    zone: 'America/New_York',
    contract: {
      ...{ policy: { interval: 'DAY', intervalCount: 1, anchors: [] }, billedCount: 30, status: 'PAUSED' },
    },
    events: [{ kind: 'activate', atMs: at('2027-01-05T07:00Z') }],
    until: '2027-01-12T00:00Z',
  },
  'sends an order that was under review before a younger one that is due on the day of its next try': {
    answers: answers('DO_NOT_HONOR', 'PAYS'),
    contract: {
      ...{ policy: { interval: 'DAY', intervalCount: 1, anchors: [] }, billedCount: 30 },
      refusals: [
        { fromMs: at('2027-01-05T00:00Z'), untilMs: at('2027-01-06T09:00Z'), code: 'CONTRACT_UNDER_REVIEW' },
      ],
    },
    until: '2027-01-12T00:00Z',
  },
  'takes the final action after all days, however often the customer has tried other cards on the first one':
    {
      answers: answers('EXPIRED_CARD'),
      settings: { declined: { retryAfterDays: [1, 2], finalAction: 'CANCEL' } },
      events: ['12:00', '13:00', '14:00', '15:00'].map((time) => ({
        ...{ kind: 'card', atMs: at(`2027-01-05T${time}Z`), card: { answers: answers('EXPIRED_CARD') } },
      })),
    },
  'tries again after the address was changed outside the service': {
    answers: answers('INVALID_SHIPPING_ADDRESS', 'PAYS'),
    events: [{ kind: 'address', atMs: at('2027-01-07T12:00Z') }],
  },
  'tries again once an hour after new addresses, and at once after a new card': {
    answers: answers('INVALID_SHIPPING_ADDRESS'),
    events: [
      ...['12:00', '12:10', '12:20', '13:10', '13:20'].map(
        (time) => ({ kind: 'address', atMs: at(`2027-01-07T${time}Z`) }) as const,
      ),
      { kind: 'card', atMs: at('2027-01-07T13:40Z'), card: { answers: answers('PAYS') } },
    ],
  },
  'takes no final action for an order that was declined by others before its day, when the contract was not active':
    {
      answers: answers('EXPIRED_PAYMENT_METHOD'),
      settings: { hour: 3 },
      store: { earlyWithoutIndex: 'charged' },
      contract: { status: 'FAILED' },
      events: [
        { kind: 'charge', atMs: at('2026-12-28T12:00Z'), index: null },
        { kind: 'activate', atMs: at('2027-01-07T12:00Z') },
      ],
    },
  'does not charge by a preview that was made before billing was switched off and on again': {
    changes: [
      { kind: 'settings', atMs: at('2027-01-03T12:00Z'), settings: { enabled: false } },
      {
        ...{ kind: 'settings', atMs: at('2027-01-05T06:00Z') },
        settings: { enabled: true, startsOn: '2027-01-05' },
      },
    ],
    until: '2027-01-06T06:00Z',
  },
  'ends an order from before the first day, after billing was switched off and on again, when its payment is not confirmed':
    {
      settings: { declined: { retryAfterDays: [3, 4], finalAction: 'CANCEL' } },
      contract: {
        card: {
          answers: [
            { outcome: 'INSUFFICIENT_FUNDS', seconds: 2 * 86_400, isChallenge: true },
            { outcome: 'PAYS', seconds: 20 },
          ],
        },
      },
      changes: [
        { kind: 'settings', atMs: at('2027-01-05T12:00Z'), settings: { enabled: false } },
        {
          ...{ kind: 'settings', atMs: at('2027-01-05T15:00Z') },
          settings: { enabled: true, startsOn: '2027-01-06' },
        },
      ],
      until: '2027-01-09T00:00Z',
    },
  'ends an order that is declined after billing was switched off and on again, before the new first day': {
    contract: {
      card: { answers: [{ outcome: 'INSUFFICIENT_FUNDS', seconds: 2 * 86_400, isChallenge: true }] },
    },
    changes: [
      { kind: 'settings', atMs: at('2027-01-05T12:00Z'), settings: { enabled: false } },
      {
        ...{ kind: 'settings', atMs: at('2027-01-05T15:00Z') },
        settings: { enabled: true, startsOn: '2027-01-20' },
      },
    ],
    until: '2027-01-08T00:00Z',
  },
  'ends an order that was to be tried again when billing is switched off and on again within a minute': {
    answers: answers('INSUFFICIENT_FUNDS'),
    changes: [
      { kind: 'settings', atMs: at('2027-01-05T12:00:10Z'), settings: { enabled: false } },
      {
        ...{ kind: 'settings', atMs: at('2027-01-05T12:00:20Z') },
        settings: { enabled: true, startsOn: '2027-01-06' },
      },
    ],
    until: '2027-01-05T13:00Z',
  },
  'tries an order again that was declined on the first day, when a new time zone puts the store back to the day before':
    {
      zone: 'Pacific/Kiritimati',
      settings: { startsOn: '2027-01-05' },
      answers: answers('INSUFFICIENT_FUNDS', 'PAYS'),
      changes: [{ kind: 'zone', atMs: at('2027-01-04T22:00Z'), timeZone: 'Pacific/Pago_Pago' }],
      until: '2027-01-12T00:00Z',
    },
  'ends an order with its contract, which was cancelled while an attempt was under way and billing was off': {
    contract: {
      card: { answers: [{ outcome: 'CONFIRMATION_REJECTED', seconds: 2 * 86_400, isChallenge: true }] },
    },
    events: [{ kind: 'cancel', atMs: at('2027-01-06T12:00Z') }],
    changes: [
      { kind: 'settings', atMs: at('2027-01-06T03:00Z'), settings: { enabled: false } },
      {
        ...{ kind: 'settings', atMs: at('2027-01-07T05:00Z') },
        settings: { enabled: true, startsOn: '2027-01-09' },
      },
    ],
    until: '2027-01-12T00:00Z',
  },
  'sets the price of the next step for an order that was moved': {
    contract: {
      lines: [
        {
          ...{ quantity: 1, currentPriceMinor: 800 },
          steps: [
            { afterCycle: 0, priceMinor: 800 },
            { afterCycle: 1, priceMinor: 900 },
          ],
        },
      ],
    },
    events: [{ kind: 'move', atMs: at('2026-12-28T12:00Z'), index: 1, toMs: at('2027-01-03T12:00Z') }],
  },
  'sets the price of the next step for a retry, when the price became that of a step after the order was found':
    {
      answers: answers('INSUFFICIENT_FUNDS', 'PAYS'),
      contract: {
        billedCount: 1,
        lines: [
          {
            ...{ quantity: 1, currentPriceMinor: 750 },
            steps: [
              { afterCycle: 0, priceMinor: 800 },
              { afterCycle: 1, priceMinor: 900 },
            ],
          },
        ],
      },
      events: [{ kind: 'price', atMs: at('2027-01-06T12:00Z'), priceMinor: 800 }],
    },
  'does not charge an order whose contract was paused on its date, and is active in its run': {
    answers: answers('PAYS'),
    events: [
      { kind: 'pause', atMs: at('2027-01-04T12:00Z') },
      { kind: 'activate', atMs: at('2027-01-05T09:30Z') },
    ],
  },
  'does not charge an order whose date was in a pause that its run met ahead of the date': {
    answers: answers('PAYS'),
    settings: { hour: 0 },
    events: [
      { kind: 'pause', atMs: at('2027-01-04T12:00Z') },
      { kind: 'activate', atMs: at('2027-01-05T18:00Z') },
    ],
  },
  'charges an order when its contract is active again before the date': {
    answers: answers('PAYS'),
    settings: { hour: 0 },
    events: [
      { kind: 'pause', atMs: at('2027-01-04T12:00Z') },
      { kind: 'activate', atMs: at('2027-01-05T06:00Z') },
    ],
  },
  'does not charge an order whose contract is paused between its date and its run': {
    answers: answers('PAYS'),
    events: [{ kind: 'pause', atMs: at('2027-01-05T09:30Z') }],
  },
  'reports an order when billing is resumed more than two days after its date': {
    answers: answers('PAYS'),
    changes: [
      { kind: 'stop', atMs: at('2027-01-05T09:00Z') },
      { kind: 'resume', atMs: at('2027-01-07T12:00Z') },
    ],
  },
  'skips an order after the last one, when both were due while billing was stopped, or ends it with its contract':
    {
      contract: {
        ...{ policy: { interval: 'DAY', intervalCount: 1, anchors: [] }, billedCount: 30, maxCycles: 32 },
        card: { answers: [{ outcome: 'PAYS', seconds: 0 }] },
      },
      changes: [
        { kind: 'stop', atMs: at('2027-01-04T12:00Z') },
        { kind: 'resume', atMs: at('2027-01-06T10:30Z') },
      ],
      until: '2027-01-08T00:00Z',
    },
  'tries again so many days after the day in whose last minute billing is resumed': {
    answers: answers('DO_NOT_HONOR'),
    changes: [
      { kind: 'stop', atMs: at('2027-01-05T09:00Z') },
      { kind: 'resume', atMs: at('2027-01-05T23:59Z') },
    ],
  },
  'tries a declined order with the next run that the customer has sent now, and not at its later next try': {
    answers: answers('INSUFFICIENT_FUNDS', 'PAYS'),
    contract: { createdMs: at('2026-12-05T14:20Z') },
    events: [{ kind: 'move', atMs: at('2027-01-05T11:15Z'), index: 1, toMs: at('2027-01-05T11:20Z') }],
  },
  'tries no order again that the customer of an expired contract asks for, because the request is refused': {
    answers: answers('EXPIRED_PAYMENT_METHOD'),
    contract: { policy: { interval: 'MONTH', intervalCount: 1, anchors: [] } },
    events: [
      { kind: 'expire', atMs: at('2027-01-06T12:00Z') },
      { kind: 'retry', atMs: at('2027-01-07T12:00Z') },
    ],
    until: '2027-01-12T00:00Z',
  },
  'takes no final action while billing is stopped, so that a card that comes meanwhile is tried after it': {
    answers: answers('EXPIRED_PAYMENT_METHOD'),
    settings: { declined: { retryAfterDays: [3], finalAction: 'CANCEL' } },
    changes: [
      { kind: 'stop', atMs: at('2027-01-07T12:00Z') },
      { kind: 'resume', atMs: at('2027-01-09T12:00Z') },
    ],
    events: [{ ...newCard, atMs: at('2027-01-08T15:00Z') }],
  },
  'takes no final action while billing is stopped between two runs, so that a payment to others comes first':
    {
      settings: { declined: { retryAfterDays: [3], finalAction: 'CANCEL' } },
      contract: {
        card: {
          answers: [
            { outcome: 'FRAUD_SUSPECTED', seconds: 3 * 3_600, isChallenge: true },
            ...answers('PAYS'),
          ],
        },
      },
      changes: [
        { kind: 'stop', atMs: at('2027-01-05T12:00Z') },
        { kind: 'resume', atMs: at('2027-01-05T20:00Z') },
      ],
      events: [{ kind: 'charge', atMs: at('2027-01-05T15:00Z'), index: 1 }],
    },
  'makes no eleventh try of an order, however many cards the customer has tried': {
    answers: answers('DO_NOT_HONOR'),
    settings: { declined: { retryAfterDays: [3], finalAction: 'SKIP' } },
    events: [12, 13, 14, 15, 16, 17, 18, 19, 20].map((hour) => ({
      ...{ kind: 'card', atMs: at(`2027-01-05T${hour}:00Z`), card: { answers: answers('DO_NOT_HONOR') } },
    })),
  },
  'reports an order for which a server that names no order was paid, and the order that it paid': {
    answers: answers('PAYS'),
    contract: {
      ...{ createdMs: at('2026-12-29T08:20Z'), billedCount: 0 },
      policy: { interval: 'WEEK', intervalCount: 1, anchors: [] },
    },
    store: { earlyWithoutIndex: 'charged' },
    events: [{ kind: 'charge', atMs: at('2027-01-05T09:00Z'), index: null }],
    until: '2027-01-20T00:00Z',
  },
  'sends the orders of a contract that was under review one after another, each some minutes later': {
    contract: {
      ...{ policy: { interval: 'DAY', intervalCount: 1, anchors: [] }, billedCount: 30 },
      card: { answers: [{ outcome: 'PAYS', seconds: 76 }] },
      refusals: [
        { fromMs: at('2027-01-05T00:00Z'), untilMs: at('2027-01-11T18:00Z'), code: 'CONTRACT_UNDER_REVIEW' },
      ],
    },
    until: '2027-01-16T00:00Z',
  },
};

test.each(Object.entries(ORDERS))('%s', async (_name, given) => {
  const { faults } = await findDisagreements(describeExample(given), CALM);
  expect(faults).toEqual([]);
});

test('takes the orders of two contracts for paid that others have charged at the same time', async () => {
  const { contracts, ...store } = describeExample({ events: [chargeOfOthers] });
  const both = [1, 2].flatMap((id) => contracts.map((contract) => ({ ...contract, id })));
  const { faults, counts } = await findDisagreements({ ...store, contracts: both }, CALM);
  expect({ faults, tries: counts['service tries'] }).toEqual({ faults: [], tries: 0 });
});

test('forgets no order of a contract that has expired earlier because others were paid for an order twice', async () => {
  const charge = { kind: 'charge', index: 3 } as const;
  const description = describeExample({
    settings: { startsOn: '2027-01-14' },
    contract: {
      ...{ policy: { interval: 'DAY', intervalCount: 13, anchors: [] }, billedCount: 2, maxCycles: 5 },
      card: {
        answers: [{ outcome: 'DO_NOT_HONOR', seconds: 14_000, isChallenge: true }, ...answers('PAYS')],
      },
    },
    events: [
      { ...charge, atMs: at('2027-01-13T09:59Z') },
      { ...charge, atMs: at('2027-01-13T10:03Z') },
    ],
    until: '2027-02-28T00:00Z',
  });
  const { faults, counts } = await findViolations(description, CALM_WITH_SEVERAL_PAYMENTS);
  expect({ faults, paid: counts['service CHARGED'] }).toEqual({ faults: [], paid: 1 });
});

test('forgets no order of a contract that was cancelled because others were paid for an order twice', async () => {
  const charge = { kind: 'charge', index: 3 } as const;
  const description = describeExample({
    settings: { startsOn: '2027-01-14', declined: { retryAfterDays: [], finalAction: 'CANCEL' } },
    contract: {
      ...{ policy: { interval: 'DAY', intervalCount: 13, anchors: [] }, billedCount: 2 },
      card: {
        answers: [
          { outcome: 'PAYS', seconds: 14_000, isChallenge: true },
          ...answers('PAYS', 'DO_NOT_HONOR'),
        ],
      },
    },
    events: [
      { ...charge, atMs: at('2027-01-13T09:59Z') },
      { ...charge, atMs: at('2027-01-13T10:03Z') },
      { ...newCard, atMs: at('2027-01-28T12:00Z') },
    ],
    until: '2027-02-28T00:00Z',
  });
  const { faults, counts } = await findViolations(description, CALM_WITH_SEVERAL_PAYMENTS);
  expect({ faults, ended: counts['service ENDED'] }).toEqual({ faults: [], ended: 1 });
});

test('takes the final action when another charge of the contract was under way in the minute of the next order', async () => {
  const description = describeExample({
    answers: answers('DO_NOT_HONOR', 'PAYS'),
    settings: { declined: { retryAfterDays: [13], finalAction: 'CANCEL' } },
    contract: { policy: { interval: 'DAY', intervalCount: 13, anchors: [] }, billedCount: 2 },
  });
  const claimedMs = at('2027-01-26T10:00:50Z');
  const { faults } = await findDisagreements(description, CALM, ({ agenda, emulated, service }) => {
    agenda.add(claimedMs, async () => {
      const [{ record }] = emulated.contracts as [(typeof emulated.contracts)[number]];
      const ref = { shopId: service.store().shopId, contractNumber: String(record.id) as ContractNumber };
      const claim = { idempotencyKey: 'by hand', readAtMs: claimedMs };
      expect(await service.deps.chargeClaims.claim(ref, claim)).toBe('done');
    });
  });
  expect(faults).toEqual([]);
});

test('makes no further try of an order whose final action is open, when the next order is put off first', async () => {
  const description = describeExample({
    answers: answers('DO_NOT_HONOR', 'PAYS'),
    settings: { declined: { retryAfterDays: [13], finalAction: 'CANCEL' } },
    contract: { policy: { interval: 'DAY', intervalCount: 13, anchors: [] }, billedCount: 2 },
  });
  let [hasCrashed, isPutOff] = [false, false];
  const faults: RandomFaults = {
    ...{ ...CALM, isFaulty: true },
    processFault: () => (step) => {
      if (hasCrashed || step !== 'subscriptionContractCancel') return undefined;
      hasCrashed = true;
      return 'before';
    },
    requestMs: () => 100,
  };
  const { faults: found } = await findDisagreements(description, faults, ({ agenda, emulated, service }) => {
    agenda.add(at('2027-01-26T10:04Z'), async () => {
      const [{ record }] = emulated.contracts as [(typeof emulated.contracts)[number]];
      const { charges, store } = { charges: service.deps.charges, store: service.store() };
      const contract = { shopId: store.shopId, contractNumber: String(record.id) as ContractNumber };
      const [older, next] = await charges.listOfContract(contract);
      if (older?.remindAtMs === undefined || next?.remindAtMs === undefined) return;
      isPutOff = (await charges.replace(next, { ...next, remindAtMs: older.remindAtMs - 1 })) !== 'refused';
    });
  });
  expect({ found, hasCrashed, isPutOff }).toEqual({ found: [], hasCrashed: true, isPutOff: true });
});

test('charges with the next run an order that a slower worker has found when the run of the day was over', async () => {
  const description = describeExample({
    events: [
      { kind: 'skip', atMs: at('2027-01-04T12:00Z'), index: 1 },
      { kind: 'unskip', atMs: at('2027-01-05T12:00Z'), index: 1 },
    ],
  });
  const { faults } = await findDisagreements(description, CALM, ({ agenda, emulated, service }) => {
    agenda.add(at('2027-01-05T12:01Z'), async () => {
      const { charges, now, runs } = service.deps;
      const [{ record }] = emulated.contracts as [(typeof emulated.contracts)[number]];
      const order = {
        ...{ shopId: service.store().shopId, contractNumber: String(record.id) as ContractNumber },
        ...{ cycleIndex: 1, expectedAtMs: at('2027-01-05T08:00Z') },
      };
      await runs.putLine({ ...order, date: '2027-01-05' });
      const found = { runDate: '2027-01-05', foundAtMs: now(), state: 'DUE', failedTryCount: 0 } as const;
      expect(await charges.create({ ...order, ...found })).not.toBe('refused');
    });
  });
  expect(faults).toEqual([]);
});

test('reads an order that waits for the open final action of an older one again after minutes, not at once', async () => {
  const description = describeExample({
    answers: answers('DO_NOT_HONOR', 'PAYS'),
    settings: { declined: { retryAfterDays: [13], finalAction: 'CANCEL' } },
    contract: { policy: { interval: 'DAY', intervalCount: 13, anchors: [] }, billedCount: 2 },
  });
  let [hasCrashed, readCount] = [false, 0];
  const faults: RandomFaults = {
    ...{ ...CALM, isFaulty: true },
    processFault: () => (step) => {
      if (step === 'subscriptionBillingCycle') readCount += 1;
      if (hasCrashed || step !== 'subscriptionContractCancel') return undefined;
      hasCrashed = true;
      return 'before';
    },
    requestMs: () => 100,
  };
  const { faults: found } = await findDisagreements(description, faults);
  expect({ found, hasCrashed, isReadOften: readCount > 30 }).toEqual({
    ...{ found: [], hasCrashed: true, isReadOften: false },
  });
});

test.each([
  ['PAUSE', 'subscriptionContractPause'],
  ['CANCEL', 'subscriptionContractCancel'],
  ['SKIP', 'subscriptionBillingCycleScheduleEdit'],
] as const)(
  'reports an order as not charged when a process has crashed after the final action %s',
  async (finalAction, mutation) => {
    const description = describeExample({
      answers: answers('DO_NOT_HONOR'),
      settings: { declined: { retryAfterDays: [3], finalAction } },
    });
    let hasCrashed = false;
    let reported: readonly string[] = [];
    const faults: RandomFaults = {
      ...{ ...CALM, isFaulty: true },
      processFault: () => (step) => {
        if (hasCrashed || step !== mutation) return undefined;
        hasCrashed = true;
        return 'after';
      },
    };
    const { faults: found } = await findDisagreements(
      description,
      faults,
      ({ agenda, service, emulated }) => {
        agenda.add(at('2027-01-30T12:00Z'), async () => {
          const [{ record }] = emulated.contracts as [(typeof emulated.contracts)[number]];
          const contracts = [String(record.id) as ContractNumber];
          const { shopId } = service.store();
          const [page] = await service.deps.timeline.readEvents({ shopId, contracts, args: { first: 50 } });
          reported = (page?.edges ?? []).map((edge) => edge.record.action);
        });
      },
    );
    expect({ found, hasCrashed, reported }).toEqual({
      ...{ found: [], hasCrashed: true },
      reported: expect.arrayContaining(['billing_cycle_not_charged']),
    });
  },
);

test.each([
  ['its process has crashed', 'after'],
  ['its answer was lost', 'lost'],
] as const)(
  'does not count a try that the customer asked for in the schedule when %s',
  async (_situation, kind) => {
    const description = describeExample({
      answers: answers('DO_NOT_HONOR'),
      events: [{ kind: 'retry', atMs: at('2027-01-06T12:00Z') }],
    });
    let attemptCount = 0;
    const faults: RandomFaults = {
      ...{ ...CALM, isFaulty: true },
      processFault: () => (step) => {
        if (step === 'subscriptionBillingAttemptCreate') attemptCount += 1;
        return step === 'subscriptionBillingAttemptCreate' && attemptCount === 2 ? kind : undefined;
      },
    };
    expect((await findDisagreements(description, faults)).faults).toEqual([]);
  },
);

test('takes no final action of an order that is recorded as paid after it was read', async () => {
  const description = describeExample({
    answers: answers('DO_NOT_HONOR', 'PAYS'),
    settings: { declined: { retryAfterDays: [], finalAction: 'CANCEL' } },
  });
  let readCount = 0;
  const { emulated, service } = await simulate(description, CALM, (world) => {
    const { platform, state, send } = world.emulated;
    const [{ record }] = world.emulated.contracts as [(typeof world.emulated.contracts)[number]];
    world.emulated.send = async (body) => {
      const response = await send(body);
      if (nameRequest(body) !== 'subscriptionBillingCycle') return response;
      readCount += 1;
      if (readCount !== 2) return response;
      await runContractEvent(platform, record, { kind: 'charge', atMs: platform.holder.nowMs, index: 1 });
      const paid = state.attempts.ofContract(record.id).at(-1);
      await world.service.deps.applyOutcomeToCharge({
        ...{ shopId: world.service.store().shopId, contract: String(record.id) as ContractNumber },
        ...{ cycleIndex: 1, attempt: { id: `gid://shopify/SubscriptionBillingAttempt/${paid?.id}` } },
        outcome: { kind: 'charged' },
      });
      return response;
    };
  });
  const [{ record }] = emulated.contracts as [(typeof emulated.contracts)[number]];
  const contractNumber = String(record.id) as ContractNumber;
  const charge = await service.deps.charges.find({
    ...{ shopId: service.store().shopId, contractNumber, cycleIndex: 1 },
  });
  expect(charge?.state).toBe('CHARGED');
  expect(record.content.status).toBe('ACTIVE');
});

test('does not work without a break while a reminder waits for its charge to be written', async () => {
  const atMs = at('2027-01-04T12:00Z');
  let waitMs = 0;
  await simulate(describeExample({}), CALM, ({ agenda, emulated, service }) => {
    agenda.add(atMs, async () => {
      const [{ record }] = emulated.contracts as [(typeof emulated.contracts)[number]];
      const { shopId } = service.store();
      const order = { shopId, contractNumber: String(record.id) as ContractNumber, cycleIndex: 1 };
      await service.deps.reminders.put({ ...order, atMs, putAtMs: atMs });
      const deps = { ...service.deps, reportHold: async () => undefined };
      waitMs = ((await runBilling(deps, { shopId, endAtMs: atMs + 60_000 })) ?? 0) - atMs;
    });
  });
  expect(waitMs).toBeGreaterThanOrEqual(1_000);
  expect(waitMs).toBeLessThan(60_000);
});

test('begins a run at once whose time came while the store’s work was under way', async () => {
  const runStartMs = at('2027-01-07T10:01Z');
  let nextWorkMs: number | undefined;
  await simulate(describeExample({ until: '2027-01-08T00:00Z' }), CALM, ({ agenda, service }) => {
    agenda.add(runStartMs - 500, async () => {
      let nowMs = runStartMs - 500;
      const now = () => {
        nowMs += 100;
        return nowMs;
      };
      const deps = { ...service.deps, now, reportHold: async () => undefined };
      const { shopId } = service.store();
      nextWorkMs = await runBilling(deps, { shopId, endAtMs: runStartMs + 60_000 });
    });
  });
  expect(nextWorkMs).toBe(runStartMs);
});

test.each([
  [
    'charges no order for a day while a change of its contract’s interval is interrupted that will skip it',
    1,
    '06',
  ],
  ['charges an order before the cycles of an interrupted change of the interval at once', 99, '05'],
  ['charges an order at once if an interrupted change of the interval skips none', undefined, '05'],
])('%s', async (_name, firstNewCycleIndex, day) => {
  const beganAtMs = at('2027-01-05T09:59Z');
  const simulation = await simulate(describeExample({}), CALM, ({ agenda, emulated, service }) => {
    agenda.add(beganAtMs, async () => {
      const [{ record }] = emulated.contracts as [(typeof emulated.contracts)[number]];
      record.updatedAt = new Date(beganAtMs).toISOString();
      const ref = { shopId: service.store().shopId, contractNumber: String(record.id) as ContractNumber };
      const { unfinishedIntervals } = service.deps;
      await unfinishedIntervals.store(ref, {
        ...{ interval: record.content.billingPolicy, edits: [], beganAtMs },
        pastOrders: toPastOrders(firstNewCycleIndex, beganAtMs),
      });
    });
  });
  const [contract] = simulation.emulated.contracts;
  const attempts = contract && simulation.emulated.attemptsOfService(contract.record);
  expect(attempts?.map(({ createdAt }) => createdAt)).toEqual([
    expect.stringContaining(`2027-01-${day}T10:0`),
  ]);
});

holdsRights();
