/** What is changed in a contract, kind by kind: as another app does it at the platform, and as the service is asked for it. */
import { cycleByIndex, newSegment } from '../../../../infra/emulators/platform/state/billing-cycles.ts';
import type { DiscountRecord } from '../../../../infra/emulators/platform/state/contract-records.ts';
import { isoInstant } from '../../../../infra/emulators/platform/state/instant.ts';
import { gid } from '../../../contract/world/operation-world.ts';
import { type Asked, CARDS, DECAF, type Kind, kindsBeside, named } from './held-kinds-beside.ts';

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
const NOTES = ['ring', 'back door', 'leave it'];
const ATTRIBUTES = [[], ['gift'], ['gift', 'door']].map((keys) => keys.map((key) => ({ key, value: 'yes' })));
const INTERVALS = [
  { interval: 'WEEK', intervalCount: 2 },
  { interval: 'WEEK', intervalCount: 1 },
  { interval: 'MONTH', intervalCount: 1 },
] as const;
const PRICES = [11.9, 10.5, 8];
const STREETS = ['1 Main Street', '2 Main Street', '3 Main Street'];
const CODE = 'WELCOME10';
const GOODWILL: DiscountRecord = {
  ...{ id: '0f0f0f0f-0000-4000-a000-00000000000d', title: 'Sorry for the delay', type: 'MANUAL' },
  ...{ targetType: 'LINE_ITEM', value: { percentage: 50 }, lineIds: null, recurringCycleLimit: null },
  ...{ usageCount: 0, redeemCode: null, rejectionReason: null },
};

const own = ({ contract }: Asked) => `contractId: "${gid('SubscriptionContract', contract.id)}"`;
const orderOf = ({ first, choice }: Asked) => first + choice;
const lineOf = ({ contract }: Asked) => {
  const [line] = contract.content.lines;
  if (line === undefined) throw new Error(`contract ${contract.id} has no line`);
  return line;
};

function setSkipped(asked: Asked, skipped: boolean): void {
  const { cycleEdits } = asked.contract;
  const index = String(orderOf(asked));
  const edit = { ...(cycleEdits[index] ?? { billingDate: null, contract: null }), skipped };
  if (edit.skipped || edit.billingDate !== null) cycleEdits[index] = edit;
  else delete cycleEdits[index];
}

function dateOf(asked: Asked, daysEarlier: number): string {
  const cycle = cycleByIndex(asked.contract, orderOf(asked));
  return isoInstant((cycle?.endMs ?? 0) - daysEarlier * DAY_MS);
}

function move(asked: Asked, daysEarlier: number): void {
  const { cycleEdits } = asked.contract;
  const index = String(orderOf(asked));
  const billingDate = dateOf(asked, daysEarlier);
  cycleEdits[index] = { ...(cycleEdits[index] ?? { skipped: false, contract: null }), billingDate };
}

const skip = (asked: Asked, isSkipped: boolean) =>
  `subscriptionBillingCycleSkip(${own(asked)}, billingCycleIndex: ${orderOf(asked)}, skip: ${isSkipped})`;
const reschedule = (asked: Asked, daysEarlier: number) =>
  `subscriptionBillingCycleReschedule(${own(asked)}, billingCycleIndex: ${orderOf(asked)}, billingDate: "${dateOf(asked, daysEarlier)}")`;
const nextDate = ({ nowMs, choice }: Asked) =>
  isoInstant(Math.floor(nowMs / DAY_MS) * DAY_MS + (choice + 4) * DAY_MS);
const cardOf = (asked: Asked, firstCard: string) => [firstCard, ...CARDS][asked.choice] ?? firstCard;

/** `firstCard`: with which the contracts are paid at first. */
export function changeKinds(firstCard: string) {
  return {
    ...kindsBeside,
    pause: {
      elsewhere: ({ contract }) => {
        contract.content.status = 'PAUSED';
      },
      ask: (asked) => `subscriptionContractPause(${named(asked)})`,
    },
    'pause for a while': {
      ask: (asked) => {
        const until = isoInstant(asked.nowMs + (asked.choice + 1) * 10 * MINUTE_MS);
        return `subscriptionContractPause(${named(asked)}, until: "${until}")`;
      },
    },
    resume: {
      elsewhere: ({ contract }) => {
        contract.content.status = 'ACTIVE';
      },
      ask: (asked) => `subscriptionContractActivate(${named(asked)})`,
    },
    skip: { elsewhere: (asked) => setSkipped(asked, true), ask: (asked) => skip(asked, true) },
    unskip: { elsewhere: (asked) => setSkipped(asked, false), ask: (asked) => skip(asked, false) },
    'move earlier': { elsewhere: (asked) => move(asked, 2), ask: (asked) => reschedule(asked, 2) },
    'move back': { elsewhere: (asked) => move(asked, 1), ask: (asked) => reschedule(asked, 1) },
    interval: {
      elsewhere: ({ contract, choice, nowMs }) => {
        const policy = { ...contract.content.billingPolicy, ...INTERVALS[choice] };
        const { interval, intervalCount } = policy;
        if (
          interval === contract.content.billingPolicy.interval &&
          intervalCount === contract.content.billingPolicy.intervalCount
        )
          return;
        contract.content.billingPolicy = policy;
        contract.content.deliveryPolicy = { ...contract.content.deliveryPolicy, ...INTERVALS[choice] };
        const segment = newSegment(contract, policy, { nowMs, rescheduling: 'AFTER_CURRENT_CYCLE' });
        if (segment === null) return;
        contract.schedule = [
          ...contract.schedule.filter(({ fromIndex }) => fromIndex < segment.fromIndex),
          segment,
        ];
      },
      ask: (asked) => {
        const { interval, intervalCount } = INTERVALS[asked.choice] ?? { interval: 'WEEK', intervalCount: 1 };
        return `subscriptionContractIntervalUpdate(${own(asked)}, interval: { interval: ${interval}, intervalCount: ${intervalCount} })`;
      },
    },
    'resume on a date': {
      ask: (asked) => `subscriptionContractActivate(${named(asked)}, nextBillingDate: "${nextDate(asked)}")`,
    },
    quantity: {
      elsewhere: ({ contract, choice }) => {
        for (const line of contract.content.lines) line.quantity = choice + 1;
      },
      ask: (asked) => {
        const update = asked.contract.content.lines.map(
          ({ id }) => `{ lineId: "${gid('SubscriptionLine', id)}", quantity: ${asked.choice + 1} }`,
        );
        return `subscriptionContractLinesUpdate(${own(asked)}, update: [${update.join(' ')}])`;
      },
    },
    'add line': {
      elsewhere: (asked) => {
        const { lines } = asked.contract.content;
        if (lines.some(({ variantId }) => variantId === DECAF)) return;
        lines.push({
          ...lineOf(asked),
          id: `0f0f0f0f-0000-4000-a000-00000000000${lines.length}`,
          variantId: DECAF,
        });
      },
      ask: (asked) =>
        `subscriptionContractLinesUpdate(${own(asked)}, add: [{ productVariantId: "${gid('ProductVariant', DECAF)}", quantity: ${asked.choice + 1} }])`,
    },
    'remove line': {
      elsewhere: ({ contract: { content } }) => {
        if (content.lines.length > 1) content.lines.pop();
      },
      ask: (asked) =>
        `subscriptionContractLinesUpdate(${own(asked)}, remove: ["${gid('SubscriptionLine', asked.contract.content.lines.at(-1)?.id ?? '')}"])`,
    },
    note: {
      elsewhere: ({ contract, choice }) => {
        contract.content.note = NOTES[choice] ?? '';
      },
      ask: (asked) => `subscriptionContractNoteUpdate(${own(asked)}, note: "${NOTES[asked.choice]}")`,
      isStores: true,
    },
    attributes: {
      elsewhere: ({ contract, choice }) => {
        contract.content.customAttributes = structuredClone(ATTRIBUTES[choice] ?? []);
      },
      ask: (asked) => {
        const given = (ATTRIBUTES[asked.choice] ?? []).map(
          ({ key, value }) => `{ key: "${key}", value: "${value}" }`,
        );
        return `subscriptionContractNoteUpdate(${own(asked)}, customAttributes: [${given.join(' ')}])`;
      },
      isStores: true,
    },
    price: {
      elsewhere: (asked) => {
        lineOf(asked).currentPriceMinor = Math.round((PRICES[asked.choice] ?? 0) * 100);
      },
      ask: (asked) =>
        `subscriptionContractProductChange(${named(asked)}, lineId: "${gid('SubscriptionLine', lineOf(asked).id)}", input: { currentPrice: "${PRICES[asked.choice]}" })`,
      isStores: true,
    },
    'delivery price': {
      elsewhere: ({ contract, choice }) => {
        contract.content.deliveryPriceMinor = [490, 0, 750][choice] ?? 0;
      },
      ask: (asked) => deliver(asked, 'standard'),
    },
    address: {
      elsewhere: ({ contract, choice }) => {
        const { deliveryMethod: method } = contract.content;
        if (method?.kind === 'shipping') method.address.address1 = STREETS[choice] ?? '';
      },
      ask: (asked) => deliver(asked, 'express'),
    },
    card: {
      elsewhere: (asked) => {
        asked.contract.content.paymentMethodId = cardOf(asked, firstCard);
      },
      ask: (asked) =>
        `subscriptionContractPaymentMethodUpdate(${own(asked)}, paymentMethodId: "${gid('CustomerPaymentMethod', cardOf(asked, firstCard))}")`,
    },
    'next date': {
      elsewhere: (asked) => {
        asked.contract.content.nextBillingDate = nextDate(asked);
      },
      ask: (asked) => `subscriptionContractSetNextBillingDate(${own(asked)}, date: "${nextDate(asked)}")`,
      isStores: true,
    },
    discount: {
      elsewhere: ({ contract: { content } }) => {
        if (content.discounts.every(({ id }) => id !== GOODWILL.id)) content.discounts.push({ ...GOODWILL });
      },
      ask: (asked) => `subscriptionContractDiscountCodeApply(${own(asked)}, redeemCode: "${CODE}")`,
    },
    'no discount': {
      elsewhere: ({ contract: { content } }) => {
        content.discounts = content.discounts.slice(1);
      },
      ask: (asked) => {
        const [one = GOODWILL] = asked.contract.content.discounts;
        const type = one.type === 'MANUAL' ? 'SubscriptionManualDiscount' : 'SubscriptionAppliedCodeDiscount';
        return `subscriptionContractDiscountRemove(${own(asked)}, discountId: "${gid(type, one.id)}")`;
      },
    },
  } as const satisfies Readonly<Record<string, Kind>>;
}

function deliver(asked: Asked, option: string): string {
  const to = `{ shipping: { firstName: "Ada", lastName: "Brewer", address1: "${STREETS[asked.choice]}", city: "Bangor", countryCode: US, provinceCode: "ME", zip: "04401" } }`;
  return `subscriptionContractDeliveryUpdate(${own(asked)}, deliveryMethod: ${to}, optionCode: "${option}")`;
}

export type ChangeName = keyof ReturnType<typeof changeKinds>;
