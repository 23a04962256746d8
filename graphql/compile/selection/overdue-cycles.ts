/**
 * Writes the request for the billing cycles before the present one. A list of upcoming orders starts with the first of them
 * whose order is not paid and can still be charged.
 */
import type { UpstreamWriter } from '../../plan/upstream-document.ts';
import { SERVICE_ALIAS } from './service-alias.ts';
import { declareVariable } from './upstream-writer.ts';

/** Variables whose values depend on the request's time: now, and the earliest date of an overdue order. */
export const NOW_VARIABLE = `${SERVICE_ALIAS}Now`;
export const OVERDUE_FROM_VARIABLE = `${SERVICE_ALIAS}OverdueFrom`;

/** How many cycles are read: the present one, and the last ones before it. */
const OVERDUE_CYCLES = 4;

/** The cycles that the request selects, in their order. */
export type OverdueCycles = {
  readonly nodes: readonly {
    readonly cycleIndex: number;
    readonly cycleEndAt: string;
    readonly billingAttemptExpectedDate: string;
    readonly skipped: boolean;
    readonly status: string;
    readonly sourceContract: { readonly id: string; readonly status: string };
  }[];
};

/** Writes a root field of the platform. `contractId`: the variable of the contract's id. */
export function writeOverdueCycles(
  writer: UpstreamWriter,
  { alias, contractId, include }: Readonly<Record<'alias' | 'contractId' | 'include', string>>,
): string {
  const [from, to] = [OVERDUE_FROM_VARIABLE, NOW_VARIABLE].map((name) =>
    declareVariable(writer, name, 'DateTime!'),
  );
  const range = `billingCyclesDateRangeSelector: { startDate: ${from}, endDate: ${to} }`;
  return `${alias}: subscriptionBillingCycles(contractId: ${contractId}, ${range}, last: ${OVERDUE_CYCLES})${include} {
    nodes { cycleIndex cycleEndAt billingAttemptExpectedDate skipped status sourceContract { id status } } }`;
}
