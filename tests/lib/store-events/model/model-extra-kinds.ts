/** Changes of objects other than the contract: its charges, the cards that pay it, and new contracts. */
import type { AdminContext } from '../../../../sandbox/platform/admin/context.ts';
import { createAttempt } from '../../../../sandbox/platform/admin/resolvers/billing/charges.ts';
import { createDraft } from '../../../../sandbox/platform/admin/resolvers/drafts/draft-lookup.ts';
import { findCycleByIndex } from '../../../../sandbox/platform/state/billing-cycles.ts';
import type { ContractRecord } from '../../../../sandbox/platform/state/contract-records.ts';
import { formatIsoInstant } from '../../../../sandbox/platform/state/instant.ts';
import type { StoreState } from '../../../../sandbox/platform/state/state.ts';
import { gid } from '../../../contract/world/operation-world.ts';

/** `choice`: an order from the first that is watched on, or one of three values. */
export type ChangeRequest = {
  readonly contract: ContractRecord;
  readonly choice: number;
  readonly first: number;
  readonly nowMs: number;
  readonly store: StoreState;
};
export type Kind = {
  /** Undefined if no other app makes this change. */
  readonly changeExternally?: (request: ChangeRequest) => void;
  /** Returns the root field with its arguments. Undefined if the service does not make this change. */
  readonly ask?: (request: ChangeRequest) => string;
  /** Customers may not. */
  readonly isStores?: true;
};

const DAY_MS = 86_400_000;
/** The first order that is watched comes so many after the one that runs. */
export const ORDERS_AHEAD = 5;
/** The customer has these beside the first. */
export const CARDS = ['a5ca1ab1e0ddba11', 'b5ca1ab1e0ddba12'];
export const DECAF = 810_100_201;

export const named = ({ contract }: ChangeRequest) =>
  `subscriptionContractId: "${gid('SubscriptionContract', contract.id)}"`;

const methodOf = ({ store, contract }: ChangeRequest) =>
  store.paymentMethods.get(contract.content.paymentMethodId ?? '');

/** Orders of the past that were never paid: see `createModelWorld`. */
const overdueOf = ({ first, choice }: ChangeRequest) => first - ORDERS_AHEAD - 1 - choice;

/** As the platform does it for any app, and its own merchant. */
function chargeExternally(request: ChangeRequest): void {
  const { contract, store, nowMs } = request;
  const cycle = findCycleByIndex(contract, overdueOf(request));
  const { status } = contract.content;
  if (cycle === null || cycle.billed || (status !== 'ACTIVE' && status !== 'FAILED')) return;
  const context = { store, nowMs } as AdminContext;
  const idempotencyKey = `elsewhere-${store.attempts.size}`;
  createAttempt(cycle, { idempotencyKey, inventoryPolicy: 'ALLOW_OVERSELLING' }, context);
}

/** A draft that the store's server has opened and changed, and not committed yet. */
function openDraft({ contract, store, nowMs, choice }: ChangeRequest): number {
  const context = { store, nowMs } as AdminContext;
  const { id, content } = createDraft(context, contract.content, { contract, cycleIndex: null });
  for (const line of content.lines) line.quantity = choice + 2;
  content.deliveryPriceMinor += 100 * choice;
  content.note = ['ring', '', 'leave it'][choice] ?? '';
  return id;
}

export const extraKinds = {
  draft: {
    ask: (request) => `subscriptionDraftCommit(draftId: "${gid('SubscriptionDraft', openDraft(request))}")`,
    isStores: true,
  },
  charge: {
    changeExternally: (request) => chargeExternally(request),
    ask: (request) =>
      `subscriptionBillingCycleCharge(${named(request)}, billingCycleSelector: { index: ${overdueOf(request)} })`,
    isStores: true,
  },
  bank: {
    changeExternally: (request) => {
      const method = methodOf(request);
      if (method)
        method.instrument.declines = [null, 'CARD_DECLINED', 'ACTION_REQUIRED'][request.choice] ?? null;
    },
  },
  'new card': {
    changeExternally: (request) => {
      const { instrument } = methodOf(request) ?? {};
      if (instrument?.__typename === 'CustomerCreditCard') instrument.lastDigits = `222${request.choice}`;
    },
  },
  'revoke card': {
    changeExternally: ({ store, nowMs, choice }) => {
      const method = store.paymentMethods.get(CARDS.at(-1) ?? '');
      if (method && choice === 0) method.revokedAt ??= formatIsoInstant(nowMs);
    },
  },
  contract: {
    changeExternally: ({ contract, store, nowMs }) => {
      const id = 9_900_000 + store.contracts.size;
      const createdAt = formatIsoInstant(nowMs);
      const schedule = contract.schedule.slice(0, 1).map((one) => ({ ...one, startAt: createdAt }));
      const fresh = { id, createdAt, updatedAt: createdAt, schedule, billedCycles: [], cycleEdits: {} };
      store.contracts.set(id, { ...structuredClone(contract), ...fresh, originOrderId: null });
    },
    ask: ({ nowMs }) => {
      const line = `{ productVariantId: "${gid('ProductVariant', DECAF)}", quantity: 1, currentPrice: 11 }`;
      const address = '{ address1: "8 Wharf Street", city: "Portland", countryCode: US }';
      const frequency = '{ interval: MONTH, intervalCount: 1 }';
      return `subscriptionContractAtomicCreate(input: { customerId: "${gid('Customer', 7_001_001)}", currencyCode: USD,
          nextBillingDate: "${formatIsoInstant(nowMs + 30 * DAY_MS)}", lines: [{ line: ${line} }], contract: { billingPolicy: ${frequency},
          deliveryPolicy: ${frequency}, deliveryMethod: { shipping: { address: ${address} } } } })`;
    },
    isStores: true,
  },
} as const satisfies Readonly<Record<string, Kind>>;
