/** Jobs of the merchant, refusals of the platform, holds and switches: hand-worked examples. */
import { describe, expect, test } from '@jest/globals';
import type { ContractEvent, StoreChange } from '../description.ts';
import { expectCharges, isMoreThanExpected } from '../expect-charges.ts';
import { answers, at, describeExample, type Given, showExample, showExpectation } from './examples.ts';

const byOthers = (instant: string, index: number | null = 1): ContractEvent => ({
  ...{ kind: 'charge', atMs: at(instant), index },
});
const settings = (instant: string, more: object): StoreChange => ({
  ...{ kind: 'settings', atMs: at(instant), settings: more },
});
const refusedWith = (code: string, until: string) => ({
  contract: { refusals: [{ fromMs: 0, untilMs: at(until), code }] },
});
const weekly = {
  createdMs: at('2026-12-29T08:20Z'),
  policy: { interval: 'WEEK', intervalCount: 1, anchors: [] } as const,
};

const EXAMPLES: readonly (readonly [string, Given, readonly string[]])[] = [
  [
    'makes nothing of an order that a job has charged before the run',
    { events: [byOthers('2027-01-05T09:00Z')] },
    ['1 NONE BILLED_BY_OTHERS'],
  ],
  [
    'counts a job’s payment of an order that is to be tried again',
    { answers: answers('CARD_DECLINED', 'PAYS'), events: [byOthers('2027-01-06T09:00Z')] },
    ['1 CHARGED by others: 01-05 10:00 CARD_DECLINED'],
  ],
  [
    'counts a job’s declined attempt as a try, and plans the next one from its time',
    { answers: answers('CARD_DECLINED', 'PAYS'), events: [byOthers('2027-01-05T09:00Z')] },
    ['1 CHARGED 20.00: 01-05 09:00 CARD_DECLINED by others, 01-08 10:00 PAYS'],
  ],
  [
    'counts a decline of a job from before the service was switched on, and charges on the order’s day',
    {
      contract: { createdMs: at('2026-12-26T08:20Z') },
      ...{ answers: answers('CARD_DECLINED', 'PAYS'), store: { earlyWithoutIndex: 'charged' } },
      events: [byOthers('2026-12-25T09:00Z', null)],
    },
    ['1 CHARGED 20.00: 12-25 09:00 CARD_DECLINED by others, 01-26 10:00 PAYS'],
  ],
  [
    'waits for the end of a job’s attempt that is under way',
    { answers: [{ outcome: 'PAYS', seconds: 300 }], events: [byOthers('2027-01-05T10:08Z')] },
    ['1 CHARGED by others'],
  ],
  [
    'plans again from a job’s declined attempt in between',
    { answers: answers('CARD_DECLINED', 'CARD_DECLINED', 'PAYS'), events: [byOthers('2027-01-06T09:00Z')] },
    ['1 CHARGED 20.00: 01-05 10:00 CARD_DECLINED, 01-06 09:00 CARD_DECLINED by others, 01-10 10:00 PAYS'],
  ],
  [
    'counts a job’s payment during a stop',
    {
      events: [byOthers('2027-01-05T12:00Z')],
      changes: [
        { kind: 'stop', atMs: at('2027-01-05T09:00Z') },
        { kind: 'resume', atMs: at('2027-01-05T15:00Z') },
      ],
    },
    ['1 CHARGED by others'],
  ],
  [
    'takes the final action at once when a job has used all tries',
    {
      answers: answers('CARD_DECLINED'),
      events: [0, 1, 2, 3].map((hour) => byOthers(`2027-01-05T0${hour}:00Z`)),
    },
    [
      '1 ENDED TRIES_OVER: 01-05 00:00 CARD_DECLINED by others, 01-05 01:00 CARD_DECLINED by others, 01-05 02:00 CARD_DECLINED by others, 01-05 03:00 CARD_DECLINED by others',
      'PAUSED',
    ],
  ],
  [
    'lets the next orders wait while an attempt is under way, and reports the one that is late by then',
    {
      contract: {
        createdMs: at('2027-01-02T08:20Z'),
        policy: { interval: 'DAY', intervalCount: 3, anchors: [] },
      },
      ...{ answers: answers('PENDING', 'PAYS'), until: '2027-01-13T00:00Z' },
    },
    ['1 REPORTED NO_OUTCOME: 01-05 10:00 open', '2 REPORTED OVERDUE', '3 CHARGED 20.00: 01-12 10:10 PAYS'],
  ],
  [
    'does not let a job charge an order more than a day early',
    { events: [byOthers('2027-01-03T00:00Z')] },
    ['1 CHARGED 20.00: 01-05 10:00 PAYS'],
  ],
  [
    'reports an order for which a job has paid the next one, and the next one too',
    {
      contract: weekly,
      ...{ until: '2027-01-20T00:00Z', store: { earlyWithoutIndex: 'charged' } },
      events: [byOthers('2027-01-05T09:00Z', null)],
    },
    ['1 REPORTED PAID_ELSEWHERE', '2 REPORTED PAID_ELSEWHERE', '3 CHARGED 20.00: 01-19 10:00 PAYS'],
  ],
  [
    'charges an order although a job paid a later one, after the first 35 days',
    {
      ...{ contract: { ...weekly, createdMs: at('2027-02-02T08:20Z') }, until: '2027-02-15T00:00Z' },
      store: { earlyWithoutIndex: 'charged' },
      events: [byOthers('2027-02-09T09:00Z', null)],
    },
    ['1 CHARGED 20.00: 02-09 10:00 PAYS'],
  ],
  [
    'tries again in a quarter of an hour when the platform has no time',
    refusedWith('THROTTLED', '2027-01-05T10:20Z'),
    ['1 CHARGED 20.00: 01-05 10:25 PAYS'],
  ],
  [
    'tries an order under review on the next days',
    refusedWith('CONTRACT_UNDER_REVIEW', '2027-01-08T00:00Z'),
    ['1 CHARGED 20.00: 01-08 10:00 PAYS'],
  ],
  [
    'reports an order that is under review for more than seven days',
    refusedWith('CONTRACT_UNDER_REVIEW', '2027-02-01T00:00Z'),
    ['1 REPORTED UNDER_REVIEW'],
  ],
  [
    'reports an order that the platform refuses twice with the same code',
    refusedWith('INVALID', '2027-02-01T00:00Z'),
    ['1 REPORTED REFUSED'],
  ],
  [
    'ends the tries when billing is switched off',
    {
      answers: answers('CARD_DECLINED'),
      changes: [settings('2027-01-06T00:00Z', { enabled: false })],
    },
    ['1 ENDED BILLING_OFF: 01-05 10:00 CARD_DECLINED'],
  ],
  [
    'settles an attempt that was under way when billing was switched off',
    {
      answers: [{ outcome: 'PAYS', seconds: 300 }],
      changes: [settings('2027-01-05T10:12Z', { enabled: false })],
    },
    ['1 CHARGED 20.00: 01-05 10:00 PAYS'],
  ],
  [
    'ends an order whose attempt is declined when billing is on again from a later day, without waiting for that day',
    {
      answers: [{ outcome: 'CARD_DECLINED', seconds: 2 * 86_400, isChallenge: true }],
      changes: [
        settings('2027-01-05T12:00Z', { enabled: false }),
        settings('2027-01-05T15:00Z', { enabled: true, startsOn: '2027-01-20' }),
      ],
      until: '2027-01-08T00:00Z',
    },
    ['1 ENDED BILLING_OFF: 01-05 10:00 CARD_DECLINED'],
  ],
  [
    'charges no order from before the new first day when billing is switched on again',
    {
      contract: weekly,
      until: '2027-01-20T00:00Z',
      changes: [
        settings('2027-01-06T00:00Z', { enabled: false }),
        settings('2027-01-12T12:00Z', { enabled: true, startsOn: '2027-01-14' }),
      ],
    },
    ['1 CHARGED 20.00: 01-05 10:00 PAYS', '2 NONE BEFORE_START', '3 CHARGED 20.00: 01-19 10:00 PAYS'],
  ],
  [
    'holds the first run when no preview was made in the night before, and charges when it is confirmed',
    {
      contract: { ...weekly, createdMs: at('2026-12-18T08:20Z') },
      ...{ settings: { startsOn: '2026-12-25' }, until: '2026-12-27T00:00Z' },
      changes: [{ kind: 'confirm', day: '2026-12-25', atMs: at('2026-12-25T17:00Z') }],
    },
    ['1 CHARGED 20.00: 12-25 17:00 PAYS'],
  ],
  [
    'charges nothing of a run on hold that nobody confirms',
    {
      contract: { ...weekly, createdMs: at('2026-12-18T08:20Z') },
      ...{ settings: { startsOn: '2026-12-25' }, until: '2026-12-31T00:00Z' },
    },
    ['1 DUE'],
  ],
  [
    'reports an order of a run that was confirmed three days late',
    {
      contract: { ...weekly, createdMs: at('2026-12-18T08:20Z') },
      ...{ settings: { startsOn: '2026-12-25' }, until: '2026-12-31T00:00Z' },
      changes: [{ kind: 'confirm', day: '2026-12-25', atMs: at('2026-12-28T17:00Z') }],
    },
    ['1 REPORTED OVERDUE'],
  ],
];

test.each(EXAMPLES)('%s', (_sentence, given, expected) => {
  expect(showExample(given)).toEqual(expected);
});

describe('a run is on hold', () => {
  test.each([
    [300, 200, false],
    [301, 200, true],
    [149, 50, false],
    [150, 50, true],
    [99, 0, false],
    [100, 0, true],
  ])('with %d orders where the preview had %d: %s', (found, previewed, expected) => {
    expect(isMoreThanExpected(found, previewed)).toBe(expected);
  });

  const many = (count: number, given: Given) => {
    const description = describeExample(given);
    const [contract] = description.contracts;
    if (contract === undefined) throw new Error('no contract');
    const contracts = Array.from({ length: count }, (_, id) => ({ ...contract, id }));
    return { ...description, contracts };
  };

  test('after ten refusals in a row by the merchant’s account, from the next run on until it is confirmed', () => {
    const { runs, contracts } = expectCharges(
      many(10, {
        answers: answers('MERCHANT_ACCOUNT_ERROR', 'PAYS'),
        changes: [{ kind: 'confirm', day: '2027-01-06', atMs: at('2027-01-06T16:00Z') }],
      }),
    );
    expect(runs.filter(({ holdReason }) => holdReason !== null)).toMatchObject([
      { day: '2027-01-06', holdReason: 'MERCHANT_ACCOUNT_REFUSES' },
    ]);
    expect(showExpectation({ contracts: contracts.slice(0, 1), runs })).toEqual([
      '1 CHARGED 20.00: 01-05 10:00 MERCHANT_ACCOUNT_ERROR, 01-06 16:00 PAYS',
    ]);
  });

  test('only after the tenth refusal: nine do not suffice', () => {
    const { runs } = expectCharges(many(9, { answers: answers('MERCHANT_ACCOUNT_ERROR', 'PAYS') }));
    expect(runs.filter(({ holdReason }) => holdReason !== null)).toEqual([]);
  });

  test('with more orders than the preview had, and charges nothing', () => {
    const { runs, contracts } = expectCharges(many(120, { store: { previewCounts: { '2027-01-05': 20 } } }));
    expect(runs.find(({ day }) => day === '2027-01-05')).toMatchObject({
      ...{ foundCount: 120, holdReason: 'MORE_THAN_EXPECTED' },
    });
    expect(contracts.every(({ orders }) => orders[0]?.state === 'DUE')).toBe(true);
  });
});
