/**
 * The type of a line edit: one draft mutation, with its facts for the timeline. Has the functions that all edits share.
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
   * Returns the facts of the timeline entry, when the mutation's payload has more than the intent (such as a new line's
   * id).
   */
  readonly factsBy?: (payload: Readonly<Record<string, unknown>>) => readonly FactChange[];
  /** Set if the edit increases the quantity or replaces the variant. */
  readonly growth?: LineGrowth;
  /** Whether the contract, read again after a lost response, shows the edit. */
  readonly isDone: (state: LinesState) => boolean;
};

/** Undefined when the line is already in the requested state. */
export type LineEditOrError = LineEdit | OperationError | undefined;

/** An increase of a line, with the user error that a customer gets if the store has discounted the line by hand. */
type LineGrowth = { readonly lineId: string; readonly refusal: OperationError };

/** Converts the platform's codes that have one clear meaning for a line. `actual` is the requested quantity. */
export function lineErrorConverters(actual: number, lineId?: string): NonNullable<DraftMutation['refusals']> {
  const limitDetails = { lineId, limit: MAX_LINE_QUANTITY, actual };
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
 * Returns the path of the client's argument for a field of the platform's line input. The service computes prices, so
 * an error of a price is reported for the variant.
 */
export function toClientLinePath(
  path: readonly (string | number)[],
  field: readonly string[],
): readonly string[] {
  const argumentPath = field.includes('quantity')
    ? ['quantity']
    : field.includes('sellingPlanId') && path[0] === 'add'
      ? ['sellingPlanId']
      : field.includes('lineId')
        ? ['lineId']
        : field.length > 1
          ? ['productVariantId']
          : [];
  return [...path.map(String), ...argumentPath];
}
