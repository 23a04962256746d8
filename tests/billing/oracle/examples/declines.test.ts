/** The consequences of each decline: hand-worked examples of retry schedules and final actions. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { buildSchema, isEnumType } from 'graphql';
import { classifyDecline, codesOfClass, type DeclineClass } from '../decline-classes.ts';
import type { FinalAction } from '../description.ts';
import { answers, at, type Given, showExample } from './examples.ts';

const withAction = (finalAction: FinalAction, retryAfterDays: readonly number[] = []) => ({
  settings: { declined: { retryAfterDays, finalAction } },
});
const card = (atInstant: string, ...outcomes: readonly string[]) => ({
  ...{ kind: 'card' as const, atMs: at(atInstant), card: { answers: answers(...outcomes) } },
});
const weekly = {
  createdMs: at('2026-12-29T08:20Z'),
  policy: { interval: 'WEEK', intervalCount: 1, anchors: [] } as const,
};
const never = { outcome: 'PENDING', seconds: 0 };

const EXAMPLES: readonly (readonly [string, Given, readonly string[]])[] = [
  [
    'tries a declined payment again after the days of the schedule, at the hour',
    { answers: answers('INSUFFICIENT_FUNDS', 'INSUFFICIENT_FUNDS', 'PAYS') },
    ['1 CHARGED 20.00: 01-05 10:00 INSUFFICIENT_FUNDS, 01-08 10:00 INSUFFICIENT_FUNDS, 01-12 10:00 PAYS'],
  ],
  [
    'pauses the contract when the tries are over',
    { answers: answers('DO_NOT_HONOR') },
    [
      '1 ENDED TRIES_OVER: 01-05 10:00 DO_NOT_HONOR, 01-08 10:00 DO_NOT_HONOR, 01-12 10:00 DO_NOT_HONOR, 01-19 10:00 DO_NOT_HONOR',
      'PAUSED',
    ],
  ],
  [
    'cancels the contract at once when there is no further try',
    { ...withAction('CANCEL'), answers: answers('CARD_DECLINED') },
    ['1 ENDED TRIES_OVER: 01-05 10:00 CARD_DECLINED', 'CANCELLED'],
  ],
  [
    'leaves the contract as it is when that is the final action',
    { ...withAction('LEAVE'), answers: answers('CARD_DECLINED', 'PAYS'), until: '2027-02-06T00:00Z' },
    ['1 ENDED TRIES_OVER: 01-05 10:00 CARD_DECLINED', '2 CHARGED 20.00: 02-05 10:00 PAYS'],
  ],
  [
    'treats a code that is unknown as one to try later',
    { answers: answers('A_NEW_CODE', 'PAYS') },
    ['1 CHARGED 20.00: 01-05 10:00 A_NEW_CODE, 01-08 10:00 PAYS'],
  ],
  [
    'waits for the customer when another payment method is needed, and ends after all days together',
    { answers: answers('EXPIRED_CARD') },
    ['1 ENDED TRIES_OVER: 01-05 10:00 EXPIRED_CARD', 'PAUSED'],
  ],
  [
    'is still waiting for the customer before all days together are over',
    { answers: answers('EXPIRED_CARD'), until: '2027-01-19T09:00Z' },
    ['1 RETRYING: 01-05 10:00 EXPIRED_CARD, next 01-19 10:00'],
  ],
  [
    'tries a new card at once',
    { answers: answers('EXPIRED_CARD'), events: [card('2027-01-07T15:30Z', 'PAYS')] },
    ['1 CHARGED 20.00: 01-05 10:00 EXPIRED_CARD, 01-07 15:30 PAYS'],
  ],
  [
    'tries a new card at once while a later try is planned',
    { answers: answers('INSUFFICIENT_FUNDS'), events: [card('2027-01-06T15:30Z', 'PAYS')] },
    ['1 CHARGED 20.00: 01-05 10:00 INSUFFICIENT_FUNDS, 01-06 15:30 PAYS'],
  ],
  [
    'keeps to the schedule after a try with a new card that is declined',
    { answers: answers('EXPIRED_CARD'), events: [card('2027-01-07T15:30Z', 'INSUFFICIENT_FUNDS', 'PAYS')] },
    ['1 CHARGED 20.00: 01-05 10:00 EXPIRED_CARD, 01-07 15:30 INSUFFICIENT_FUNDS, 01-08 10:00 PAYS'],
  ],
  [
    'takes the final action after all days, however often the customer has tried other cards on the first one',
    {
      ...withAction('CANCEL', [1, 2]),
      answers: answers('EXPIRED_CARD'),
      events: [12, 13, 14, 15].map((hour) => card(`2027-01-05T${hour}:00Z`, 'EXPIRED_CARD')),
    },
    [
      '1 ENDED TRIES_OVER: 01-05 10:00 EXPIRED_CARD, 01-05 12:00 EXPIRED_CARD, 01-05 13:00 EXPIRED_CARD, 01-05 14:00 EXPIRED_CARD, 01-05 15:00 EXPIRED_CARD',
      'CANCELLED',
    ],
  ],
  [
    'is still waiting for the customer who has tried other cards on the first day',
    {
      ...withAction('CANCEL', [1, 2]),
      answers: answers('EXPIRED_CARD'),
      events: [12, 13, 14].map((hour) => card(`2027-01-05T${hour}:00Z`, 'EXPIRED_CARD')),
      until: '2027-01-08T09:00Z',
    },
    [
      '1 RETRYING: 01-05 10:00 EXPIRED_CARD, 01-05 12:00 EXPIRED_CARD, 01-05 13:00 EXPIRED_CARD, 01-05 14:00 EXPIRED_CARD, next 01-08 10:00',
    ],
  ],
  [
    'tries again at once after a new address when the customer was asked for one',
    {
      answers: answers('INVALID_SHIPPING_ADDRESS', 'PAYS'),
      events: [{ kind: 'address', atMs: at('2027-01-07T15:30Z') }],
    },
    ['1 CHARGED 20.00: 01-05 10:00 INVALID_SHIPPING_ADDRESS, 01-07 15:30 PAYS'],
  ],
  [
    'tries again once an hour after new addresses, and at once after a new card',
    {
      answers: answers('INVALID_SHIPPING_ADDRESS'),
      events: [
        ...['15:30', '15:40', '15:50', '16:40', '16:50'].map(
          (time) => ({ kind: 'address', atMs: at(`2027-01-07T${time}Z`) }) as const,
        ),
        card('2027-01-07T16:55Z', 'PAYS'),
      ],
    },
    [
      '1 CHARGED 20.00: 01-05 10:00 INVALID_SHIPPING_ADDRESS, 01-07 15:30 INVALID_SHIPPING_ADDRESS, 01-07 16:30 INVALID_SHIPPING_ADDRESS, 01-07 16:55 PAYS',
    ],
  ],
  [
    'does not try again for a new address when the funds were insufficient',
    {
      answers: answers('INSUFFICIENT_FUNDS', 'PAYS'),
      events: [{ kind: 'address', atMs: at('2027-01-07T15:30Z') }],
    },
    ['1 CHARGED 20.00: 01-05 10:00 INSUFFICIENT_FUNDS, 01-08 10:00 PAYS'],
  ],
  [
    'tries again when the customer requests it, once an hour',
    {
      answers: answers('INSUFFICIENT_FUNDS', 'INSUFFICIENT_FUNDS', 'PAYS'),
      events: [
        { kind: 'retry', atMs: at('2027-01-06T12:00Z') },
        { kind: 'retry', atMs: at('2027-01-06T12:59Z') },
      ],
    },
    ['1 CHARGED 20.00: 01-05 10:00 INSUFFICIENT_FUNDS, 01-06 12:00 INSUFFICIENT_FUNDS, 01-08 10:00 PAYS'],
  ],
  [
    'tries daily when too little is in stock, and skips the order in the end',
    { answers: answers('INSUFFICIENT_INVENTORY') },
    [
      '1 ENDED TRIES_OVER: 01-05 10:00 INSUFFICIENT_INVENTORY, 01-06 10:00 INSUFFICIENT_INVENTORY, 01-07 10:00 INSUFFICIENT_INVENTORY, 01-08 10:00 INSUFFICIENT_INVENTORY, 01-09 10:00 INSUFFICIENT_INVENTORY',
    ],
  ],
  [
    'charges an order when the stock has come back',
    { answers: answers('INSUFFICIENT_INVENTORY', 'PAYS') },
    ['1 CHARGED 20.00: 01-05 10:00 INSUFFICIENT_INVENTORY, 01-06 10:00 PAYS'],
  ],
  [
    'reports an order that the merchant’s account refuses, and leaves the contract active',
    { answers: answers('MERCHANT_RULE') },
    [
      '1 REPORTED MERCHANT_ACCOUNT: 01-05 10:00 MERCHANT_RULE, 01-06 10:00 MERCHANT_RULE, 01-07 10:00 MERCHANT_RULE, 01-08 10:00 MERCHANT_RULE, 01-09 10:00 MERCHANT_RULE',
    ],
  ],
  [
    'takes the final action at once when a card must never be tried again',
    { answers: answers('FRAUD_SUSPECTED'), events: [card('2027-01-06T08:00Z', 'PAYS')] },
    ['1 ENDED NEVER_RETRIED: 01-05 10:00 FRAUD_SUSPECTED', 'PAUSED'],
  ],
  [
    'reports an order that was paid elsewhere when it is not billed',
    { answers: answers('INVOICE_ALREADY_PAID') },
    ['1 REPORTED PAID_ELSEWHERE: 01-05 10:00 INVOICE_ALREADY_PAID'],
  ],
  [
    'waits for the customer to confirm, and is charged then',
    { answers: [{ outcome: 'PAYS', seconds: 36 * 3600, isChallenge: true }] },
    ['1 CHARGED 20.00: 01-05 10:00 PAYS'],
  ],
  [
    'waits for the customer’s bank for a week',
    { answers: [{ ...never, isChallenge: true }], until: '2027-01-12T10:00Z' },
    ['1 ACTION_REQUIRED: 01-05 10:00 open'],
  ],
  [
    'reports a payment that was neither confirmed nor refused in a week',
    { answers: [{ ...never, isChallenge: true }] },
    ['1 REPORTED NO_OUTCOME: 01-05 10:00 open'],
  ],
  [
    'waits for the customer after a confirmation that has expired, until the days together are over',
    { answers: [{ outcome: 'EXPIRED_BUYER_ACTION', seconds: 24 * 3600, isChallenge: true }] },
    ['1 ENDED TRIES_OVER: 01-05 10:00 EXPIRED_BUYER_ACTION', 'PAUSED'],
  ],
  [
    'counts a payment that is confirmed after the order was reported',
    { answers: [{ outcome: 'PAYS', seconds: 9 * 24 * 3600, isChallenge: true }] },
    ['1 CHARGED 20.00: 01-05 10:00 PAYS'],
  ],
  [
    'declines a card that has expired by its own date',
    { contract: { card: { answers: answers('PAYS'), expiresAtMs: at('2027-01-01T00:00Z') } } },
    ['1 ENDED TRIES_OVER: 01-05 10:00 EXPIRED_PAYMENT_METHOD', 'PAUSED'],
  ],
  [
    'ends the tries when the next order is due, before its own',
    {
      ...{
        contract: weekly,
        until: '2027-01-13T00:00Z',
        answers: answers('CARD_DECLINED', 'CARD_DECLINED', 'PAYS'),
      },
      settings: { declined: { retryAfterDays: [3, 4, 7], finalAction: 'LEAVE' } },
    },
    [
      '1 ENDED TRIES_OVER: 01-05 10:00 CARD_DECLINED, 01-08 10:00 CARD_DECLINED',
      '2 CHARGED 20.00: 01-12 10:00 PAYS',
    ],
  ],
  [
    'does not charge the next order of a contract that the final action has paused',
    { contract: weekly, until: '2027-01-13T00:00Z', answers: answers('CARD_DECLINED') },
    [
      '1 ENDED TRIES_OVER: 01-05 10:00 CARD_DECLINED, 01-08 10:00 CARD_DECLINED',
      '2 SKIPPED NOT_ACTIVE',
      'PAUSED',
    ],
  ],
  [
    'makes ten tries of an order at most',
    {
      settings: { declined: { retryAfterDays: [1, 1, 1, 1, 1, 1, 1, 1, 1], finalAction: 'LEAVE' } },
      answers: answers('GENERIC_ERROR'),
      events: [{ kind: 'retry', atMs: at('2027-01-05T20:00Z') }],
    },
    [
      `1 ENDED TRIES_OVER: ${['01-05 10:00', '01-05 20:00', ...[6, 7, 8, 9].map((day) => `01-0${day} 10:00`), ...[10, 11, 12, 13].map((day) => `01-${day} 10:00`)].map((time) => `${time} GENERIC_ERROR`).join(', ')}`,
    ],
  ],
  [
    'keeps the time of a planned try when the hour changes',
    {
      answers: answers('CARD_DECLINED', 'PAYS'),
      changes: [{ kind: 'settings', atMs: at('2027-01-06T00:00Z'), settings: { hour: 20 } }],
    },
    ['1 CHARGED 20.00: 01-05 10:00 CARD_DECLINED, 01-08 10:00 PAYS'],
  ],
];

test.each(EXAMPLES)('%s', (_sentence, given, expected) => {
  expect(showExample(given)).toEqual(expected);
});

describe('the classes of declines', () => {
  test('each code of the platform has one class', () => {
    const schema = buildSchema(readFileSync('graphql/schema/platform/admin-2026-07.graphql', 'utf8'));
    const codes = schema.getType('SubscriptionBillingAttemptErrorCode');
    if (!isEnumType(codes)) throw new Error('The schema has no codes.');
    const classes: readonly DeclineClass[] = ['customer', 'later', 'merchant', 'never', 'paid', 'stock'];
    const named = classes.flatMap(codesOfClass);
    expect(new Set(named).size).toBe(named.length);
    expect(codes.getValues().filter(({ name }) => !named.includes(name))).toEqual([]);
  });

  test('include an unknown code among those that are tried later', () => {
    expect(classifyDecline('SOMETHING_NEW')).toBe('later');
  });
});
