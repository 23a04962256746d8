/** Drafts: reading one, and opening one on a contract, on one cycle of it, or for a contract yet to be made. */
import { cycleByIndex } from '../../../state/billing-cycles.ts';
import type { ContractContent, DiscountRecord, DraftRecord } from '../../../state/contract-records.ts';
import { type AdminContext, fieldsOf, type ResolverMap } from '../../context.ts';
import { gid, numberOf } from '../../gid.ts';
import type { ConnectionArgs } from '../../lists/connections.ts';
import { connectionOf } from '../../lists/connections.ts';
import { moneyV2 } from '../../money.ts';
import { userErrorPayload } from '../../user-error.ts';
import { type CycleInput, isCycle, selectCycle } from '../billing/billing-cycles.ts';
import { isTerminated } from '../contracts/contract-changes.ts';
import { contentFields } from '../contracts/contract-content.ts';
import { draftDiscountView } from '../contracts/discount-view.ts';
import { discountsPage } from '../contracts/discounts.ts';
import { linesPage } from '../contracts/lines.ts';
import { deliveryOptions, shippingOptions } from '../delivery/delivery-options.ts';
import { newDraft } from './draft-lookup.ts';
import { type DraftInput, updateContent } from './draft-update.ts';

function contractUpdate(_parent: unknown, { contractId }: { contractId: string }, context: AdminContext) {
  const contract = context.store.contracts.get(numberOf(contractId, 'SubscriptionContract'));
  if (contract === undefined)
    return userErrorPayload(['contractId'], 'Subscription contract does not exist', 'INVALID');
  if (isTerminated(contract)) {
    return userErrorPayload(['contractId'], 'Contract cannot be updated once terminated', 'INVALID');
  }
  return { draft: newDraft(context, contract.content, { contract, cycleIndex: null }) };
}

function cycleContractEdit(
  _parent: unknown,
  { billingCycleInput }: { billingCycleInput: CycleInput },
  context: AdminContext,
) {
  const { contractId, selector } = billingCycleInput;
  const contract = context.store.contracts.get(numberOf(contractId, 'SubscriptionContract'));
  const field = ['billingCycleInput', 'contractId'];
  if (contract === undefined)
    return userErrorPayload(field, 'Subscription contract does not exist', 'INVALID');
  if (isTerminated(contract))
    return userErrorPayload(field, 'Contract cannot be updated once terminated', 'INVALID');
  const found = selectCycle(contract, selector, context.nowMs);
  if (!isCycle(found))
    return userErrorPayload(['billingCycleInput', 'selector'], found.message, draftCode(found.code));
  if (found.billed || found.endMs < context.nowMs) {
    return userErrorPayload(['billingCycleInput', 'selector'], 'Billing cycle is billed or over', 'INVALID');
  }
  const content = contract.cycleEdits[found.index]?.contract?.content ?? contract.content;
  return { draft: newDraft(context, content, { contract, cycleIndex: found.index }) };
}

/** Drafts know fewer codes than cycles. */
function draftCode(code: string): string {
  const shared = [
    'CYCLE_INDEX_OUT_OF_RANGE',
    'CYCLE_START_DATE_OUT_OF_RANGE',
    'UPCOMING_CYCLE_LIMIT_EXCEEDED',
  ];
  return shared.includes(code) ? code : 'CYCLE_SELECTOR_VALIDATE_ONE_OF';
}

export type CreateInput = {
  contract: DraftInput;
  currencyCode: string;
  customerId: string;
  nextBillingDate: string;
};

/** A draft for a new contract, or the user errors that refuse it. */
export function openNewContract(input: CreateInput, context: AdminContext) {
  const { store } = context;
  const customer = store.customers.get(numberOf(input.customerId, 'Customer'));
  if (customer === undefined)
    return userErrorPayload(['input', 'customerId'], 'Customer does not exist', 'CUSTOMER_DOES_NOT_EXIST');
  if (!store.presentmentCurrencies.includes(input.currencyCode)) {
    return userErrorPayload(['input', 'currencyCode'], 'Currency is not enabled', 'CURRENCY_NOT_ENABLED');
  }
  for (const name of ['billingPolicy', 'deliveryPolicy'] as const) {
    if (input.contract[name] == null)
      return userErrorPayload(['input', 'contract', name], `${name} can't be blank`, 'PRESENCE');
  }
  const content: ContractContent = {
    customerId: customer.id,
    paymentMethodId: null,
    currencyCode: input.currencyCode,
    status: 'ACTIVE',
    nextBillingDate: null,
    billingPolicy: { interval: 'MONTH', intervalCount: 1, anchors: [], minCycles: null, maxCycles: null },
    deliveryPolicy: { interval: 'MONTH', intervalCount: 1, anchors: [] },
    deliveryMethod: null,
    deliveryPriceMinor: 0,
    note: null,
    customAttributes: [],
    lines: [],
    discounts: [],
  };
  const problem = updateContent(
    content,
    { ...input.contract, nextBillingDate: input.nextBillingDate },
    context,
  );
  if (problem !== null) return { userErrors: [problem] };
  return { draft: newDraft(context, content, { contract: null, cycleIndex: null }) };
}

function addedDiscounts(draft: DraftRecord): DiscountRecord[] {
  return draft.content.discounts.filter(
    ({ id }) => !draft.before?.discounts.some((before) => before.id === id),
  );
}

function updatedDiscounts(draft: DraftRecord): DiscountRecord[] {
  return draft.content.discounts.filter((discount) => {
    const before = draft.before?.discounts.find(({ id }) => id === discount.id);
    return before !== undefined && JSON.stringify(before) !== JSON.stringify(discount);
  });
}

function createDiscountsResolver(listed: (draft: DraftRecord) => DiscountRecord[]) {
  return (draft: DraftRecord, args: ConnectionArgs) =>
    discountsPage({ discounts: listed(draft), content: draft.content, view: draftDiscountView }, args);
}

export const draftResolvers: ResolverMap = {
  QueryRoot: {
    subscriptionDraft: (_parent: unknown, { id }: { id: string }, { store }) =>
      store.drafts.get(numberOf(id, 'SubscriptionDraft')) ?? null,
  },
  Mutation: {
    subscriptionBillingCycleContractEdit: cycleContractEdit,
    subscriptionContractCreate: (_parent: unknown, { input }: { input: CreateInput }, context) =>
      openNewContract(input, context),
    subscriptionContractUpdate: contractUpdate,
  },
  SubscriptionDraft: {
    ...contentFields<DraftRecord>(({ content }) => content),
    ...fieldsOf<DraftRecord>({
      id: ({ id }) => gid('SubscriptionDraft', id),
      billingCycle: ({ contractId, cycleIndex }, _args, { store }) => {
        const contract = store.contracts.get(contractId ?? 0);
        return contract === undefined || cycleIndex === null ? null : cycleByIndex(contract, cycleIndex);
      },
      billingPolicy: ({ content }) => content.billingPolicy,
      concatenatedBillingCycles: ({ concatenated }, args: ConnectionArgs, { store }) => {
        const cycles = concatenated.flatMap(({ contractId, cycleIndex }) => {
          const contract = store.contracts.get(contractId);
          return contract === undefined ? [] : (cycleByIndex(contract, cycleIndex) ?? []);
        });
        return connectionOf(cycles, args, (cycle) => `${cycle.contract.id}/${cycle.index}`);
      },
      deliveryOptions,
      deliveryPolicy: ({ content }) => content.deliveryPolicy,
      deliveryPrice: ({ content }) => moneyV2(content.deliveryPriceMinor, content.currencyCode),
      discounts: createDiscountsResolver(({ content }) => content.discounts),
      discountsAdded: createDiscountsResolver(addedDiscounts),
      discountsRemoved: createDiscountsResolver(({ discountsRemoved }) => discountsRemoved),
      discountsUpdated: createDiscountsResolver(updatedDiscounts),
      linesAdded: ({ content, before }, args: ConnectionArgs) => {
        const lines = content.lines.filter(({ id }) => !before?.lines.some((line) => line.id === id));
        return linesPage(lines, content, args);
      },
      linesRemoved: ({ content, linesRemoved }, args: ConnectionArgs) =>
        linesPage(linesRemoved, content, args),
      nextBillingDate: ({ content }) => content.nextBillingDate,
      originalContract: ({ contractId }, _args, { store }) => store.contracts.get(contractId ?? 0) ?? null,
      shippingOptions,
      status: ({ content }) => content.status,
    }),
  },
};
