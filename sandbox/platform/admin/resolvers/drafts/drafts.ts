/** Reads drafts, and opens them for a contract, for one of its cycles, or for a new contract. */
import { findCycleByIndex } from '../../../state/billing-cycles.ts';
import type { ContractContent, DiscountRecord, DraftRecord } from '../../../state/contract-records.ts';
import { type AdminContext, type ResolverMap, typeResolvers } from '../../context.ts';
import { formatGid, requireGidNumber } from '../../gid.ts';
import type { ConnectionArgs } from '../../lists/connections.ts';
import { createConnection } from '../../lists/connections.ts';
import { toMoneyV2 } from '../../money.ts';
import { createUserErrorPayload } from '../../user-error.ts';
import { type CycleInput, isSelectedCycle, selectCycle } from '../billing/billing-cycles.ts';
import { isTerminated } from '../contracts/contract-changes.ts';
import { createContentResolvers } from '../contracts/contract-content.ts';
import { toDraftDiscountView } from '../contracts/discount-view.ts';
import { createDiscountsPage } from '../contracts/discounts.ts';
import { createLinesPage } from '../contracts/lines.ts';
import { resolveDeliveryOptions, resolveShippingOptions } from '../delivery/resolve-delivery-options.ts';
import { createDraft } from './draft-lookup.ts';
import { applyDraftInput, type DraftInput } from './draft-update.ts';

function resolveContractUpdate(
  _parent: unknown,
  { contractId }: { contractId: string },
  context: AdminContext,
) {
  const contract = context.store.contracts.get(requireGidNumber(contractId, 'SubscriptionContract'));
  if (contract === undefined)
    return createUserErrorPayload(['contractId'], 'Subscription contract does not exist', 'INVALID');
  if (isTerminated(contract)) {
    return createUserErrorPayload(['contractId'], 'Contract cannot be updated once terminated', 'INVALID');
  }
  return { draft: createDraft(context, contract.content, { contract, cycleIndex: null }) };
}

function resolveCycleContractEdit(
  _parent: unknown,
  { billingCycleInput }: { billingCycleInput: CycleInput },
  context: AdminContext,
) {
  const { contractId, selector } = billingCycleInput;
  const contract = context.store.contracts.get(requireGidNumber(contractId, 'SubscriptionContract'));
  const fieldPath = ['billingCycleInput', 'contractId'];
  if (contract === undefined)
    return createUserErrorPayload(fieldPath, 'Subscription contract does not exist', 'INVALID');
  if (isTerminated(contract))
    return createUserErrorPayload(fieldPath, 'Contract cannot be updated once terminated', 'INVALID');
  const cycleSelection = selectCycle(contract, selector, context.nowMs);
  if (!isSelectedCycle(cycleSelection))
    return createUserErrorPayload(
      ['billingCycleInput', 'selector'],
      cycleSelection.message,
      toDraftErrorCode(cycleSelection.code),
    );
  if (cycleSelection.billed || cycleSelection.endMs < context.nowMs) {
    return createUserErrorPayload(
      ['billingCycleInput', 'selector'],
      'Billing cycle is billed or over',
      'INVALID',
    );
  }
  const content = contract.cycleEdits[cycleSelection.index]?.contract?.content ?? contract.content;
  return { draft: createDraft(context, content, { contract, cycleIndex: cycleSelection.index }) };
}

/** Converts the error code of a cycle, because drafts have fewer codes. */
function toDraftErrorCode(code: string): string {
  const sharedCodes = [
    'CYCLE_INDEX_OUT_OF_RANGE',
    'CYCLE_START_DATE_OUT_OF_RANGE',
    'UPCOMING_CYCLE_LIMIT_EXCEEDED',
  ];
  return sharedCodes.includes(code) ? code : 'CYCLE_SELECTOR_VALIDATE_ONE_OF';
}

export type CreateContractInput = {
  contract: DraftInput;
  currencyCode: string;
  customerId: string;
  nextBillingDate: string;
};

/** Opens a draft for a new contract, or returns the user errors. */
export function openDraftOfNewContract(input: CreateContractInput, context: AdminContext) {
  const { store } = context;
  const customer = store.customers.get(requireGidNumber(input.customerId, 'Customer'));
  if (customer === undefined)
    return createUserErrorPayload(
      ['input', 'customerId'],
      'Customer does not exist',
      'CUSTOMER_DOES_NOT_EXIST',
    );
  if (!store.presentmentCurrencies.includes(input.currencyCode)) {
    return createUserErrorPayload(
      ['input', 'currencyCode'],
      'Currency is not enabled',
      'CURRENCY_NOT_ENABLED',
    );
  }
  for (const name of ['billingPolicy', 'deliveryPolicy'] as const) {
    if (input.contract[name] == null)
      return createUserErrorPayload(['input', 'contract', name], `${name} can't be blank`, 'PRESENCE');
  }
  const contractContent: ContractContent = {
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
  const inputProblem = applyDraftInput(
    contractContent,
    { ...input.contract, nextBillingDate: input.nextBillingDate },
    context,
  );
  if (inputProblem !== null) return { userErrors: [inputProblem] };
  return { draft: createDraft(context, contractContent, { contract: null, cycleIndex: null }) };
}

function listAddedDiscounts(draft: DraftRecord): DiscountRecord[] {
  return draft.content.discounts.filter(
    ({ id }) => !draft.previousDiscount?.discounts.some((discount) => discount.id === id),
  );
}

function listUpdatedDiscounts(draft: DraftRecord): DiscountRecord[] {
  return draft.content.discounts.filter((discount) => {
    const discountBefore = draft.previousDiscount?.discounts.find(({ id }) => id === discount.id);
    return discountBefore !== undefined && JSON.stringify(discountBefore) !== JSON.stringify(discount);
  });
}

function createDiscountsResolver(listDiscounts: (draft: DraftRecord) => DiscountRecord[]) {
  return (draft: DraftRecord, args: ConnectionArgs) =>
    createDiscountsPage(
      { discounts: listDiscounts(draft), content: draft.content, view: toDraftDiscountView },
      args,
    );
}

export const draftResolvers: ResolverMap = {
  QueryRoot: {
    subscriptionDraft: (_parent: unknown, { id }: { id: string }, { store }) =>
      store.drafts.get(requireGidNumber(id, 'SubscriptionDraft')) ?? null,
  },
  Mutation: {
    subscriptionBillingCycleContractEdit: resolveCycleContractEdit,
    subscriptionContractCreate: (_parent: unknown, { input }: { input: CreateContractInput }, context) =>
      openDraftOfNewContract(input, context),
    subscriptionContractUpdate: resolveContractUpdate,
  },
  SubscriptionDraft: {
    ...createContentResolvers<DraftRecord>(({ content }) => content),
    ...typeResolvers<DraftRecord>({
      id: ({ id }) => formatGid('SubscriptionDraft', id),
      billingCycle: ({ contractId, cycleIndex }, _args, { store }) => {
        const contract = store.contracts.get(contractId ?? 0);
        return contract === undefined || cycleIndex === null ? null : findCycleByIndex(contract, cycleIndex);
      },
      billingPolicy: ({ content }) => content.billingPolicy,
      concatenatedBillingCycles: ({ concatenated }, args: ConnectionArgs, { store }) => {
        const cycles = concatenated.flatMap(({ contractId, cycleIndex }) => {
          const contract = store.contracts.get(contractId);
          return contract === undefined ? [] : (findCycleByIndex(contract, cycleIndex) ?? []);
        });
        return createConnection(cycles, args, (cycle) => `${cycle.contract.id}/${cycle.index}`);
      },
      deliveryOptions: resolveDeliveryOptions,
      deliveryPolicy: ({ content }) => content.deliveryPolicy,
      deliveryPrice: ({ content }) => toMoneyV2(content.deliveryPriceMinor, content.currencyCode),
      discounts: createDiscountsResolver(({ content }) => content.discounts),
      discountsAdded: createDiscountsResolver(listAddedDiscounts),
      discountsRemoved: createDiscountsResolver(({ discountsRemoved }) => discountsRemoved),
      discountsUpdated: createDiscountsResolver(listUpdatedDiscounts),
      linesAdded: ({ content, previousDiscount }, args: ConnectionArgs) => {
        const addedLines = content.lines.filter(
          ({ id }) => !previousDiscount?.lines.some((line) => line.id === id),
        );
        return createLinesPage(addedLines, content, args);
      },
      linesRemoved: ({ content, linesRemoved }, args: ConnectionArgs) =>
        createLinesPage(linesRemoved, content, args),
      nextBillingDate: ({ content }) => content.nextBillingDate,
      originalContract: ({ contractId }, _args, { store }) => store.contracts.get(contractId ?? 0) ?? null,
      shippingOptions: resolveShippingOptions,
      status: ({ content }) => content.status,
    }),
  },
};
