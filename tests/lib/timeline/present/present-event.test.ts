import { describe, expect, test } from '@jest/globals';
import type { CustomerId } from '../../../../lib/domain/customer-id.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { type TimeZone, UTC } from '../../../../lib/domain/time-zone.ts';
import type { AdminKeyId } from '../../../../lib/domain/tokens/admin-key.ts';
import { LANGUAGES } from '../../../../lib/messages/languages.ts';
import { createTranslator } from '../../../../lib/messages/translator.ts';
import { TIMELINE_ACTIONS } from '../../../../lib/timeline/actions.ts';
import type { EventRecord } from '../../../../lib/timeline/event-record.ts';
import { type ContractNumber, formatEventNumber } from '../../../../lib/timeline/event-record.ts';
import { createFact, createLineFact, type FactChange } from '../../../../lib/timeline/facts.ts';
import { type EventReader, presentEvent } from '../../../../lib/timeline/present/present-event.ts';

const translate = await createTranslator('EN', UTC);
const contract = '31' as ContractNumber;
const createdAtMs = Date.parse('2026-11-21T12:00:00.250Z');
const number = formatEventNumber({ createdAtMs, sequence: 0, contract });
const customerId = 7001001 as CustomerId;
const open = new Set(['SubscriptionContract.status', 'SubscriptionLine.quantity']);
const reader = (kind: EventReader['kind']): EventReader => ({
  kind,
  ...(kind === 'customer' && { customerId }),
  gidNamespace: 'platform',
  translate,
  isOpenToCustomers: (coordinate) => open.has(coordinate),
});

function entry(changes: Partial<EventRecord> = {}): EventRecord {
  return {
    number,
    shopId: 81234567001 as ShopId,
    contract,
    action: 'subscription_paused',
    actor: { kind: 'CUSTOMER', customerId },
    id: 'entry-1',
    requestId: 'request-1',
    details: { until: '2027-01-05T00:00:00Z', reason: 'On holiday' },
    changes: [createFact('status', { before: 'ACTIVE', after: 'PAUSED' })],
    createdAtMs,
    outcome: 'DONE',
    ...changes,
  };
}
const messageTo = (kind: EventReader['kind'], changes: Partial<EventRecord>) =>
  presentEvent(entry(changes), reader(kind)).message;

test('a customer reads plain words of what that customer did', () => {
  expect(presentEvent(entry(), reader('customer'))).toEqual({
    id: `gid://platform/SubscriptionEvent/${number}`,
    action: 'subscription_paused',
    appTitle: null,
    attributeToApp: false,
    attributeToUser: false,
    createdAt: '2026-11-21T12:00:00Z',
    criticalAlert: false,
    message: 'You paused the subscription until January 5, 2027. <em>On holiday</em>',
    actor: { kind: 'CUSTOMER', customer: { id: 'gid://platform/Customer/7001001' }, label: null },
    contractId: 'gid://platform/SubscriptionContract/31',
    outcome: 'DONE',
    changes: [{ field: 'status', before: 'ACTIVE', after: 'PAUSED' }],
    reason: null,
  });
});

describe('days are those of the store', () => {
  const skipped = { action: 'billing_cycle_skipped' };
  test.each([
    ['UTC', '2026-12-20T00:30:00Z', 'December 20, 2026'],
    ['America/New_York', '2026-12-20T00:30:00Z', 'December 19, 2026'],
    ['America/New_York', '2026-12-20T05:00:00Z', 'December 20, 2026'],
    // A quarter of an hour before and after midnight, on either side of a change of the clocks.
    ['America/New_York', '2026-11-01T03:45:00Z', 'October 31, 2026'],
    ['America/New_York', '2026-11-02T04:45:00Z', 'November 1, 2026'],
    ['America/New_York', '2026-11-02T05:15:00Z', 'November 2, 2026'],
    ['Europe/London', '2026-03-28T23:45:00Z', 'March 28, 2026'],
    ['Europe/London', '2026-03-29T23:15:00Z', 'March 30, 2026'],
    ['Pacific/Kiritimati', '2026-12-31T10:00:00Z', 'January 1, 2027'],
    ['Pacific/Kiritimati', '2026-12-31T09:59:59Z', 'December 31, 2026'],
    ['America/St_Johns', '2026-12-20T03:29:59Z', 'December 19, 2026'],
    ['America/St_Johns', '2026-12-20T03:30:00Z', 'December 20, 2026'],
  ])('in %s an order at %s is the one of %s', async (timeZone, expectedDate, day) => {
    const record = entry({ ...skipped, details: { expectedDate } });
    const { message } = presentEvent(record, {
      ...reader('customer'),
      translate: await createTranslator('EN', timeZone as TimeZone),
    });
    expect(message).toBe(`You skipped the order for ${day}.`);
  });
});

describe('what is hidden from customers', () => {
  const keyId = 'key_0123456789ab' as AdminKeyId;
  const byStore = { actor: { kind: 'MERCHANT', label: 'ERP', keyId } } as const;

  test("a key's label, and the reason that a store gave", () => {
    expect(messageTo('customer', byStore)).toBe('The store paused the subscription until January 5, 2027.');
    expect(messageTo('merchant', byStore)).toBe(
      '<b>ERP</b> paused the subscription until January 5, 2027. <em>On holiday</em>',
    );
    expect(presentEvent(entry(byStore), reader('customer')).actor).toEqual({
      kind: 'MERCHANT',
      customer: null,
      label: null,
    });
    for (const each of ['customer', 'merchant'] as const)
      expect(JSON.stringify(presentEvent(entry(byStore), reader(each)))).not.toContain('key_0123456789ab');
  });

  test('facts that are closed to them', () => {
    const changes = [
      createFact('note', { before: null, after: 'rude on the phone' }),
      createLineFact('gid://shopify/SubscriptionLine/abc', 'quantity', { before: '1', after: '2' }),
    ];
    expect(presentEvent(entry({ changes }), reader('customer')).changes).toEqual([
      { field: 'lines.abc.quantity', before: '1', after: '2' },
    ]);
    expect(presentEvent(entry({ changes }), reader('merchant')).changes).toHaveLength(2);
  });
});

test('how often orders come is told apart from how often they are paid', () => {
  const action = 'subscription_interval_updated';
  const paid = { interval: 'MONTH', intervalCount: 6 };
  expect(messageTo('customer', { action, details: paid })).toBe(
    'You changed how often orders come: every 6 months.',
  );
  const details = { ...paid, deliveryInterval: 'MONTH', deliveryIntervalCount: 1 };
  expect(messageTo('customer', { action, details })).toBe(
    'You changed how often orders come: every month, paid every 6 months.',
  );
});

describe('a change of lines names the products', () => {
  const coffee = { before: 'House blend, 250 g', after: 'House blend, 250 g' };
  const added = createLineFact('a', 'quantity', {
    before: null,
    after: '2',
    names: { before: null, after: 'Filter papers' },
  });
  const papers = createLineFact('e', 'quantity', {
    before: null,
    after: '1',
    names: { before: null, after: 'Mug' },
  });
  const removed = createLineFact('b', 'quantity', {
    before: '1',
    after: null,
    names: { before: 'Decaf', after: null },
  });
  const more = createLineFact('c', 'quantity', { before: '1', after: '3', names: coffee });
  const swapped = createLineFact('d', 'variantId', {
    before: '1',
    after: '2',
    names: { before: 'Mug', after: 'Tin <b>' },
  });
  const message = (...changes: FactChange[]) =>
    messageTo('customer', { action: 'subscription_lines_updated', details: {}, changes });

  test.each([
    [[added], 'You added 2 × Filter papers.'],
    [[removed], 'You removed Decaf.'],
    [[more], 'You changed the quantity of House blend, 250 g from 1 to 3.'],
    [[added, papers], 'You added 2 × Filter papers and 1 × Mug.'],
    [[added, papers, removed], 'You added 2 × Filter papers and 1 × Mug and removed Decaf.'],
    [[swapped], 'You swapped Mug for Tin &lt;b>.'],
    [[removed, more], 'You removed Decaf and changed the quantity of House blend, 250 g from 1 to 3.'],
    [[removed, swapped, added], 'You removed Decaf, swapped Mug for Tin &lt;b> and added 2 × Filter papers.'],
    [
      [removed, swapped, added, more, more],
      'You removed Decaf, swapped Mug for Tin &lt;b>, added 2 × Filter papers and made 2 more changes.',
    ],
  ])('%#', (changes, text) => {
    expect(message(...changes)).toBe(text);
  });

  test('a swap tells in which number the new product comes', () => {
    const names = { before: 'Mug', after: 'Tin' };
    const counted = [
      createLineFact('d', 'quantity', { before: '1', after: '2', names }),
      createLineFact('d', 'variantId', { before: '1', after: '2', names }),
    ];
    expect(message(...counted, added)).toBe('You swapped 1 × Mug for 2 × Tin and added 2 × Filter papers.');
  });

  test('what the facts do not name is told without it', () => {
    const nameless = createLineFact('c', 'quantity', { before: '1', after: '3' });
    expect(message(nameless)).toBe('You changed the products.');
    expect(message(nameless, added)).toBe('You added 2 × Filter papers.');
  });
});

test('a change of prices is told as such, and the service’s change as a step of the plan’s prices', () => {
  const price = { before: '10 USD', after: '8.5 USD' };
  const changes = [createLineFact('a', 'currentPrice', price), createLineFact('b', 'currentPrice', price)];
  const action = 'subscription_lines_updated';
  expect(messageTo('customer', { action, details: {}, changes })).toBe(
    'You changed the prices of the products.',
  );
  const byService = { action, actor: { kind: 'SERVICE' }, changes } as const;
  expect(messageTo('customer', { ...byService, details: { isPriceStep: true } })).toBe(
    'The subscription service set the prices that the plan has from the next order on.',
  );
});

describe('who acted', () => {
  test('a key in a customer’s name is that customer, with the key as agent', () => {
    const changes = { actor: { kind: 'CUSTOMER', customerId, label: 'Help desk' } } as const;
    expect(presentEvent(entry(changes), reader('merchant'))).toMatchObject({
      actor: { kind: 'CUSTOMER', label: 'Help desk' },
      attributeToUser: false,
      message: expect.stringMatching(/^The customer, through <b>Help desk<\/b>, paused /),
    });
    expect(messageTo('customer', changes)).toMatch(/^You paused /);
  });

  test('a customer who had the contract before is not who reads', () => {
    const changes = { actor: { kind: 'CUSTOMER', customerId: 7001002 as CustomerId } } as const;
    expect(messageTo('customer', changes)).toBe('A customer paused the subscription until January 5, 2027.');
  });

  test('a key by itself is the store, the timer is the service', () => {
    const store = presentEvent(entry({ actor: { kind: 'MERCHANT', label: 'ERP' } }), reader('merchant'));
    expect(store).toMatchObject({ attributeToUser: true, attributeToApp: false, appTitle: null });
    const timer = presentEvent(
      entry({ actor: { kind: 'SERVICE' }, action: 'subscription_resumed', details: {} }),
      reader('customer'),
    );
    expect(timer).toMatchObject({ attributeToUser: false, attributeToApp: true });
    expect(timer.appTitle).toBe('Subscription service');
    expect(timer.message).toBe('The subscription service resumed the subscription.');
  });
});

describe('what was changed elsewhere', () => {
  const externalEvent = (changes: readonly FactChange[], details = {}) =>
    entry({ action: 'changed_elsewhere', actor: { kind: 'UNKNOWN' }, changes, details });

  test.each<[string, readonly FactChange[], string]>([
    ['a pause', [createFact('status', { before: 'ACTIVE', after: 'PAUSED' })], 'paused the subscription.'],
    [
      'an end',
      [createFact('status', { before: 'ACTIVE', after: 'CANCELLED' })],
      'cancelled the subscription.',
    ],
    ['a line', [createLineFact('d', 'quantity', { before: '1', after: '2' })], 'changed the products.'],
    [
      'two things',
      [
        createFact('status', { before: 'PAUSED', after: 'ACTIVE' }),
        createLineFact('d', 'quantity', { before: '1', after: '2' }),
      ],
      'changed the subscription.',
    ],
    [
      'what customers may not see',
      [createFact('note', { before: 'a', after: 'b' })],
      'changed the subscription.',
    ],
  ])('%s is told by what it comes to', (_, changes, text) => {
    expect(presentEvent(externalEvent(changes), reader('customer'))).toMatchObject({
      actor: { kind: 'UNKNOWN', customer: null, label: null },
      attributeToApp: false,
      attributeToUser: false,
      message: `Someone outside this service ${text}`,
    });
  });

  test('a merchant reads of the note, too', () => {
    const note = externalEvent([createFact('note', { before: 'a', after: 'b' })]);
    expect(presentEvent(note, reader('merchant')).message).toBe(
      'Someone outside this service changed the note.',
    );
  });
});

test('an outcome that nobody knows says so, and alerts', () => {
  const unknown = presentEvent(entry({ outcome: 'UNKNOWN', details: {} }), reader('customer'));
  expect(unknown).toMatchObject({ criticalAlert: true, outcome: 'UNKNOWN' });
  expect(unknown.message).toBe(
    'You paused the subscription. It is not known whether this change took effect.',
  );
});

test('texts of clients are no markup, whatever they hold', () => {
  const hostile = `</em><script>alert("1")</script><a href='javascript:x'>\u0000\u202e\u2066&amp;`;
  const details = { reason: hostile, redeemCode: hostile, interval: hostile, intervalCount: 2 };
  for (const action of [...Object.keys(TIMELINE_ACTIONS), '<i>own</i>']) {
    const message = messageTo('merchant', { action, details, actor: { kind: 'MERCHANT', label: hostile } });
    const tags = [...message.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
    expect(tags.filter((tag) => !['<b>', '</b>', '<em>', '</em>'].includes(tag))).toEqual([]);
    expect(message).toContain('&lt;script>');
    expect(message).not.toMatch(/[\u202e\u2066]/);
    expect(message).not.toMatch(/\p{Cc}|&(?!amp;|lt;)/u);
  }
});

test('every action has a sentence, with details and without', () => {
  const details = {
    billingCycleIndex: 3,
    interval: 'WEEK',
    intervalCount: 2,
    billingDate: '2026-12-01',
    redeemCode: 'TEN',
  };
  const translate = (one: Record<string, string | number>) =>
    Object.keys(TIMELINE_ACTIONS).map((action) => messageTo('customer', { action, details: one }));
  expect([translate(details), translate({})]).toMatchSnapshot();
});

test.each(LANGUAGES)(
  'in %s every action has a sentence of its own, with texts of clients escaped',
  async (language) => {
    const translate = await createTranslator(language, UTC);
    const names = { before: 'Tee & <b>', after: 'Mug' };
    const details = {
      ...{ billingCycleIndex: 3, expectedDate: '2026-12-02', until: '2027-01-05', billingDate: '2026-12-01' },
      ...{ interval: 'WEEK', intervalCount: 2, redeemCode: '<i>', errorCode: 'EXPIRED_CARD' },
      ...{ reasonCode: 'MOVED', comment: '<u>' },
    };
    const changes = [createLineFact('d', 'variantId', { before: '1', after: '2', names })];
    // `changed_elsewhere` uses the messages of the other actions.
    const reported = Object.keys(TIMELINE_ACTIONS).filter((action) => action !== 'changed_elsewhere');
    const recorded = reported.map(
      (action) =>
        presentEvent(entry({ action, details, changes }), { ...reader('customer'), translate }).message,
    );
    expect(new Set(recorded).size).toBe(recorded.length);
    for (const one of recorded) {
      expect(one).toContain('&lt;u>');
      expect(one.replace(/<\/?(b|em)>/g, '')).not.toMatch(/<|undefined|NaN|\$\{|billing_|subscription_/);
    }
  },
);

test('a reason of an older entry stays in the words that it was kept in', () => {
  const changes = { action: 'subscription_cancelled', details: { reasonCode: 'MOVED', reason: 'It moved.' } };
  expect(messageTo('customer', changes)).toBe('You cancelled the subscription. <em>It moved.</em>');
});
