/** Reads the states of orders from facts of the timeline. */
import { parseInstant } from '../../domain/instant.ts';
import type { FactChange } from '../../timeline/facts.ts';

/** The state of an order. `dateMs` is when the order is due (epoch milliseconds). A missing field is unknown. */
export type OrderState = { readonly dateMs?: number | undefined; readonly skipped?: boolean | undefined };

type StateChange = { readonly stateBefore: OrderState; readonly stateAfter: OrderState };

const ORDER_FACT_PATTERN = /^billingCycles\.(\d+)\.(skipped|billingAttemptExpectedDate)$/;

/** Returns the states of the orders before and after the changes, by the index of their cycle. */
export function parseOrderFacts(changes: readonly FactChange[]): ReadonlyMap<number, StateChange> {
  const byIndex = new Map<number, StateChange>();
  for (const { field, before, after } of changes) {
    const [, index, name] = ORDER_FACT_PATTERN.exec(field) ?? [];
    if (index === undefined) continue;
    const parseOrderState = (text: string | null): OrderState =>
      name === 'skipped' ? { skipped: text === 'true' } : { dateMs: parseInstant(text) };
    const changeOfOrder = byIndex.get(Number(index));
    byIndex.set(Number(index), {
      stateBefore: { ...changeOfOrder?.stateBefore, ...parseOrderState(before) },
      stateAfter: { ...changeOfOrder?.stateAfter, ...parseOrderState(after) },
    });
  }
  return byIndex;
}
