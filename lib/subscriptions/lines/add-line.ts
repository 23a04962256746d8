/**
 * Adds a line. Adding is not idempotent: a second request would add a second line. Therefore a variant is refused if
 * the contract already has it with the same plan; the client can change that line's quantity. A free line's quantity
 * cannot grow, so a purchase of the same product becomes a separate line.
 */
import { message } from '../../messages/message.ts';
import {
  type ChangedFact,
  linePlanFact,
  linePriceFact,
  lineQuantityFact,
  lineVariantFact,
  moneyText,
} from '../../timeline/changed-fact.ts';
import { refuse } from '../operation-error.ts';
import { type Incoming, incomingLine, isRefused } from './incoming-line.ts';
import { blameLine, type EditOrError, lineRefusals, pricedInput } from './line-edit.ts';
import type { LineAddition, LinesRequest } from './lines-request.ts';
import type { ContractLine, LinesState } from './lines-state.ts';
import { activeDiscountOf } from './remove-emptied.ts';

type Addition = LineAddition & {
  readonly request: LinesRequest;
  readonly path: readonly (string | number)[];
};
type Added = { readonly lineAdded: { readonly id: string } | null };

/** The intent records only this much, because the line has no id yet. */
const LINES_CHANGED: ChangedFact = {
  coordinate: 'SubscriptionContract.lines',
  field: 'lines',
  before: null,
  after: null,
};

/** Returns the addition, or why the variant cannot be added. */
export function addLine(state: LinesState, { request, path, ...input }: Addition): EditOrError {
  const { productVariantId, quantity, sellingPlanId = null } = input;
  const incoming = incomingLine(state, { productVariantId, sellingPlanId, path });
  if (isRefused(incoming)) return incoming;
  const present = presentLine(state, input, { request, incoming });
  if (present !== undefined) {
    const fault = { field: [...path, 'productVariantId'], message: message('variantOnSubscription') };
    return refuse('INVALID', fault, { lineIds: [present.id] });
  }
  const { nodes: before } = state.contract.lines;
  return {
    mutation: {
      mutation: 'subscriptionDraftLineAdd',
      args: { input: ['SubscriptionLineInput!', { productVariantId, quantity, ...pricedInput(incoming) }] },
      selection: 'lineAdded { id }',
      blame: (field) => blameLine(path, field),
      refusals: lineRefusals(quantity),
    },
    facts: [LINES_CHANGED],
    factsBy: (payload) => factsOf(state, input, { incoming, payload: payload as Added }),
    isDone: ({ contract }) =>
      contract.lines.nodes.some(
        (line) =>
          line.variantId === productVariantId &&
          line.quantity === quantity &&
          !before.some(({ id }) => id === line.id),
      ),
  };
}

type InPlace = { readonly request: LinesRequest; readonly incoming: Incoming };

/** Finds the unchanged line that has the variant with this plan and is no gift. */
function presentLine(
  state: LinesState,
  { productVariantId }: LineAddition,
  { request, incoming }: InPlace,
): ContractLine | undefined {
  return state.contract.lines.nodes.find((line) => {
    const { id, variantId, sellingPlanId } = line;
    const change = request.update.find(({ lineId }) => lineId === id);
    const staysWith = change?.productVariantId ?? variantId;
    const isPresent = staysWith === productVariantId && sellingPlanId === incoming.plan.id;
    return isPresent && !request.remove.includes(id) && !isGift(state, line, incoming);
  });
}

/**
 * Whether the store gives the line or a part of its price, and the added line has a price: a retry finds that line.
 */
function isGift(state: LinesState, { id, currentPrice }: ContractLine, { price }: Incoming): boolean {
  const isFree = Number(currentPrice.amount) === 0 && Number(price.currentPrice) > 0;
  return isFree || activeDiscountOf(state, id) !== undefined;
}

type Outcome = { readonly incoming: Incoming; readonly payload: Added };

function factsOf(
  { contract }: LinesState,
  { productVariantId, quantity }: LineAddition,
  { incoming, payload }: Outcome,
): readonly ChangedFact[] {
  const id = payload.lineAdded?.id;
  if (id === undefined) return [LINES_CHANGED];
  const price = { amount: incoming.price.currentPrice, currencyCode: contract.currencyCode };
  return [
    lineQuantityFact(id, { before: null, after: String(quantity) }, { before: null, after: incoming.name }),
    lineVariantFact(id, { before: null, after: productVariantId }),
    linePriceFact(id, { before: null, after: moneyText(price) }),
    linePlanFact(id, { before: null, after: incoming.plan.id }),
  ];
}
