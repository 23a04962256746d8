/** Limits of dry runs, keys, tries of codes, the store's log, and the platform's points. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { countDocumentPoints } from '../../../graphql/run/count-document-points.ts';
import { DEFAULT_BILLING_SETTINGS } from '../../../lib/billing/records/settings-record.ts';
import { ADA, NOW_MS, store } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createIntervalWorld, MONTHLY } from '../../world/interval-world.ts';
import { WEEKLY } from '../../world/store-world.ts';
import { discountByHand } from '../world/discount-by-hand.ts';
import { type Acting, gid } from '../world/operation-world.ts';

const PREVIEW =
  'preview { total { amount } lines { id title quantity price { amount } } deliveryPrice { amount } discountsTotal { amount } date taxesIncluded }';
const lines = (
  more = PREVIEW,
  key = '',
) => `mutation ($contractId: ID!, $line: ID!, $quantity: Int!, $dryRun: Boolean = true) {
  subscriptionContractLinesUpdate(contractId: $contractId, update: [{ lineId: $line, quantity: $quantity }], dryRun: $dryRun) ${key} {
    contract { id } ${more} userErrors { code field } } }`;
const code = `mutation ($contractId: ID!, $code: String!, $dryRun: Boolean = true) {
  subscriptionContractDiscountCodeApply(contractId: $contractId, redeemCode: $code, dryRun: $dryRun) {
    contract { id } ${PREVIEW} userErrors { code field message } } }`;

const TWO_WEEKS = `mutation ($contractId: ID!, $dryRun: Boolean!) {
  subscriptionContractIntervalUpdate(contractId: $contractId, interval: { interval: WEEK, intervalCount: 2 }, dryRun: $dryRun) {
    contract { nextOrder { date } } ${PREVIEW} userErrors { code } } }`;

let table = createMemoryTable();
let world = createIntervalWorld({ table });
beforeEach(() => {
  table = createMemoryTable();
  world = createIntervalWorld({ table });
});

const line = () => gid('SubscriptionLine', world.contract.content.lines[0]?.id ?? '');
const previewLines = (quantity: number, more: object = {}, as: Acting = 'customer') =>
  world.ask(lines(), { line: line(), quantity, ...more }, as);

describe('what a preview says', () => {
  test('the total is the prices and the delivery less all discounts', async () => {
    world.contract.content.discounts.push(discountByHand());
    for (const as of ['customer', 'store', 'store for a customer'] as const) {
      const { payload, recorded, sent } = await previewLines(3, {}, as);
      const { total, lines: previewed, deliveryPrice, discountsTotal } = payload.preview;
      const [first] = world.contract.content.lines;
      const gross = (first?.currentPriceMinor ?? 0) * 3;
      const off = Math.round(gross / 10);
      expect([payload.userErrors, recorded, sent.flat()]).toEqual([
        [],
        [],
        expect.not.arrayContaining(['subscriptionDraftCommit']),
      ]);
      expect(Number(discountsTotal.amount)).toBeCloseTo(off / 100, 2);
      expect(Number(total.amount)).toBeCloseTo((gross - off) / 100 + Number(deliveryPrice.amount), 2);
      expect(previewed).toEqual([
        { id: line(), title: first?.title, quantity: 3, price: { amount: expect.any(String) } },
      ]);
      expect(payload.preview).toMatchObject({ date: '2026-11-25T08:00:00Z', taxesIncluded: true });
      expect(first?.quantity).not.toBe(3);
    }
  });

  test('a null makes no change: a client without a value for its variable gets an error', async () => {
    const query = lines().replace('$dryRun: Boolean = true', '$dryRun: Boolean');
    const before = world.contract.content.lines[0]?.quantity;
    const { code: refused } = await world.ask(query, { line: line(), quantity: 3, dryRun: null });
    expect(refused).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(world.contract.content.lines[0]?.quantity).toBe(before);
  });

  test('a change that would change nothing previews the contract as it is, with the content of an edited order', async () => {
    const quantity = world.contract.content.lines[0]?.quantity ?? 0;
    const asItIs = await previewLines(quantity);
    const { id: _id, ...content } = structuredClone({ id: 0, ...world.contract.content });
    const edited = { ...content, deliveryPriceMinor: content.deliveryPriceMinor + 100 };
    const { createdAt } = world.contract;
    world.contract.cycleEdits[7] = {
      ...{ skipped: false, billingDate: null },
      contract: { content: edited, createdAt, updatedAt: createdAt, concatenated: [] },
    };
    const ofEdited = await previewLines(quantity);
    const [before, after] = [asItIs, ofEdited].map(({ payload }) => Number(payload.preview.total.amount));
    expect(after).toBeCloseTo((before ?? 0) + 1, 2);
  });

  test('the prices are those of the step that the service sets before it charges the next order', async () => {
    const [first] = world.contract.content.lines;
    const step = { adjustmentType: 'PERCENTAGE', adjustmentValue: 10 } as const;
    const cycleDiscounts = [
      { ...step, afterCycle: 0, computedPriceMinor: 1000 },
      { ...step, afterCycle: 7, computedPriceMinor: 850 },
    ];
    Object.assign(first ?? {}, {
      currentPriceMinor: 1000,
      pricingPolicy: { basePriceMinor: 1200, cycleDiscounts },
    });
    const totals = async () => {
      const { quantity = 0 } = first ?? {};
      const previews = [
        await previewLines(3),
        await previewLines(3, {}, 'store'),
        await previewLines(quantity),
      ];
      return previews.map(({ payload: { preview } }) => [
        Number(preview.total.amount) - Number(preview.deliveryPrice.amount),
        Number(preview.lines[0].price.amount) / preview.lines[0].quantity,
      ]);
    };
    expect(await totals()).toEqual([
      [30, 10],
      [30, 10],
      [10, 10],
    ]);
    const settings = { ...DEFAULT_BILLING_SETTINGS, version: 1, updatedAtMs: NOW_MS, enabled: true };
    await table.put({ pk: `BILLING#${store.shopId}`, sk: 'SETTINGS', shopId: store.shopId, ...settings });
    expect(await totals()).toEqual([
      [25.5, 8.5],
      [25.5, 8.5],
      [8.5, 8.5],
    ]);
  });

  test.each([
    ['null, if another order on that day is skipped', '2026-12-08', null],
    ['its date, if a later order is skipped', '2026-12-16', '2026-12-08T08:00:00Z'],
  ])('the preview of an interval for a moved next order has %s', async (_name, dayOfSkipped, previewed) => {
    const ask = async (dryRun: boolean) => {
      const { payload } = await world.ask(TWO_WEEKS, { dryRun });
      expect(payload.userErrors).toEqual([]);
      return payload;
    };
    for (const offset of [0, 1]) world.edit(offset, { skipped: true });
    world.edit(2, { date: '2026-12-08' });
    world.edit(3, { skipped: true, date: dayOfSkipped });
    expect((await ask(true)).preview.date).toBe(previewed);
    const next = previewed ?? '2026-12-23T08:00:00Z';
    expect((await ask(false)).contract.nextOrder.date).toBe(next);
  });

  test('without a dry run there is no preview', async () => {
    const { payload } = await previewLines(3, { dryRun: false });
    expect([payload.preview, payload.userErrors, world.contract.content.lines[0]?.quantity]).toEqual([
      null,
      [],
      3,
    ]);
  });

  test('a rejected change has its user errors, and no preview', async () => {
    const { payload } = await previewLines(0);
    expect(payload).toEqual({
      contract: null,
      preview: null,
      userErrors: [{ code: 'QUANTITY_INVALID', field: ['update', '0', 'quantity'] }],
    });
  });

  test('another customer’s contract is refused before a draft is opened', async () => {
    world.contract.content.customerId = ADA + 1;
    const { code: refusal, sent } = await previewLines(3);
    expect([refusal, sent.flat()]).toEqual([
      'FORBIDDEN',
      expect.not.arrayContaining(['subscriptionContractUpdate']),
    ]);
  });
});

describe('limits', () => {
  test('a contract has 30 dry runs in an hour, over all who ask; its changes are not limited', async () => {
    const actors: readonly Acting[] = ['customer', 'store', 'store for a customer'];
    for (let count = 0; count < 30; count++) {
      expect((await previewLines(3, {}, actors[count % 3])).code).toBeUndefined();
    }
    const beyond = await previewLines(3);
    expect([beyond.code, beyond.retryAfterSeconds]).toEqual(['THROTTLED', expect.any(Number)]);
    expect(beyond.sent.flat()).not.toContain('subscriptionContractUpdate');
    expect((await previewLines(4, { dryRun: false })).payload.userErrors).toEqual([]);

    const other = createIntervalWorld({ table, contract: MONTHLY });
    const otherLine = gid('SubscriptionLine', other.contract.content.lines[0]?.id ?? '');
    expect((await other.ask(lines(), { line: otherLine, quantity: 2 })).code).toBeUndefined();
    world.platform.holder.nowMs += (beyond.retryAfterSeconds ?? 0) * 1000;
    expect((await previewLines(3)).code).toBeUndefined();
  });

  test('at most 30 of sixty dry runs at the same time are answered', async () => {
    const runs = await Promise.all(Array.from({ length: 60 }, () => previewLines(3, {}, 'store')));
    const answered = runs.filter(({ code: refusal }) => refusal === undefined);
    expect(answered.length).toBeLessThanOrEqual(30);
    expect(answered.length).toBeGreaterThan(0);
    expect(new Set(runs.map(({ code: refusal }) => refusal))).toEqual(new Set([undefined, 'THROTTLED']));
  });

  test('refuses dry runs of a postponement once the customer’s share of points is used up, and still serves the store', async () => {
    const dryRun = `mutation ($contractId: ID!) {
      subscriptionOrderPostpone(contractId: $contractId, expectedDate: "2026-11-25T08:00:00Z", to: "2026-11-28", dryRun: true) {
        upcomingOrders { date } userErrors { code } } }`;
    const { maximumAvailable } = world.shop().throttle;
    let [points, refusal]: [number, string | undefined] = [0, undefined];
    while (refusal === undefined && points < maximumAvailable) {
      const outcome = await world.ask(dryRun, {});
      refusal = outcome.code;
      for (const text of outcome.documents) points += countDocumentPoints(text, {});
    }
    expect(refusal).toBe('THROTTLED');
    expect((await world.ask(dryRun, {}, 'store')).payload.userErrors).toEqual([]);
  });

  test('ten wrong codes in dry runs use the tries of an hour up', async () => {
    const apply = (name: string, dryRun: boolean) => world.ask(code, { code: name, dryRun });
    for (let count = 0; count < 10; count++) {
      const { payload } = await apply(`NOSUCH${count}`, true);
      expect(payload.userErrors).toMatchObject([{ code: 'DISCOUNT_REJECTED' }]);
    }
    for (const dryRun of [true, false]) {
      const { payload } = await apply('WELCOME10', dryRun);
      expect(payload.userErrors).toMatchObject([{ code: 'INVALID', field: ['redeemCode'] }]);
    }
    expect(world.contract.content.discounts).toEqual([]);
  });

  test('wrong codes in dry runs and in changes of two subscriptions are the tries of one customer', async () => {
    const other = createIntervalWorld({ table, contract: MONTHLY });
    const codes: string[] = [];
    for (let count = 0; count < 12; count++) {
      const { payload } = await (count % 2 ? world : other).ask(code, {
        code: `NOSUCH${count}`,
        dryRun: count % 3 > 0,
      });
      codes.push(payload.userErrors[0].code);
    }
    expect(codes).toEqual([...Array.from({ length: 10 }, () => 'DISCOUNT_REJECTED'), 'INVALID', 'INVALID']);
  });

  test.each([
    [
      'a literal',
      lines(PREVIEW, '@idempotent(key: "one")')
        .replace('$dryRun: Boolean = true', '')
        .replace('$dryRun', 'true'),
    ],
    ['a variable', lines(PREVIEW, '@idempotent(key: "one")')],
  ])('an idempotency key is refused with dryRun as %s', async (_name, query) => {
    const refused = await world.ask(query, { line: line(), quantity: 3 });
    expect([refused.code, refused.sent]).toEqual(['GRAPHQL_VALIDATION_FAILED', []]);
  });

  test('an idempotency key is taken when the variable says that it is no dry run', async () => {
    const query = lines(PREVIEW, '@idempotent(key: "one")');
    const { payload } = await world.ask(query, { line: line(), quantity: 3, dryRun: false });
    expect(payload.userErrors).toEqual([]);
  });
});

test('a dry run is no change in the log of a store’s changes', async () => {
  const logged: string[] = [];
  const logger = { debug() {}, info: (name: string) => void logged.push(name), warn() {}, error() {} };
  const request = {
    as: 'store',
    query: lines(),
    table,
    now: () => world.platform.holder.nowMs,
    logger,
  } as const;
  const variables = { contractId: gid('SubscriptionContract', WEEKLY), line: line(), quantity: 3 };
  await world.run({ ...request, variables });
  expect(logged).toEqual([]);
});

describe('a dry run costs no more points than the change with the same amounts and date', () => {
  const AMOUNTS =
    'contract { id nextOrder { date total { amount } } lines(first: 20) { nodes { title quantity lineDiscountedPrice { amount } } } }';
  const ADDRESS = `{ shipping: { firstName: "Ada", lastName: "Brewer", address1: "2 Main Street", city: "Bangor", provinceCode: "ME", zip: "04401", countryCode: US } }`;
  const postpone = (to: string) =>
    `subscriptionOrderPostpone(contractId: $contractId, expectedDate: "2026-11-25T08:00:00Z", to: "${to}"`;
  const points = ({ documents }: { documents: readonly string[] }) =>
    documents.reduce((sum, text) => sum + countDocumentPoints(text, {}), 0);

  test.each([
    [
      'lines',
      () =>
        `subscriptionContractLinesUpdate(contractId: $contractId, update: [{ lineId: "${line()}", quantity: 3 }]`,
    ],
    [
      'the interval',
      () =>
        'subscriptionContractIntervalUpdate(contractId: $contractId, interval: { interval: WEEK, intervalCount: 2 }',
    ],
    [
      'the delivery',
      () =>
        `subscriptionContractDeliveryUpdate(contractId: $contractId, deliveryMethod: ${ADDRESS}, optionCode: "express"`,
    ],
    [
      'a code',
      () => 'subscriptionContractDiscountCodeApply(contractId: $contractId, redeemCode: "WELCOME10"',
    ],
    ['a postponement', () => postpone('2026-11-28')],
  ])('of %s', async (_name, call) => {
    for (const as of ['customer', 'store'] as const) {
      const run = async (more: string, selection: string) => {
        const outcome = await world.ask(
          `mutation ($contractId: ID!) { ${call()}${more}) { ${selection} userErrors { code } } }`,
          {},
          as,
        );
        expect([outcome.code, outcome.payload?.userErrors]).toEqual([undefined, []]);
        return points(outcome);
      };
      const isPostponed = call().includes('Postpone');
      const dry = await run(
        ', dryRun: true',
        isPostponed ? 'upcomingOrders { date }' : `contract { id } ${PREVIEW}`,
      );
      const made = await run('', isPostponed ? 'upcomingOrders { date }' : AMOUNTS);
      expect(dry).toBeLessThanOrEqual(made);
      world = createIntervalWorld({ table: createMemoryTable() });
    }
  });
});
