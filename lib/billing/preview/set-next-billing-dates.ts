/**
 * Sets `nextBillingDate` of contracts that the service bills to the date of their next order: the platform leaves this
 * date to apps, and other apps show it. The service does not charge by it, so a date that is wrong because the order
 * changed at the same time may wait for the next nightly reconciliation.
 */
import { formatPlatformDate, parseInstant } from '../../domain/instant.ts';
import { splitIntoBatches } from '../../domain/split-into-batches.ts';
import { MUTATION_POINTS } from '../../platform/admin-api/query-points.ts';
import type { SendWithinBudget } from '../../platform/admin-api/send-within-budget.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import type { ContractReading } from '../../timeline/append/observation.ts';
import { contractGid } from '../../timeline/event-record.ts';

type SetDatesDeps = {
  readonly sendWithinBudget: SendWithinBudget;
  readonly platformGidNamespace: string;
  readonly now: () => number;
};
type SetDatesRun = { readonly store: StoreRecord; readonly endAtMs: number };

/** Ten mutations cost less than a tenth of the smallest bucket of points. */
const CONTRACTS_PER_REQUEST = 10;

/**
 * Sets the `nextBillingDate` of each active contract to its next order that is not skipped, if the contract has another
 * date. A contract that the platform refuses is left to the next nightly reconciliation.
 * @param readings contracts without open changes of the service, with their next orders
 * @throws the errors of the Admin API client
 */
export async function setNextBillingDates(
  deps: SetDatesDeps,
  { store, endAtMs }: SetDatesRun,
  readings: readonly ContractReading[],
): Promise<void> {
  const datedContracts = readings.flatMap((reading) => {
    const date = findDateToSet(reading, deps.now());
    return date === undefined ? [] : [{ id: contractGid(reading.contract, deps.platformGidNamespace), date }];
  });
  for (const batch of splitIntoBatches(datedContracts, CONTRACTS_PER_REQUEST)) {
    const document = buildDatesDocument(batch.length);
    const variables = Object.fromEntries(
      batch.flatMap(({ id, date }, index) => [[`id${index}`, id] as const, [`date${index}`, date] as const]),
    );
    const expectedCost = batch.length * MUTATION_POINTS;
    const request = { store, endAtMs, document, variables, costKey: document, expectedCost };
    await deps.sendWithinBudget({ ...request, mutates: true });
  }
}

/**
 * Returns the date to set; undefined when the contract is not active, no next order is known, or the contract has the
 * date already.
 */
function findDateToSet({ facts, cycles }: ContractReading, nowMs: number): string | undefined {
  if (facts.status !== 'ACTIVE') return undefined;
  const upcomingDates = Object.values(cycles)
    .filter(({ isSkipped, date }) => !isSkipped && date * 1000 > nowMs)
    .map(({ date }) => date * 1000);
  if (upcomingDates.length === 0) return undefined;
  const nextOrderAtMs = Math.min(...upcomingDates);
  return parseInstant(facts.nextBillingDate) === nextOrderAtMs
    ? undefined
    : formatPlatformDate(nextOrderAtMs);
}

function buildDatesDocument(count: number): string {
  const indexes = Array.from({ length: count }, (_, index) => index);
  const declarations = indexes.map((index) => `$id${index}: ID! $date${index}: DateTime!`).join(' ');
  const rootTexts = indexes.map(
    (index) =>
      `date${index}: subscriptionContractSetNextBillingDate(contractId: $id${index}, date: $date${index}) { userErrors { field } }`,
  );
  return `mutation SetNextBillingDates(${declarations}) { ${rootTexts.join(' ')} }`;
}
