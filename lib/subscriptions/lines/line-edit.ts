/**
 * An edit of a line: one draft mutation, and its facts in the timeline. This file has the parts that all such
 * mutations share.
 */
import type { ChangedFact } from '../../timeline/changed-fact.ts';
import type { DraftMutation } from '../draft/draft-operation.ts';
import type { OperationError } from '../operation-error.ts';
import type { Incoming } from './incoming-line.ts';
import { MAX_QUANTITY, quantityInvalid } from './lines-request.ts';
import type { LinesState } from './lines-state.ts';

export type LineEdit = {
  readonly mutation: DraftMutation;
  /** The facts of the intent. */
  readonly facts: readonly ChangedFact[];
  /** The facts of the timeline entry, if the mutation's payload has more. */
  readonly factsBy?: (payload: Readonly<Record<string, unknown>>) => readonly ChangedFact[];
  /** Set if the edit increases the line or changes its product. */
  readonly growth?: Growth;
  /** Whether a contract that is read again shows the edit. */
  readonly isDone: (state: LinesState) => boolean;
};

/** Undefined when the line is already in the requested state. */
export type EditOrError = LineEdit | OperationError | undefined;

/** The growth of a line, and the error for customers if the store has discounted the line. */
type Growth = { readonly lineId: string; readonly refusal: OperationError };

/** Maps those codes of the platform that are unambiguous for a line with this quantity. */
export function lineRefusals(actual: number, lineId?: string): NonNullable<DraftMutation['refusals']> {
  const details = { lineId, limit: MAX_QUANTITY, actual };
  return { GREATER_THAN_OR_EQUAL_TO: ({ field }) => quantityInvalid(field ?? [], details) };
}

/** Price, plan and all steps of the plan, in the form of the platform's line inputs. */
export function pricedInput({ plan, price }: Incoming): Readonly<Record<string, unknown>> {
  const { currentPrice, basePrice, cycleDiscounts } = price;
  return {
    currentPrice,
    pricingPolicy: { basePrice, cycleDiscounts },
    sellingPlanId: plan.id,
    sellingPlanName: plan.name,
  };
}

/**
 * Returns the client's argument for a field of a line's input. The service sets prices, so their errors are reported
 * at the variant.
 */
export function blameLine(path: readonly (string | number)[], field: readonly string[]): readonly string[] {
  const own = field.includes('quantity')
    ? ['quantity']
    : field.includes('sellingPlanId') && path[0] === 'add'
      ? ['sellingPlanId']
      : field.includes('lineId')
        ? ['lineId']
        : field.length > 1
          ? ['productVariantId']
          : [];
  return [...path.map(String), ...own];
}
