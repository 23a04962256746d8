/**
 * Adds, changes and removes lines of a contract in one commit. Quantities are absolute. Unchanged lines keep their
 * price, and added variants get the price of their plan for the contract's next order. A manual discount is removed
 * with its last line.
 */
import { planDeliveryPriceAdjustment } from '../delivery/delivery-price-adjustment.ts';
import { decideDraft } from '../draft/decide-draft.ts';
import type { DraftDecision } from '../draft/draft-operation.ts';
import type { Operation, OperationDeps, OperationRequest } from '../operation.ts';
import type { LineEdit } from './line-edit.ts';
import {
  EMPTY_LINES_REQUEST,
  type LinesRequest,
  listLinesRequestErrors,
  toLinesRequest,
} from './lines-request.ts';
import { buildLinesReads, type LinesState } from './lines-state.ts';
import { listDiscountedLineGrowthErrors } from './list-discounted-line-growth-errors.ts';
import { planLineEdits } from './plan-line-edits.ts';

/**
 * Returns the contract, or userErrors. All errors are returned, not only the first: CURRENCY_NOT_SUPPORTED,
 * EMPTY_CONTRACT, LINE_NOT_FOUND, QUANTITY_INVALID, VARIANT_NOT_AVAILABLE and INVALID. Other userErrors are
 * DELIVERY_OPTION_REQUIRED with `deliveryOptions`, and those of a draft. Sends four platform requests, two if no line
 * changes. For a customer it sends one more per poll for delivery options, before and after the change, and one more
 * if the delivery price changes.
 */
export const updateLines: Operation = (deps, request) => {
  const linesRequest = toLinesRequest(request.args);
  const hasErrors = listLinesRequestErrors(linesRequest).length > 0;
  const isCustomer = deps.actingCustomerId !== undefined;
  return decideDraft<LinesState>(deps, request, {
    contractArgument: 'contractId',
    reads: buildLinesReads(hasErrors ? EMPTY_LINES_REQUEST : linesRequest, { nowMs: deps.now(), isCustomer }),
    decide: (state) => decideLinesUpdate({ deps, request, linesRequest }, state),
  });
};

type LinesUpdateCase = {
  readonly deps: OperationDeps;
  readonly request: OperationRequest;
  readonly linesRequest: LinesRequest;
};

function decideLinesUpdate(
  { deps, request, linesRequest }: LinesUpdateCase,
  state: LinesState,
): DraftDecision<LinesState> {
  const isCustomer = deps.actingCustomerId !== undefined;
  const requestErrors = listLinesRequestErrors(linesRequest);
  if (requestErrors.length > 0) return { kind: 'refused', userErrors: requestErrors };
  const { edits, errors } = planLineEdits(state, linesRequest);
  if (errors.length > 0) return { kind: 'refused', userErrors: errors };
  const growthErrors = isCustomer ? listDiscountedLineGrowthErrors(state, edits) : [];
  if (growthErrors.length > 0) return { kind: 'refused', userErrors: growthErrors };
  if (edits.length === 0) return { kind: 'unchanged' };
  const addsGoods = linesRequest.add.length > 0 || edits.some(({ growth }) => growth !== undefined);
  const deliverySteps = isCustomer ? planDeliveryOfLines({ deps, request, addsGoods }, state) : undefined;
  return {
    kind: 'change',
    intent: { action: 'subscription_lines_updated', details: {}, changes: listIntentFacts(edits) },
    ...(deliverySteps && { openingSelection: deliverySteps.opening, followUp: deliverySteps.followUp }),
    mutations: async (openedDraft) => {
      await deliverySteps?.readOptionsBefore(openedDraft);
      return { kind: 'prepared', mutations: edits.map(({ mutation }) => mutation) };
    },
    factsOfPayloads: (payloads) =>
      edits.flatMap(({ facts, factsOfPayload }, index) => factsOfPayload?.(payloads[index] ?? {}) ?? facts),
    discounts: state.contract.discounts?.nodes ?? [],
    showsChange: (currentState) =>
      edits.every((edit) => edit.showsEdit(currentState)) &&
      (deliverySteps?.showsAdjustment(currentState.contract) ?? true),
  };
}

type LinesDeliveryCase = Pick<LinesUpdateCase, 'deps' | 'request'> & { readonly addsGoods: boolean };

function planDeliveryOfLines(
  { deps, request: { args }, addsGoods }: LinesDeliveryCase,
  { contract }: LinesState,
) {
  const optionCode = typeof args.optionCode === 'string' ? args.optionCode : undefined;
  return planDeliveryPriceAdjustment(deps, {
    contract,
    frequenciesAfter: contract,
    field: null,
    choice: { optionCode },
    addsGoods,
  });
}

/**
 * Returns the facts of the intent without duplicates: all added lines share one fact, because they have no ids yet.
 */
function listIntentFacts(edits: readonly LineEdit[]) {
  const facts = edits.flatMap((edit) => edit.facts);
  return facts.filter((fact, index) => facts.findIndex(({ field }) => field === fact.field) === index);
}
