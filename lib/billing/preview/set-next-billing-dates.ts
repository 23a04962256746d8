/**
 * Sets `nextBillingDate` of contracts that the service bills to their next order: the platform leaves this date to apps,
 * and other apps show it. No charge goes by it, so an order that changes at the same time is corrected in the next night.
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

/** So many mutations cost less than a tenth of the smallest bucket. */
const CONTRACTS_PER_DOCUMENT = 10;

/**
 * Sets the date of each active contract whose date is another one than that of its first order ahead that is not skipped.
 * A contract that the platform refuses is left to the next night.
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
  for (const batch of splitIntoBatches(datedContracts, CONTRACTS_PER_DOCUMENT)) {
    const document = buildDatesDocument(batch.length);
    const variables = Object.fromEntries(
      batch.flatMap(({ id, date }, index) => [[`id${index}`, id] as const, [`date${index}`, date] as const]),
    );
    const expectedCost = batch.length * MUTATION_POINTS;
    const operation = { store, endAtMs, document, variables, costKey: document, expectedCost };
    await deps.sendWithinBudget({ ...operation, mutates: true });
  }
}

/** Whether the contract's date is to be set. A contract without access to its date or its orders has no such date. */
function findDateToSet({ facts, cycles }: ContractReading, nowMs: number): string | undefined {
  if (facts.status !== 'ACTIVE') return undefined;
  const upcomingDates = Object.values(cycles)
    .filter(({ isSkipped, date }) => !isSkipped && date * 1000 > nowMs)
    .map(({ date }) => date * 1000);
  if (upcomingDates.length === 0) return undefined;
  const nextMs = Math.min(...upcomingDates);
  return parseInstant(facts.nextBillingDate) === nextMs ? undefined : formatPlatformDate(nextMs);
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
