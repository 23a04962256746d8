/**
 * An edit of a line is one draft mutation, with what the timeline tells of it. All such mutations share what stands
 * here.
 */
import type { ChangedFact } from '../../timeline/changed-fact.ts';
import type { DraftMutation } from '../draft/draft-operation.ts';
import type { OperationError } from '../operation-error.ts';
import type { Incoming } from './incoming-line.ts';
import { MAX_QUANTITY, quantityInvalid } from './lines-request.ts';
import type { LinesState } from './lines-state.ts';

export type LineEdit = {
  readonly mutation: DraftMutation;
  /** What the intent tells. */
  readonly facts: readonly ChangedFact[];
  /** What the entry tells, where the payload of the mutation says more. */
  readonly factsBy?: (payload: Readonly<Record<string, unknown>>) => readonly ChangedFact[];
  /** The line gets more, or another product. */
  readonly growth?: Growth;
  /** Whether a contract that is read again shows the edit. */
  readonly isDone: (state: LinesState) => boolean;
};

/** Undefined: the line is as asked for. */
export type EditOrError = LineEdit | OperationError | undefined;

/** The growth of a line, and what a customer is told when the store has discounted it. */
type Growth = { readonly lineId: string; readonly refusal: OperationError };

/** What the platform's codes mean whose meaning is clear for a line, where this quantity was asked for. */
export function lineRefusals(actual: number, lineId?: string): NonNullable<DraftMutation['refusals']> {
  const asked = { lineId, limit: MAX_QUANTITY, actual };
  return { GREATER_THAN_OR_EQUAL_TO: ({ field }) => quantityInvalid(field ?? [], asked) };
}

/** Price, plan and every step of the plan, over or still to come, as the platform's line inputs take them. */
export function pricedInput({ plan, price }: Incoming): Readonly<Record<string, unknown>> {
  const { currentPrice, basePrice, cycleDiscounts } = price;
  return {
    currentPrice,
    pricingPolicy: { basePrice, cycleDiscounts },
    sellingPlanId: plan.id,
    sellingPlanName: plan.name,
  };
}

/** The client's argument for a field of a line's input. The service sets prices, so their fault is the variant's. */
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
