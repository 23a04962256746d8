/**
 * The type of a line edit: one draft mutation, and its facts for the timeline. Also has the functions that all kinds
 * of edits share.
 */
import type { FactChange } from '../../timeline/facts.ts';
import type { DraftMutation } from '../draft/draft-operation.ts';
import type { OperationError } from '../operation-error.ts';
import type { IncomingVariant } from './incoming-variant.ts';
import { MAX_LINE_QUANTITY, quantityInvalidError } from './lines-request.ts';
import type { LinesState } from './lines-state.ts';

export type LineEdit = {
  readonly mutation: DraftMutation;
  /** The facts that the intent records. */
  readonly facts: readonly FactChange[];
  /**
   * Returns the facts of the timeline entry, if the payload of the mutation has more than the intent could know, such
   * as a new line's id.
   */
  readonly factsOfPayload?: (payload: Readonly<Record<string, unknown>>) => readonly FactChange[];
  /** Set if the edit increases the quantity or replaces the variant. */
  readonly growth?: LineGrowth;
  /** Whether the state shows the edit. Called with a state that is read after the response to the commit was lost. */
  readonly showsEdit: (state: LinesState) => boolean;
};

/** The planned edit, or the user error. Undefined when the line is already in the requested state. */
export type LineEditOrError = LineEdit | OperationError | undefined;

/**
 * The line that the edit increases or whose variant it replaces, and the user error that a customer gets if the store
 * has a manual discount on that line.
 */
type LineGrowth = { readonly lineId: string; readonly errorForCustomer: OperationError };

/** Returns converters for the platform's codes that have one clear meaning for a line. */
export function lineErrorConverters(
  requestedQuantity: number,
  lineId?: string,
): NonNullable<DraftMutation['errorConverters']> {
  const limitDetails = { lineId, limit: MAX_LINE_QUANTITY, actual: requestedQuantity };
  return { GREATER_THAN_OR_EQUAL_TO: ({ field }) => quantityInvalidError(field ?? [], limitDetails) };
}

/** Returns price, plan and all price steps of the plan, in the shape of the platform's line inputs. */
export function toPricedLineInput({ plan, price }: IncomingVariant): Readonly<Record<string, unknown>> {
  const { currentPrice, basePrice, cycleDiscounts } = price;
  return {
    currentPrice,
    pricingPolicy: { basePrice, cycleDiscounts },
    sellingPlanId: plan.id,
    sellingPlanName: plan.name,
  };
}

/**
 * Returns the path of the client's argument for a field of the platform's line input. `entryPath` is the path of the
 * client's list entry. The service computes prices, so an error of a price is reported for the variant.
 */
export function toClientLinePath(
  entryPath: readonly (string | number)[],
  field: readonly string[],
): readonly string[] {
  const argumentPath = field.includes('quantity')
    ? ['quantity']
    : field.includes('sellingPlanId') && entryPath[0] === 'add'
      ? ['sellingPlanId']
      : field.includes('lineId')
        ? ['lineId']
        : field.length > 1
          ? ['productVariantId']
          : [];
  return [...entryPath.map(String), ...argumentPath];
}
