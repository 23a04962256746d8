/**
 * Adds a line to a contract. A repeated request would add a second line. Therefore a variant is refused if the
 * contract already has it with the same plan; the client can increase that line's quantity instead. A customer cannot
 * increase a free line, so buying a product that is also on a free line adds a separate line.
 */
import { message } from '../../messages/message.ts';
import { createLineFact, type FactChange, toMoneyText } from '../../timeline/facts.ts';
import { createUserError } from '../operation-error.ts';
import { type IncomingVariant, isVariantRefused, resolveIncomingVariant } from './incoming-variant.ts';
import {
  type LineEditOrError,
  lineErrorConverters,
  toClientLinePath,
  toPricedLineInput,
} from './line-edit.ts';
import type { LineAddition, LinesRequest } from './lines-request.ts';
import type { ContractLine, LinesState } from './lines-state.ts';
import { findActiveDiscountOfLine } from './plan-discount-removals.ts';

type LineAdditionRequest = LineAddition & {
  readonly request: LinesRequest;
  readonly entryPath: readonly (string | number)[];
};
type AddedLinePayload = { readonly lineAdded: { readonly id: string } | null };

/** The fact that the intent records. It names no line, because a line gets its id only when the draft is changed. */
const LINES_CHANGED_FACT: FactChange = {
  coordinate: 'SubscriptionContract.lines',
  field: 'lines',
  before: null,
  after: null,
};

/** Returns the edit that adds the line, or the user error why the variant cannot be added. */
export function planLineAddition(
  state: LinesState,
  { request, entryPath, ...input }: LineAdditionRequest,
): LineEditOrError {
  const { productVariantId, quantity, sellingPlanId = null } = input;
  const incomingVariant = resolveIncomingVariant(state, { productVariantId, sellingPlanId, entryPath });
  if (isVariantRefused(incomingVariant)) return incomingVariant;
  const lineToIncrease = findLineToIncrease(state, input, { request, incomingVariant });
  if (lineToIncrease !== undefined) {
    const fieldAndMessage = {
      field: [...entryPath, 'productVariantId'],
      message: message('variantOnSubscription'),
    };
    return createUserError('INVALID', fieldAndMessage, { lineIds: [lineToIncrease.id] });
  }
  const { nodes: linesBefore } = state.contract.lines;
  return {
    mutation: {
      mutation: 'subscriptionDraftLineAdd',
      args: {
        input: [
          'SubscriptionLineInput!',
          { productVariantId, quantity, ...toPricedLineInput(incomingVariant) },
        ],
      },
      selection: 'lineAdded { id }',
      toClientField: (field) => toClientLinePath(entryPath, field),
      errorConverters: lineErrorConverters(quantity),
    },
    facts: [LINES_CHANGED_FACT],
    factsOfPayload: (payload) =>
      listAdditionFacts(state, input, { incomingVariant, payload: payload as AddedLinePayload }),
    showsEdit: ({ contract }) =>
      contract.lines.nodes.some(
        (line) =>
          line.variantId === productVariantId &&
          line.quantity === quantity &&
          !linesBefore.some(({ id }) => id === line.id),
      ),
  };
}

type VariantToAdd = { readonly request: LinesRequest; readonly incomingVariant: IncomingVariant };

/**
 * Returns the line that already has the variant with the same plan, so that its quantity should be increased instead.
 * Ignores lines that the request removes, and lines that the store gives away or discounts by hand.
 */
function findLineToIncrease(
  state: LinesState,
  { productVariantId }: LineAddition,
  { request, incomingVariant }: VariantToAdd,
): ContractLine | undefined {
  return state.contract.lines.nodes.find((line) => {
    const { id, variantId, sellingPlanId } = line;
    const lineChange = request.update.find(({ lineId }) => lineId === id);
    const variantIdAfter = lineChange?.productVariantId ?? variantId;
    const isSameOffer = variantIdAfter === productVariantId && sellingPlanId === incomingVariant.plan.id;
    return isSameOffer && !request.remove.includes(id) && !isGiftedLine(state, line, incomingVariant);
  });
}

/**
 * Whether the store gives the line away while the added line has a price, or has a manual discount on the line. Then
 * the addition is a separate line; a repeated request finds that line.
 */
function isGiftedLine(
  state: LinesState,
  { id, currentPrice }: ContractLine,
  { price }: IncomingVariant,
): boolean {
  const isFreeLine = Number(currentPrice.amount) === 0 && Number(price.currentPrice) > 0;
  return isFreeLine || findActiveDiscountOfLine(state, id) !== undefined;
}

type LineAdditionOutcome = { readonly incomingVariant: IncomingVariant; readonly payload: AddedLinePayload };

function listAdditionFacts(
  { contract }: LinesState,
  { productVariantId, quantity }: LineAddition,
  { incomingVariant, payload }: LineAdditionOutcome,
): readonly FactChange[] {
  const id = payload.lineAdded?.id;
  if (id === undefined) return [LINES_CHANGED_FACT];
  const price = { amount: incomingVariant.price.currentPrice, currencyCode: contract.currencyCode };
  return [
    createLineFact(id, 'quantity', {
      before: null,
      after: String(quantity),
      names: { before: null, after: incomingVariant.name },
    }),
    createLineFact(id, 'variantId', { before: null, after: productVariantId }),
    createLineFact(id, 'currentPrice', { before: null, after: toMoneyText(price) }),
    createLineFact(id, 'sellingPlanId', { before: null, after: incomingVariant.plan.id }),
  ];
}
