/**
 * An app with its own messages for every rejection: it uses only the code and its details, never the message. Values
 * that a rejection offers are then accepted.
 */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createBillingCharges } from '../../../lib/billing/records/charges.ts';
import type { DetailsOf, detailsByCode, ErrorDetails } from '../../../lib/subscriptions/error-details.ts';
import { chooseInterval } from '../../../lib/subscriptions/interval/choose-interval.ts';
import { listOfferedIntervals } from '../../../lib/subscriptions/selling-plans/offered-intervals.ts';
import type { SellingPlan } from '../../../lib/subscriptions/selling-plans/selling-plan.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import { findCycleByIndex } from '../../../sandbox/platform/state/billing-cycles.ts';
import { DAY_MS, formatIsoInstant, HOUR_MS } from '../../../sandbox/platform/state/instant.ts';
import { propertyRuns } from '../../full-size.ts';
import { NOW_MS, store } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createIntervalWorld, current } from '../../world/interval-world.ts';
import { discountByHand } from '../world/discount-by-hand.ts';
import { decaf250, lineId, mug } from '../world/lines-operation.ts';
import { type Acting, gid } from '../world/operation-world.ts';

type Code = keyof typeof detailsByCode;
type World = ReturnType<typeof createIntervalWorld>;

const day = (date: string) => date.slice(0, 10);

/** An app's own messages in its own language: the documented details of a code are always present. */
const ownMessages: { readonly [Of in Code]: (reported: DetailsOf<Of>) => string } = {
  ANCHORS_DO_NOT_FIT: () => 'Die festen Tage passen nicht dazu.',
  BILLING_DATE_SET_ON_SKIPPED: ({ date }) => `Die Bestellung vom ${day(date)} ist ausgesetzt.`,
  CHANGED_SINCE: ({ date }) => `Die Bestellung vom ${day(date)} ist inzwischen anders.`,
  CONCURRENT_UPDATE: () => 'Das Abo wurde gerade geändert.',
  CONTRACT_NOT_ACTIVE: ({ status }) => `Das Abo ist ${status}.`,
  CONTRACT_TERMINATED: () => 'Das Abo ist beendet.',
  CURRENCY_NOT_SUPPORTED: () => 'In dieser Währung geht das nicht.',
  CYCLES_IRREGULAR: ({ cycleIndex }) => `Nr. ${cycleIndex} folgt keinem Intervall.`,
  CYCLE_ALREADY_BILLED: ({ date, cycleIndex }) => `Nr. ${cycleIndex} vom ${day(date)} ist schon bezahlt.`,
  CYCLE_DATE_MISMATCH: ({ date }) => `Sie kommt jetzt am ${day(date)}.`,
  CYCLE_NOT_FOUND: ({ cycleIndex }) => `Eine Bestellung Nr. ${cycleIndex} gibt es nicht.`,
  DATE_IN_PAST: ({ date, earliest = '' }) => `Der ${day(date)} ist vorbei. Frühestens ${day(earliest)}.`,
  DATE_TOO_FAR: ({ date, latest = '' }) => `Der ${day(date)} ist zu weit weg. Spätestens ${day(latest)}.`,
  DELIVERY_OPTION_REQUIRED: () => 'Bitte eine Lieferart wählen.',
  DISCOUNT_REJECTED: ({ rejectionReason }) => `Der Code gilt nicht (${rejectionReason}).`,
  DISCOUNT_TIED_TO_INTERVAL: ({ discountIds, lineIds }) =>
    `${discountIds.length} Rabatt, ${lineIds.length} Geschenke.`,
  EMPTY_CONTRACT: ({ limit }) => `Mindestens ${limit} Artikel bleibt.`,
  GOODS_WITHOUT_PRICE: ({ lineIds }) => `Kostenlos wäre dann: ${lineIds.length}.`,
  HAS_FUTURE_EDITS: ({ date = '' }) => `Die Bestellung vom ${day(date)} ist eigens geändert.`,
  INCOMPLETE_BILLING_ATTEMPTS: ({ date }) => `Die Bestellung vom ${day(date)} wird gerade bezahlt.`,
  INTERVAL_NOT_OFFERED: ({ offeredIntervals }) =>
    offeredIntervals.map(({ interval, intervalCount }) => `${intervalCount} × ${interval}`).join(', '),
  INVALID: ({ limit, actual }) => `Höchstens ${limit}, nicht ${actual}.`,
  LINE_NOT_FOUND: ({ lineIds }) => `Es fehlt ${lineIds.length}.`,
  MINIMUM_NOT_REACHED: ({ limit, actual }) => `Noch ${limit - actual} von ${limit} Bestellungen.`,
  NOTHING_TO_REVERT: () => 'Nichts ist verschoben.',
  NO_UPCOMING_ORDER: () => 'Es kommt keine Bestellung.',
  ORDERS_ON_FIXED_DAYS: ({ date = '' }) => `Feste Tage; die nächste kommt am ${day(date)}.`,
  ORDER_IS_POSTPONED: ({ date, revertableUntil = '' }) =>
    `Die vom ${day(date)} ist verschoben, rückgängig bis ${day(revertableUntil)}.`,
  ORDER_TOO_CLOSE: ({ date, limit }) => `Die vom ${day(date)} kommt in unter ${limit} Stunden.`,
  OUT_OF_BOUNDS: ({ earliest = '', latest = '' }) => `Vom ${day(earliest)} bis ${day(latest)}.`,
  PAYMENT_NOT_OPEN: () => 'Keine Zahlung ist offen.',
  RETRIED_TOO_SOON: ({ earliest }) => `Wieder ab ${earliest.slice(11, 16)}.`,
  QUANTITY_INVALID: ({ limit, actual }) => `${actual} geht nicht: 1 bis ${limit}.`,
  SEND_NOW_NOT_OFFERED: () => 'Das gibt es hier nicht.',
  VARIANT_NOT_AVAILABLE: () => 'Das gibt es nicht im Abo.',
};

type Case = {
  readonly as?: Acting;
  readonly prepare?: (world: World) => unknown;
  /** The mutation's name and arguments; `$contractId` is a variable. */
  readonly ask: (world: World) => string;
  readonly details: Partial<ErrorDetails> | null | ((world: World) => Partial<ErrorDetails>);
  readonly message: string;
};

const date = (ms: number) => formatIsoInstant(NOW_MS + ms);
const orderOf = ({ contract }: World, offset: number) => {
  const found = findCycleByIndex(contract, current(contract).index + offset);
  if (found === null) throw new Error('no such order');
  return { cycleIndex: found.index, date: formatIsoInstant(found.expectedMs) };
};
const skip = (index: number, more = '') =>
  `subscriptionBillingCycleSkip(contractId: $contractId, billingCycleIndex: ${index}${more})`;
const move = (index: number, to: string) =>
  `subscriptionBillingCycleReschedule(contractId: $contractId, billingCycleIndex: ${index}, billingDate: "${to}")`;
const lines = (args: string) => `subscriptionContractLinesUpdate(contractId: $contractId, ${args})`;
const interval = (count: number, unit: string) =>
  `subscriptionContractIntervalUpdate(contractId: $contractId, interval: { interval: ${unit}, intervalCount: ${count} })`;
const pause = (args: string) => `subscriptionContractPause(subscriptionContractId: $contractId, ${args})`;
const add = (variant: string, quantity = 1) =>
  lines(`add: [{ productVariantId: "${variant}", quantity: ${quantity} }]`);
const SEND_NOW = 'subscriptionOrderSendNow(contractId: $contractId, expectedDate: "2026-11-25T08:00:00Z")';
const postponeNext = (world: World, to: string) =>
  `subscriptionOrderPostpone(contractId: $contractId, expectedDate: "${orderOf(world, 0).date}", to: "${to}")`;
const RETRY_PAYMENT = 'subscriptionContractPaymentRetry(contractId: $contractId)';
const revert = 'subscriptionOrderPostponementRevert(contractId: $contractId)';
const postponed = (world: World) => world.ask(pending(postponeNext(world, '2026-11-27')), {});
const YEAR = '2027-11-21T12:00:00Z';
const SOON = '2026-11-21T12:05:00Z';
const plan = (tail: number, intervalCount: number, unit: string, name: string) => {
  const sellingPlanId = gid('SellingPlan', tail);
  return { interval: unit, intervalCount, deliveriesPerPayment: 1, sellingPlanId, name };
};

const cases: { readonly [Of in Code]: Case } = {
  ANCHORS_DO_NOT_FIT: {
    as: 'store',
    prepare({ contract: { content } }) {
      const monday = { type: 'WEEKDAY', day: 1, month: null, cutoffDay: 2 } as const;
      content.billingPolicy.anchors = [monday];
      content.deliveryPolicy.anchors = [monday];
    },
    ask: () => interval(2, 'MONTH'),
    details: null,
    message: 'Die festen Tage passen nicht dazu.',
  },
  BILLING_DATE_SET_ON_SKIPPED: {
    prepare: (world) => world.edit(1, { skipped: true }),
    ask: (world) => move(orderOf(world, 1).cycleIndex, '2026-12-01T08:00:00Z'),
    details: (world) => orderOf(world, 1),
    message: 'Die Bestellung vom 2026-12-02 ist ausgesetzt.',
  },
  CHANGED_SINCE: {
    async prepare(world) {
      await postponed(world);
      world.edit(2, { skipped: true });
    },
    ask: () => revert,
    details: (world) => orderOf(world, 2),
    message: 'Die Bestellung vom 2026-12-09 ist inzwischen anders.',
  },
  CYCLES_IRREGULAR: {
    prepare: ({ contract: { content } }) => Object.assign(content.billingPolicy, { interval: 'DAY' }),
    ask: (world) => postponeNext(world, '2026-11-27'),
    details: (world) => ({ cycleIndex: orderOf(world, 2).cycleIndex }),
    message: 'Nr. 9 folgt keinem Intervall.',
  },
  NOTHING_TO_REVERT: {
    ask: () => revert,
    details: null,
    message: 'Nichts ist verschoben.',
  },
  ORDERS_ON_FIXED_DAYS: {
    prepare({ contract: { content } }) {
      const monday = { type: 'WEEKDAY', day: 1, month: null, cutoffDay: 2 } as const;
      content.billingPolicy.anchors = [monday];
    },
    ask: (world) => postponeNext(world, '2026-11-27'),
    details: (world) => ({ date: orderOf(world, 1).date }),
    message: 'Feste Tage; die nächste kommt am 2026-12-02.',
  },
  ORDER_IS_POSTPONED: {
    prepare: postponed,
    ask: (world) => skip(orderOf(world, 0).cycleIndex, ', skip: false'),
    details: (world) => ({ ...orderOf(world, 0), revertableUntil: '2026-11-25T07:00:00Z' }),
    message: 'Die vom 2026-11-25 ist verschoben, rückgängig bis 2026-11-25.',
  },
  CONCURRENT_UPDATE: {
    prepare: (world) => world.fail({ kind: 'stale', at: 'subscriptionDraftCommit', times: 9 }),
    ask: () => interval(2, 'WEEK'),
    details: null,
    message: 'Das Abo wurde gerade geändert.',
  },
  CONTRACT_NOT_ACTIVE: {
    prepare({ contract: { content }, settings }) {
      Object.assign(content, { status: 'PAUSED' });
      Object.assign(settings, { sendNow: 'MOVE' });
    },
    ask: () => SEND_NOW,
    details: { status: 'PAUSED' },
    message: 'Das Abo ist PAUSED.',
  },
  CONTRACT_TERMINATED: {
    prepare: ({ contract: { content } }) => void Object.assign(content, { status: 'CANCELLED' }),
    ask: () => pause('reason: "No."'),
    details: null,
    message: 'Das Abo ist beendet.',
  },
  CURRENCY_NOT_SUPPORTED: {
    prepare: ({ contract: { content } }) => void Object.assign(content, { currencyCode: 'CAD' }),
    ask: () => add(decaf250),
    details: null,
    message: 'In dieser Währung geht das nicht.',
  },
  CYCLE_ALREADY_BILLED: {
    ask: () => skip(1),
    details: { cycleIndex: 1, date: '2026-10-14T08:00:00Z' },
    message: 'Nr. 1 vom 2026-10-14 ist schon bezahlt.',
  },
  CYCLE_DATE_MISMATCH: {
    ask: (world) => skip(orderOf(world, 1).cycleIndex, ', expectedDate: "2026-12-01T08:00:00Z"'),
    details: (world) => orderOf(world, 1),
    message: 'Sie kommt jetzt am 2026-12-02.',
  },
  CYCLE_NOT_FOUND: {
    ask: () => skip(90_000),
    details: { cycleIndex: 90_000 },
    message: 'Eine Bestellung Nr. 90000 gibt es nicht.',
  },
  DATE_IN_PAST: {
    ask: () => pause(`until: "${date(-DAY_MS)}"`),
    details: { date: '2026-11-20T12:00:00Z', earliest: SOON, latest: YEAR },
    message: 'Der 2026-11-20 ist vorbei. Frühestens 2026-11-21.',
  },
  DATE_TOO_FAR: {
    ask: () =>
      `subscriptionContractActivate(subscriptionContractId: $contractId, nextBillingDate: "${date(400 * DAY_MS)}")`,
    details: { date: '2027-12-26T12:00:00Z', earliest: SOON, latest: YEAR },
    message: 'Der 2027-12-26 ist zu weit weg. Spätestens 2027-11-21.',
  },
  DELIVERY_OPTION_REQUIRED: {
    ask: () =>
      'subscriptionContractDeliveryUpdate(contractId: $contractId, deliveryMethod: { shipping: { firstName: "Ada", lastName: "Brewer", address1: "1 Main Street", city: "Bangor", countryCode: US, provinceCode: "ME", zip: "04401" } })',
    details: null,
    message: 'Bitte eine Lieferart wählen.',
  },
  DISCOUNT_REJECTED: {
    ask: () => 'subscriptionContractDiscountCodeApply(contractId: $contractId, redeemCode: "NEVERHEARD")',
    details: { rejectionReason: 'NOT_FOUND' },
    message: 'Der Code gilt nicht (NOT_FOUND).',
  },
  DISCOUNT_TIED_TO_INTERVAL: {
    prepare({ contract: { content } }) {
      Object.assign(content.deliveryPolicy, { interval: 'MONTH' });
      Object.assign(content.billingPolicy, { interval: 'MONTH' });
      content.discounts.push(discountByHand({ value: { amountMinor: 100, appliesOnEachItem: false } }));
    },
    ask: () => interval(2, 'WEEK'),
    details: { discountIds: [gid('SubscriptionManualDiscount', discountByHand().id)], lineIds: [] },
    message: '1 Rabatt, 0 Geschenke.',
  },
  EMPTY_CONTRACT: {
    ask: ({ contract }) => lines(`remove: ["${lineId(contract)}"]`),
    details: ({ contract }) => ({ limit: 1, lineIds: [lineId(contract)] }),
    message: 'Mindestens 1 Artikel bleibt.',
  },
  GOODS_WITHOUT_PRICE: {
    prepare: ({ contract: { content } }) =>
      void content.discounts.push(discountByHand({ value: { percentage: 100 } })),
    ask: ({ contract }) => lines(`update: [{ lineId: "${lineId(contract)}", quantity: 2 }]`),
    details: ({ contract }) => ({ lineIds: [lineId(contract)] }),
    message: 'Kostenlos wäre dann: 1.',
  },
  HAS_FUTURE_EDITS: {
    prepare({ contract }) {
      const { content, createdAt } = structuredClone(contract);
      const edit = { content, createdAt, updatedAt: createdAt, concatenated: [] };
      const index = current(contract).index + 2;
      contract.cycleEdits[index] = { skipped: false, billingDate: null, contract: edit };
    },
    ask: () => interval(2, 'WEEK'),
    details: (world) => orderOf(world, 2),
    message: 'Die Bestellung vom 2026-12-09 ist eigens geändert.',
  },
  INCOMPLETE_BILLING_ATTEMPTS: {
    prepare(world) {
      world.edit(0, { date: '2026-11-22' });
      world.shop().chargeDelaySeconds = 86_400;
    },
    ask: (world) => move(orderOf(world, 0).cycleIndex, '2026-11-23T08:00:00Z'),
    details: (world) => orderOf(world, 0),
    message: 'Die Bestellung vom 2026-11-22 wird gerade bezahlt.',
  },
  INTERVAL_NOT_OFFERED: {
    ask: () => interval(3, 'WEEK'),
    details: ({ contract }) => ({
      offeredIntervals: [
        plan(830_100_101, 1, 'WEEK', 'Every week'),
        plan(830_100_102, 2, 'WEEK', 'Every 2 weeks'),
        plan(830_100_103, 1, 'MONTH', 'Every month'),
      ],
      lineIds: [lineId(contract)],
    }),
    message: '1 × WEEK, 2 × WEEK, 1 × MONTH',
  },
  INVALID: {
    ask: () => pause(`reason: "${'x'.repeat(1_001)}"`),
    details: { limit: 1_000, actual: 1_001 },
    message: 'Höchstens 1000, nicht 1001.',
  },
  LINE_NOT_FOUND: {
    ask: () => lines(`update: [{ lineId: "${gid('SubscriptionLine', 'none')}", quantity: 2 }]`),
    details: { lineIds: [gid('SubscriptionLine', 'none')] },
    message: 'Es fehlt 1.',
  },
  MINIMUM_NOT_REACHED: {
    prepare: ({ contract: { content } }) => void Object.assign(content.billingPolicy, { minCycles: 9 }),
    ask: () => 'subscriptionContractCancel(subscriptionContractId: $contractId)',
    details: { limit: 9, actual: 7 },
    message: 'Noch 2 von 9 Bestellungen.',
  },
  NO_UPCOMING_ORDER: {
    prepare(world) {
      for (let offset = 0; offset < 60; offset++) world.edit(offset, { skipped: true });
      Object.assign(world.settings, { sendNow: 'MOVE' });
    },
    ask: () => SEND_NOW,
    details: null,
    message: 'Es kommt keine Bestellung.',
  },
  ORDER_TOO_CLOSE: {
    prepare: (world) => world.edit(0, { date: '2026-11-23' }),
    ask: () => interval(2, 'WEEK'),
    details: (world) => ({ ...orderOf(world, 0), earliest: '2026-11-23T08:00:01Z', limit: 48 }),
    message: 'Die vom 2026-11-23 kommt in unter 48 Stunden.',
  },
  OUT_OF_BOUNDS: {
    ask: (world) => move(orderOf(world, 1).cycleIndex, '2026-12-03T08:00:00Z'),
    details: (world) => ({
      cycleIndex: orderOf(world, 1).cycleIndex,
      date: '2026-12-03T08:00:00Z',
      earliest: '2026-11-25T08:00:01Z',
      latest: '2026-12-02T08:00:00Z',
    }),
    message: 'Vom 2026-11-25 bis 2026-12-02.',
  },
  PAYMENT_NOT_OPEN: {
    ask: () => RETRY_PAYMENT,
    details: null,
    message: 'Keine Zahlung ist offen.',
  },
  RETRIED_TOO_SOON: {
    async prepare({ contract, process }) {
      const [{ table }, now] = [process().deps, () => NOW_MS];
      const order = {
        shopId: store.shopId,
        contractNumber: `${contract.id}` as ContractNumber,
        cycleIndex: 7,
      };
      const declined = { state: 'RETRYING', failedTryCount: 1, lastErrorCode: 'CARD_DECLINED' } as const;
      const times = { expectedAtMs: NOW_MS, firstTryAtMs: NOW_MS, retryRequestedAtMs: NOW_MS };
      const charge = { ...order, ...declined, ...times, runDate: '2026-11-21' };
      await createBillingCharges({ table, now, enqueueStore: async () => undefined }).create(charge);
    },
    ask: () => RETRY_PAYMENT,
    details: { earliest: '2026-11-21T13:00:00Z' },
    message: 'Wieder ab 13:00.',
  },
  QUANTITY_INVALID: {
    ask: ({ contract }) => lines(`update: [{ lineId: "${lineId(contract)}", quantity: 10001 }]`),
    details: ({ contract }) => ({ limit: 10_000, actual: 10_001, lineIds: [lineId(contract)] }),
    message: '10001 geht nicht: 1 bis 10000.',
  },
  SEND_NOW_NOT_OFFERED: {
    ask: () => SEND_NOW,
    details: null,
    message: 'Das gibt es hier nicht.',
  },
  VARIANT_NOT_AVAILABLE: {
    ask: ({ contract }) => lines(`update: [{ lineId: "${lineId(contract)}", productVariantId: "${mug}" }]`),
    details: ({ contract }) => ({ lineIds: [lineId(contract)] }),
    message: 'Das gibt es nicht im Abo.',
  },
};

const RUNS = propertyRuns(2_000);

const policies = (intervalCount: number) => {
  const policy = { interval: 'WEEK', intervalCount, anchors: [] };
  return { billingPolicy: { ...policy, minCycles: null, maxCycles: null }, deliveryPolicy: policy };
};

/** The plans that sell one line's product: a few intervals, ends and positions, so that lines share some. */
const soldLines = fc.uniqueArray(
  fc
    .record({
      count: fc.constantFrom(1, 2, 4),
      ahead: fc.constantFrom(1, 2),
      end: fc.constantFrom(null, null, 3),
    })
    .map(({ count, ahead, end }): SellingPlan => {
      const { billingPolicy, deliveryPolicy } = policies(count);
      return {
        id: `${count}-${ahead}-${end}`,
        name: `${count} weeks`,
        position: count,
        pricingPolicies: [],
        billingPolicy: { ...billingPolicy, intervalCount: count * ahead, maxCycles: end },
        deliveryPolicy,
      };
    }),
  { selector: ({ id }) => id, maxLength: 6 },
);

const begin = () => createIntervalWorld({ table: createMemoryTable() });

const pending = (root: string) => `mutation ($contractId: ID!) { ${root} { userErrors { code } } }`;

test.each(Object.entries(cases))('%s comes with all that an app needs to say it', async (code, one) => {
  const world = begin();
  await one.prepare?.(world);
  if (code === 'INCOMPLETE_BILLING_ATTEMPTS') await charge(world);
  const expected = typeof one.details === 'function' ? one.details(world) : one.details;
  const { refusals } = await world.ask(pending(one.ask(world)), {}, one.as);
  expect(refusals).toEqual([{ code, details: expected }]);
  const textOf = ownMessages[code as Code] as (reported: Partial<ErrorDetails>) => string;
  expect(textOf(refusals[0]?.details ?? {})).toBe(one.message);
});

async function charge(world: World): Promise<void> {
  const selector = `billingCycleSelector: { index: ${orderOf(world, 0).cycleIndex} }`;
  const root = `subscriptionBillingCycleCharge(subscriptionContractId: $contractId, ${selector})`;
  await world.ask(pending(root), {}, 'store');
}

describe('a limit that a refusal names', () => {
  const refused = async (world: World, root: string): Promise<Partial<ErrorDetails>> => {
    const { refusals } = await world.ask(pending(root), {});
    if (refusals.length !== 1) throw new Error(`${refusals.length} refusals of ${root}`);
    return refusals[0]?.details ?? {};
  };
  const taken = async (world: World, root: string) =>
    expect([root, (await world.ask(pending(root), {})).refusals]).toEqual([root, []]);

  test.each(['earliest', 'latest'] as const)(
    'accepts the %s date of a pause and of a move',
    async (variant) => {
      const world = begin();
      const bounds = await refused(world, pause(`until: "${date(-HOUR_MS)}"`));
      await taken(world, pause(`until: "${bounds[variant]}"`));
      const { cycleIndex } = orderOf(world, 1);
      const days = await refused(world, move(cycleIndex, '2026-12-05T08:00:00Z'));
      await taken(world, move(cycleIndex, String(days[variant])));
    },
  );

  test('accepts each interval that is offered', async () => {
    const { offeredIntervals = [] } = await refused(begin(), interval(5, 'WEEK'));
    for (const { sellingPlanId } of offeredIntervals) {
      await taken(
        begin(),
        `subscriptionContractIntervalUpdate(contractId: $contractId, sellingPlanId: "${sellingPlanId}")`,
      );
    }
  });

  test(`never refuses an interval that is offered in ${RUNS.numRuns} random catalogues`, () => {
    fc.assert(
      fc.property(
        fc.array(soldLines, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(null, 3),
        (sold, end) => {
          const now = { ...policies(1), billingPolicy: { ...policies(1).billingPolicy, maxCycles: end } };
          const request = {
            contract: now,
            interval: { interval: 'WEEK', intervalCount: 9 },
            isCustomer: true,
          };
          const lines = sold.map((offered, index) => ({ id: `${index}`, sellingPlanId: 'now', offered }));
          const offered = listOfferedIntervals({ lines, contract: now });
          for (const { sellingPlanId: id } of offered) {
            const named = sold.flat().find((plan) => plan.id === id);
            const choice = chooseInterval({ ...request, interval: undefined, plan: named, lines });
            expect('policies' in choice ? 'taken' : choice.message).toBe('taken');
          }
          const every = sold.every((plans) => JSON.stringify(plans) === JSON.stringify(sold[0]));
          const open = every && sold[0]?.some((plan) => plan.billingPolicy.maxCycles === null);
          if (open) expect(offered).not.toEqual([]);
        },
      ),
      RUNS,
    );
  });

  test('accepts the largest quantity that a refusal names', async () => {
    const world = begin();
    const update = (quantity?: number) =>
      lines(`update: [{ lineId: "${lineId(world.contract)}", quantity: ${quantity} }]`);
    const { limit } = await refused(world, update(99_999));
    await taken(world, update(limit));
  });
});

describe('details are selected as anything else', () => {
  test.each(['customer', 'store', 'store for a customer'] as const)(
    'returns details by fragments, under aliases and in several places, as a %s',
    async (as) => {
      const world = begin();
      const one = lineId(world.contract);
      const { payload } = await world.ask(
        `mutation ($contractId: ID!, $no: Boolean = false) {
          ${lines(`update: [{ lineId: "${one}", quantity: 0 }]`)} {
            all: userErrors { code ...Bounds details { most: limit @skip(if: $no) date @include(if: $no) } }
            all: userErrors { field details { lineIds __typename } }
          }
        }
        fragment Bounds on SubscriptionOperationUserError { details { ... on SubscriptionOperationErrorDetails { actual earliest } } }`,
        {},
        as,
      );
      expect(payload).toEqual({
        all: [
          {
            code: 'QUANTITY_INVALID',
            field: ['update', '0', 'quantity'],
            details: {
              __typename: 'SubscriptionOperationErrorDetails',
              most: 10_000,
              actual: 0,
              earliest: null,
              lineIds: [one],
            },
          },
        ],
      });
    },
  );

  test('returns no details for a forwarded mutation, and does not select them at the platform', async () => {
    const world = begin();
    world.contract.content.status = 'CANCELLED';
    const { payload, documents } = await world.ask(
      'mutation ($contractId: ID!) { subscriptionContractFail(subscriptionContractId: $contractId) { userErrors { code details { date } } } }',
      {},
      'store',
    );
    expect(payload.userErrors).toMatchObject([{ details: null }]);
    expect(documents.join()).not.toContain('details');
  });
});
