/**
 * An added line comes in. Adding is not absolute: sent twice it would add twice. So a variant that the contract has
 * under the same plan already is refused; its line's quantity is what to change.
 */
import {
  type ChangedFact,
  linePriceFact,
  lineQuantityFact,
  lineVariantFact,
  moneyText,
} from '../../timeline/changed-fact.ts';
import { type Incoming, incomingLine, isRefused } from './incoming-line.ts';
import { blameLine, type EditOrError, LINE_CODES, pricedInput } from './line-edit.ts';
import { errorAt, type LineAddition, type LinesRequest } from './lines-request.ts';
import { DISCOUNTED_PRICE, type LinesState } from './lines-state.ts';
import { growthOf } from './refuse-gifts.ts';

type Addition = LineAddition & {
  readonly request: LinesRequest;
  readonly path: readonly (string | number)[];
};
type Added = { readonly lineAdded: { readonly id: string } | null };

/** The intent tells only this much, because the line has no id yet. */
const LINES_CHANGED: ChangedFact = {
  coordinate: 'SubscriptionContract.lines',
  field: 'lines',
  before: null,
  after: null,
};

/** The addition, or why the variant cannot come in. */
export function addLine(state: LinesState, { request, path, ...asked }: Addition): EditOrError {
  const { productVariantId, quantity, sellingPlanId = null } = asked;
  const incoming = incomingLine(state, { productVariantId, sellingPlanId, path });
  if (isRefused(incoming)) return incoming;
  if (isPresent(state, asked, { request, incoming })) {
    const message = 'The subscription has this variant already: change the quantity of its line.';
    return errorAt([...path, 'productVariantId'], message);
  }
  const { nodes: before } = state.contract.lines;
  return {
    mutation: {
      mutation: 'subscriptionDraftLineAdd',
      args: { input: ['SubscriptionLineInput!', { productVariantId, quantity, ...pricedInput(incoming) }] },
      selection: `lineAdded { id ${DISCOUNTED_PRICE} }`,
      blame: (field) => blameLine(path, field),
      codes: LINE_CODES,
    },
    facts: [LINES_CHANGED],
    growth: growthOf(undefined, path, 'variant'),
    factsBy: (payload) => factsOf(state, asked, { incoming, payload: payload as Added }),
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

/** Whether a line that stays as it is has the variant under this plan. */
function isPresent(
  { contract }: LinesState,
  { productVariantId }: LineAddition,
  { request, incoming }: InPlace,
): boolean {
  return contract.lines.nodes.some(({ id, variantId, sellingPlanId }) => {
    const change = request.update.find(({ lineId }) => lineId === id);
    const staysWith = change?.productVariantId ?? variantId;
    return (
      !request.remove.includes(id) && staysWith === productVariantId && sellingPlanId === incoming.plan.id
    );
  });
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
  ];
}
