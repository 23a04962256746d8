/**
 * Adds a line to a contract. A repeated request would add a second line, so a variant is refused if the contract
 * already has it with the same plan; the client can increase that line's quantity. A customer cannot increase a free
 * line, so buying a product that is also on a free line adds a separate line.
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
  readonly path: readonly (string | number)[];
};
type AddedLinePayload = { readonly lineAdded: { readonly id: string } | null };

/** The fact that the intent records. The line has no id before the draft is changed. */
const LINES_CHANGED_FACT: FactChange = {
  coordinate: 'SubscriptionContract.lines',
  field: 'lines',
  before: null,
  after: null,
};

/** Returns the edit that adds the line, or the user error why the variant cannot be added. */
export function planLineAddition(
  state: LinesState,
  { request, path, ...input }: LineAdditionRequest,
): LineEditOrError {
  const { productVariantId, quantity, sellingPlanId = null } = input;
  const incomingVariant = resolveIncomingVariant(state, { productVariantId, sellingPlanId, path });
  if (isVariantRefused(incomingVariant)) return incomingVariant;
  const lineToIncrease = findLineToIncrease(state, input, { request, incoming: incomingVariant });
  if (lineToIncrease !== undefined) {
    const fieldAndMessage = {
      field: [...path, 'productVariantId'],
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
      toClientField: (field) => toClientLinePath(path, field),
      refusals: lineErrorConverters(quantity),
    },
    facts: [LINES_CHANGED_FACT],
    factsBy: (payload) =>
      listAdditionFacts(state, input, { incoming: incomingVariant, payload: payload as AddedLinePayload }),
    isDone: ({ contract }) =>
      contract.lines.nodes.some(
        (line) =>
          line.variantId === productVariantId &&
          line.quantity === quantity &&
          !linesBefore.some(({ id }) => id === line.id),
      ),
  };
}

type VariantToAdd = { readonly request: LinesRequest; readonly incoming: IncomingVariant };

/**
 * Returns the line that already has the variant with this plan. Ignores lines that the request removes, and lines that
 * the store gives or discounts.
 */
function findLineToIncrease(
  state: LinesState,
  { productVariantId }: LineAddition,
  { request, incoming }: VariantToAdd,
): ContractLine | undefined {
  return state.contract.lines.nodes.find((line) => {
    const { id, variantId, sellingPlanId } = line;
    const lineChange = request.update.find(({ lineId }) => lineId === id);
    const staysWith = lineChange?.productVariantId ?? variantId;
    const isSameOffer = staysWith === productVariantId && sellingPlanId === incoming.plan.id;
    return isSameOffer && !request.remove.includes(id) && !isGiftedLine(state, line, incoming);
  });
}

/**
 * Whether the store gives the line, or discounts it by hand, and the added line has a price. Then the addition is a
 * separate line, which a repeated request finds.
 */
function isGiftedLine(
  state: LinesState,
  { id, currentPrice }: ContractLine,
  { price }: IncomingVariant,
): boolean {
  const isFreeLine = Number(currentPrice.amount) === 0 && Number(price.currentPrice) > 0;
  return isFreeLine || findActiveDiscountOfLine(state, id) !== undefined;
}

type LineAdditionOutcome = { readonly incoming: IncomingVariant; readonly payload: AddedLinePayload };

function listAdditionFacts(
  { contract }: LinesState,
  { productVariantId, quantity }: LineAddition,
  { incoming, payload }: LineAdditionOutcome,
): readonly FactChange[] {
  const id = payload.lineAdded?.id;
  if (id === undefined) return [LINES_CHANGED_FACT];
  const price = { amount: incoming.price.currentPrice, currencyCode: contract.currencyCode };
  return [
    createLineFact(id, 'quantity', {
      before: null,
      after: String(quantity),
      names: { before: null, after: incoming.name },
    }),
    createLineFact(id, 'variantId', { before: null, after: productVariantId }),
    createLineFact(id, 'currentPrice', { before: null, after: toMoneyText(price) }),
    createLineFact(id, 'sellingPlanId', { before: null, after: incoming.plan.id }),
  ];
}
