/**
 * An added line comes in. Adding is not absolute: sent twice it would add twice. So a variant that the contract has
 * under the same plan already is refused; its line's quantity is what to change.
 */
import { message } from '../../messages/message.ts';
import {
  type ChangedFact,
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
  const present = presentLine(state, asked, { request, incoming });
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

/** The line that stays as it is and has the variant under this plan. */
function presentLine(
  { contract }: LinesState,
  { productVariantId }: LineAddition,
  { request, incoming }: InPlace,
): ContractLine | undefined {
  return contract.lines.nodes.find(({ id, variantId, sellingPlanId }) => {
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
