/**
 * The kinds of changes to a contract: each as another app makes it at the platform, and as a request to the service.
 */
import { createNextSegment, findCycleByIndex } from '../../../../sandbox/platform/state/billing-cycles.ts';
import type { DiscountRecord } from '../../../../sandbox/platform/state/contract-records.ts';
import { formatIsoInstant } from '../../../../sandbox/platform/state/instant.ts';
import { gid } from '../../../contract/world/operation-world.ts';
import { CARDS, type ChangeRequest, DECAF, extraKinds, type Kind, named } from './model-extra-kinds.ts';

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

const own = ({ contract }: ChangeRequest) => `contractId: "${gid('SubscriptionContract', contract.id)}"`;
const orderOf = ({ first, choice }: ChangeRequest) => first + choice;
const lineOf = ({ contract }: ChangeRequest) => {
  const [line] = contract.content.lines;
  if (line === undefined) throw new Error(`contract ${contract.id} has no line`);
  return line;
};

function setSkipped(request: ChangeRequest, skipped: boolean): void {
  const { cycleEdits } = request.contract;
  const index = String(orderOf(request));
  const edit = { ...(cycleEdits[index] ?? { billingDate: null, contract: null }), skipped };
  if (edit.skipped || edit.billingDate !== null) cycleEdits[index] = edit;
  else delete cycleEdits[index];
}

function dateOf(request: ChangeRequest, daysEarlier: number): string {
  const cycle = findCycleByIndex(request.contract, orderOf(request));
  return formatIsoInstant((cycle?.endMs ?? 0) - daysEarlier * DAY_MS);
}

function move(request: ChangeRequest, daysEarlier: number): void {
  const { cycleEdits } = request.contract;
  const index = String(orderOf(request));
  const billingDate = dateOf(request, daysEarlier);
  cycleEdits[index] = { ...(cycleEdits[index] ?? { skipped: false, contract: null }), billingDate };
}

const skip = (request: ChangeRequest, isSkipped: boolean) =>
  `subscriptionBillingCycleSkip(${own(request)}, billingCycleIndex: ${orderOf(request)}, skip: ${isSkipped})`;
const reschedule = (request: ChangeRequest, daysEarlier: number) =>
  `subscriptionBillingCycleReschedule(${own(request)}, billingCycleIndex: ${orderOf(request)}, billingDate: "${dateOf(request, daysEarlier)}")`;
const nextDate = ({ nowMs, choice }: ChangeRequest) =>
  formatIsoInstant(Math.floor(nowMs / DAY_MS) * DAY_MS + (choice + 4) * DAY_MS);
const cardOf = (request: ChangeRequest, firstCard: string) =>
  [firstCard, ...CARDS][request.choice] ?? firstCard;

/** `firstCard`: with which the contracts are paid at first. */
export function changeKinds(firstCard: string) {
  return {
    ...extraKinds,
    pause: {
      changeExternally: ({ contract }) => {
        contract.content.status = 'PAUSED';
      },
      ask: (request) => `subscriptionContractPause(${named(request)})`,
    },
    'pause for a while': {
      ask: (request) => {
        const until = formatIsoInstant(request.nowMs + (request.choice + 1) * 10 * MINUTE_MS);
        return `subscriptionContractPause(${named(request)}, until: "${until}")`;
      },
    },
    resume: {
      changeExternally: ({ contract }) => {
        contract.content.status = 'ACTIVE';
      },
      ask: (request) => `subscriptionContractActivate(${named(request)})`,
    },
    skip: { changeExternally: (request) => setSkipped(request, true), ask: (request) => skip(request, true) },
    unskip: {
      changeExternally: (request) => setSkipped(request, false),
      ask: (request) => skip(request, false),
    },
    'move earlier': {
      changeExternally: (request) => move(request, 2),
      ask: (request) => reschedule(request, 2),
    },
    'move back': {
      changeExternally: (request) => move(request, 1),
      ask: (request) => reschedule(request, 1),
    },
    interval: {
      changeExternally: ({ contract, choice, nowMs }) => {
        const policy = { ...contract.content.billingPolicy, ...INTERVALS[choice] };
        const { interval, intervalCount } = policy;
        if (
          interval === contract.content.billingPolicy.interval &&
          intervalCount === contract.content.billingPolicy.intervalCount
        )
          return;
        contract.content.billingPolicy = policy;
        contract.content.deliveryPolicy = { ...contract.content.deliveryPolicy, ...INTERVALS[choice] };
        const segment = createNextSegment({ rescheduling: 'AFTER_CURRENT_CYCLE' }, contract, {
          policy,
          nowMs,
        });
        if (segment === null) return;
        contract.schedule = [
          ...contract.schedule.filter(({ fromIndex }) => fromIndex < segment.fromIndex),
          segment,
        ];
      },
      ask: (request) => {
        const { interval, intervalCount } = INTERVALS[request.choice] ?? {
          interval: 'WEEK',
          intervalCount: 1,
        };
        return `subscriptionContractIntervalUpdate(${own(request)}, interval: { interval: ${interval}, intervalCount: ${intervalCount} })`;
      },
    },
    'resume on a date': {
      ask: (request) =>
        `subscriptionContractActivate(${named(request)}, nextBillingDate: "${nextDate(request)}")`,
    },
    quantity: {
      changeExternally: ({ contract, choice }) => {
        for (const line of contract.content.lines) line.quantity = choice + 1;
      },
      ask: (request) => {
        const update = request.contract.content.lines.map(
          ({ id }) => `{ lineId: "${gid('SubscriptionLine', id)}", quantity: ${request.choice + 1} }`,
        );
        return `subscriptionContractLinesUpdate(${own(request)}, update: [${update.join(' ')}])`;
      },
    },
    'add line': {
      changeExternally: (request) => {
        const { lines } = request.contract.content;
        if (lines.some(({ variantId }) => variantId === DECAF)) return;
        lines.push({
          ...lineOf(request),
          id: `0f0f0f0f-0000-4000-a000-00000000000${lines.length}`,
          variantId: DECAF,
        });
      },
      ask: (request) =>
        `subscriptionContractLinesUpdate(${own(request)}, add: [{ productVariantId: "${gid('ProductVariant', DECAF)}", quantity: ${request.choice + 1} }])`,
    },
    'remove line': {
      changeExternally: ({ contract: { content } }) => {
        if (content.lines.length > 1) content.lines.pop();
      },
      ask: (request) =>
        `subscriptionContractLinesUpdate(${own(request)}, remove: ["${gid('SubscriptionLine', request.contract.content.lines.at(-1)?.id ?? '')}"])`,
    },
    note: {
      changeExternally: ({ contract, choice }) => {
        contract.content.note = NOTES[choice] ?? '';
      },
      ask: (request) => `subscriptionContractNoteUpdate(${own(request)}, note: "${NOTES[request.choice]}")`,
      isStores: true,
    },
    attributes: {
      changeExternally: ({ contract, choice }) => {
        contract.content.customAttributes = structuredClone(ATTRIBUTES[choice] ?? []);
      },
      ask: (request) => {
        const given = (ATTRIBUTES[request.choice] ?? []).map(
          ({ key, value }) => `{ key: "${key}", value: "${value}" }`,
        );
        return `subscriptionContractNoteUpdate(${own(request)}, customAttributes: [${given.join(' ')}])`;
      },
      isStores: true,
    },
    price: {
      changeExternally: (request) => {
        lineOf(request).currentPriceMinor = Math.round((PRICES[request.choice] ?? 0) * 100);
      },
      ask: (request) =>
        `subscriptionContractProductChange(${named(request)}, lineId: "${gid('SubscriptionLine', lineOf(request).id)}", input: { currentPrice: "${PRICES[request.choice]}" })`,
      isStores: true,
    },
    'delivery price': {
      changeExternally: ({ contract, choice }) => {
        contract.content.deliveryPriceMinor = [490, 0, 750][choice] ?? 0;
      },
      ask: (request) => deliver(request, 'standard'),
    },
    address: {
      changeExternally: ({ contract, choice }) => {
        const { deliveryMethod: method } = contract.content;
        if (method?.kind === 'shipping') method.address.address1 = STREETS[choice] ?? '';
      },
      ask: (request) => deliver(request, 'express'),
    },
    card: {
      changeExternally: (request) => {
        request.contract.content.paymentMethodId = cardOf(request, firstCard);
      },
      ask: (request) =>
        `subscriptionContractPaymentMethodUpdate(${own(request)}, paymentMethodId: "${gid('CustomerPaymentMethod', cardOf(request, firstCard))}")`,
    },
    'next date': {
      changeExternally: (request) => {
        request.contract.content.nextBillingDate = nextDate(request);
      },
      ask: (request) =>
        `subscriptionContractSetNextBillingDate(${own(request)}, date: "${nextDate(request)}")`,
      isStores: true,
    },
    discount: {
      changeExternally: ({ contract: { content } }) => {
        if (content.discounts.every(({ id }) => id !== GOODWILL.id)) content.discounts.push({ ...GOODWILL });
      },
      ask: (request) => `subscriptionContractDiscountCodeApply(${own(request)}, redeemCode: "${CODE}")`,
    },
    'no discount': {
      changeExternally: ({ contract: { content } }) => {
        content.discounts = content.discounts.slice(1);
      },
      ask: (request) => {
        const [one = GOODWILL] = request.contract.content.discounts;
        const type = one.type === 'MANUAL' ? 'SubscriptionManualDiscount' : 'SubscriptionAppliedCodeDiscount';
        return `subscriptionContractDiscountRemove(${own(request)}, discountId: "${gid(type, one.id)}")`;
      },
    },
  } as const satisfies Readonly<Record<string, Kind>>;
}

function deliver(request: ChangeRequest, option: string): string {
  const to = `{ shipping: { firstName: "Ada", lastName: "Brewer", address1: "${STREETS[request.choice]}", city: "Bangor", countryCode: US, provinceCode: "ME", zip: "04401" } }`;
  return `subscriptionContractDeliveryUpdate(${own(request)}, deliveryMethod: ${to}, optionCode: "${option}")`;
}

export type ChangeName = keyof ReturnType<typeof changeKinds>;
