/** The last order, and orders that are skipped, moved, paused or late: hand-worked examples. */
import { expect, test } from '@jest/globals';
import type { ContractEvent, StoreChange } from '../description.ts';
import { answers, at, type Given, showExample } from './examples.ts';

const created = { createdMs: at('2026-12-05T08:20Z') };
const weekly = {
  createdMs: at('2026-12-29T08:20Z'),
  policy: { interval: 'WEEK', intervalCount: 1, anchors: [] } as const,
};
const until = '2027-01-27T00:00Z';
const on = <Kind extends 'activate' | 'cancel' | 'expire' | 'fail' | 'pause'>(
  kind: Kind,
  instant: string,
): ContractEvent => ({ kind, atMs: at(instant) });
const ofOrder = (kind: 'skip' | 'unskip', index: number, instant: string): ContractEvent => ({
  ...{ kind, index, atMs: at(instant) },
});
const stopped = (from: string, to: string): readonly StoreChange[] => [
  { kind: 'stop', atMs: at(from) },
  { kind: 'resume', atMs: at(to) },
];

type Example = readonly [string, Given, readonly string[]];
const EXAMPLES: readonly Example[] = [
  [
    'expires a contract after its last order',
    { contract: { ...weekly, maxCycles: 3 }, until },
    [
      '1 CHARGED 20.00: 01-05 10:00 PAYS',
      '2 CHARGED 20.00: 01-12 10:00 PAYS',
      '3 NONE NOT_FOUND',
      '4 NONE NOT_FOUND',
      'EXPIRED',
    ],
  ],
  [
    'skips the order beyond the last one, and expires the contract',
    { contract: { ...created, maxCycles: 1 } },
    ['1 SKIPPED BEYOND_LAST_ORDER', 'EXPIRED'],
  ],
  [
    'makes nothing of an order that was skipped before its day',
    { events: [ofOrder('skip', 1, '2027-01-02T00:00Z')] },
    ['1 NONE SKIPPED_ORDER'],
  ],
  [
    'charges a skipped order that was restored in time',
    { events: [ofOrder('skip', 1, '2027-01-02T00:00Z'), ofOrder('unskip', 1, '2027-01-04T00:00Z')] },
    ['1 CHARGED 20.00: 01-05 10:00 PAYS'],
  ],
  [
    'reports a skipped order that was restored three days after its date',
    { events: [ofOrder('skip', 1, '2027-01-02T00:00Z'), ofOrder('unskip', 1, '2027-01-08T08:30Z')] },
    ['1 REPORTED OVERDUE'],
  ],
  [
    'stops the tries of an order that the customer skips',
    { answers: answers('CARD_DECLINED'), events: [ofOrder('skip', 1, '2027-01-06T00:00Z')] },
    ['1 SKIPPED SKIPPED_ORDER: 01-05 10:00 CARD_DECLINED'],
  ],
  [
    'does not charge a contract that is paused on its date',
    { events: [on('pause', '2027-01-04T00:00Z')] },
    ['1 SKIPPED NOT_ACTIVE', 'PAUSED'],
  ],
  [
    'does not charge an order later whose contract was paused on its date',
    { events: [on('pause', '2027-01-04T00:00Z'), on('activate', '2027-01-05T09:00Z')] },
    ['1 SKIPPED NOT_ACTIVE'],
  ],
  [
    'leaves a paused order to the next day when its date is ahead, and charges it then',
    {
      contract: { createdMs: at('2026-12-05T20:20Z') },
      events: [on('pause', '2027-01-04T00:00Z'), on('activate', '2027-01-05T19:00Z')],
    },
    ['1 CHARGED 20.00: 01-06 10:00 PAYS'],
  ],
  [
    'ends the tries of a contract that was paused',
    { answers: answers('CARD_DECLINED'), events: [on('pause', '2027-01-06T00:00Z')] },
    ['1 SKIPPED NOT_ACTIVE: 01-05 10:00 CARD_DECLINED', 'PAUSED'],
  ],
  [
    'treats a failed contract like a paused one',
    { events: [on('fail', '2027-01-04T00:00Z')] },
    ['1 SKIPPED NOT_ACTIVE', 'FAILED'],
  ],
  [
    'never wakes a contract that was paused while its payment was under way',
    {
      answers: [{ outcome: 'PAYS', seconds: 300 }],
      events: [on('pause', '2027-01-05T10:12Z')],
    },
    ['1 CHARGED 20.00: 01-05 10:00 PAYS', 'PAUSED'],
  ],
  [
    'ends the tries of a contract that was cancelled',
    { answers: answers('CARD_DECLINED'), events: [on('cancel', '2027-01-06T00:00Z')] },
    ['1 ENDED CONTRACT_ENDED: 01-05 10:00 CARD_DECLINED', 'CANCELLED'],
  ],
  [
    'makes nothing of the order of a contract that has ended before',
    { events: [on('cancel', '2027-01-03T00:00Z')] },
    ['1 NONE NOT_FOUND', 'CANCELLED'],
  ],
  [
    'charges an order that a stop has made a day late',
    { changes: stopped('2027-01-05T09:00Z', '2027-01-06T12:00Z') },
    ['1 CHARGED 20.00: 01-06 12:00 PAYS'],
  ],
  [
    'charges an order that is just two days late',
    { changes: stopped('2027-01-05T09:00Z', '2027-01-07T07:50Z') },
    ['1 CHARGED 20.00: 01-07 07:50 PAYS'],
  ],
  [
    'reports an order that is more than two days late',
    { changes: stopped('2027-01-05T09:00Z', '2027-01-07T08:10Z') },
    ['1 REPORTED OVERDUE'],
  ],
  [
    'lets a planned try wait for the end of a stop, however late that is',
    {
      answers: answers('CARD_DECLINED', 'PAYS'),
      changes: stopped('2027-01-06T00:00Z', '2027-01-15T13:00Z'),
    },
    ['1 CHARGED 20.00: 01-05 10:00 CARD_DECLINED, 01-15 13:00 PAYS'],
  ],
  [
    'skips an order that was moved to a later day while charges were stopped',
    {
      until: '2027-01-07T00:00Z',
      contract: { createdMs: at('2026-12-09T08:20Z') },
      changes: stopped('2027-01-04T00:00Z', '2027-01-05T18:00Z'),
      events: [
        { kind: 'move', atMs: at('2027-01-02T00:00Z'), index: 1, toMs: at('2027-01-05T12:00Z') },
        { kind: 'move', atMs: at('2027-01-05T15:00Z'), index: 1, toMs: at('2027-01-08T12:00Z') },
      ],
    },
    ['1 SKIPPED MOVED'],
  ],
  [
    'charges an order on the later day to which it was moved while charges were stopped',
    {
      contract: { createdMs: at('2026-12-09T08:20Z') },
      changes: stopped('2027-01-04T00:00Z', '2027-01-05T18:00Z'),
      events: [
        { kind: 'move', atMs: at('2027-01-02T00:00Z'), index: 1, toMs: at('2027-01-05T12:00Z') },
        { kind: 'move', atMs: at('2027-01-05T15:00Z'), index: 1, toMs: at('2027-01-08T12:00Z') },
      ],
    },
    ['1 CHARGED 20.00: 01-08 10:00 PAYS'],
  ],
  ...(
    [
      ['before its next try', 'INSUFFICIENT_FUNDS', '01-07'],
      ['after its next try', 'INSUFFICIENT_FUNDS', '01-09'],
      ['while only the customer can help', 'EXPIRED_CARD', '01-07'],
    ] as const
  ).map(
    ([when, code, day]): Example => [
      `tries a declined order again on the day to which it was moved, ${when}`,
      {
        answers: answers(code, 'PAYS'),
        contract: { createdMs: at('2026-12-09T08:20Z') },
        events: [
          { kind: 'move', atMs: at('2027-01-02T00:00Z'), index: 1, toMs: at('2027-01-05T12:00Z') },
          { kind: 'move', atMs: at('2027-01-05T15:00Z'), index: 1, toMs: at(`2027-${day}T08:00Z`) },
        ],
      },
      [`1 CHARGED 20.00: 01-05 10:00 ${code}, ${day} 10:00 PAYS`],
    ],
  ),
];

test.each(EXAMPLES)('%s', (_sentence, given, expected) => {
  expect(showExample(given)).toEqual(expected);
});
