/**
 * Reads the timeline for an interval change: the original dates of moved orders, and changes of orders that were made
 * concurrently.
 */
import { awaitAll } from '../../domain/await-all.ts';
import { type Instant, parseInstant } from '../../domain/instant.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { TimeZone } from '../../domain/time-zone.ts';
import { timeZoneOf } from '../../storage/stores.ts';
import type { EventRecord } from '../../timeline/event-record.ts';
import { contractNumberOfGid } from '../../timeline/event-record.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import type { DroppedEdit } from '../cycles/plan-restored-edits.ts';
import type { OperationDeps } from '../operation.ts';
import { isOnSameDay } from '../order-dates/order-dates.ts';
import { REVERTED_ACTION } from '../postpone/revert-postponement.ts';
import { INTERVAL_ACTION } from './create-interval-intent.ts';
import { listOrderChanges, type OrderChange } from './order-changes.ts';

type Deps = { readonly readEvents: Timeline['readEvents'] };
type ContractIdentity = { readonly shopId: ShopId; readonly contractId: string };

const MAX_EVENTS_PER_READ = 250;
const DUE_DATE_FIELD = /^billingCycles\.\d+\.billingAttemptExpectedDate$/;

/**
 * Maps each date that an order was moved to (epoch milliseconds) to the order's date before all moves. Reads the last
 * 250 entries.
 */
export async function readOriginalDates(
  deps: Deps,
  contractIdentity: ContractIdentity,
): Promise<ReadonlyMap<number, string>> {
  const originalDates = new Map<number, string>();
  for (const { changes } of await readTimelineEntries(deps, contractIdentity, {
    last: MAX_EVENTS_PER_READ,
  })) {
    for (const { field, before, after } of changes) {
      if (!DUE_DATE_FIELD.test(field) || before === null || after === null) continue;
      originalDates.set(Date.parse(after), originalDates.get(Date.parse(before)) ?? before);
    }
  }
  return originalDates;
}

/**
 * How long a request can take at most: one that started this long ago may still make its change. Includes differences
 * between clocks.
 */
const MAX_REQUEST_DURATION_MS = 30_000;

/**
 * Returns the timeline entries of all changes that may have been made since `beganAtMs` (epoch milliseconds), oldest
 * first, at most 250.
 */
export function readEventsSince(
  deps: Deps,
  contractIdentity: ContractIdentity,
  beganAtMs: number,
): Promise<EventRecord[]> {
  const sinceMs = beganAtMs - MAX_REQUEST_DURATION_MS;
  return readTimelineEntries(deps, contractIdentity, {
    first: MAX_EVENTS_PER_READ,
    query: `created_at:>=${new Date(sinceMs).toISOString()}`,
  });
}

/** The actions of changes that can set the date of the next order. */
const DATE_ACTIONS = [INTERVAL_ACTION, 'subscription_resumed', 'subscription_next_billing_date_updated'];

/**
 * Returns the last date that a client of this service set for the next order. Reads the last 250 entries, and of older ones
 * the last 250 of each action that can set the date.
 * @returns undefined when no client set a date
 */
export async function readChosenDate(
  deps: Deps,
  contractIdentity: ContractIdentity,
): Promise<Instant | undefined> {
  const lastEntries = await readTimelineEntries(deps, contractIdentity, { last: MAX_EVENTS_PER_READ });
  const chosenMs = findLastChosenDate(lastEntries);
  if (chosenMs !== undefined || lastEntries.length < MAX_EVENTS_PER_READ) return chosenMs;
  const olderEntries = await awaitAll(
    DATE_ACTIONS.map((action) =>
      readTimelineEntries(deps, contractIdentity, {
        ...{ last: MAX_EVENTS_PER_READ, query: `action:${action}` },
      }),
    ),
  );
  return findLastChosenDate(olderEntries.flat().sort((one, other) => (one.number < other.number ? -1 : 1)));
}

/**
 * Returns the last date that a client set for the next order. `entries` are sorted, oldest first.
 * @returns undefined when no client set a date
 */
export function findLastChosenDate(entries: readonly EventRecord[]): Instant | undefined {
  return parseInstant(
    entries.findLast(({ details }) => details.movesOrder === true)?.details.nextBillingDate,
  );
}

/**
 * Returns the dropped edits without the skips that no client made: a date that a client chose for the next order also skips the
 * orders before it. These skips remain when a later date replaces that one.
 */
export async function omitSkipsOfChosenDates(
  deps: Pick<OperationDeps, 'readEvents' | 'store'>,
  contractId: string,
  droppedEdits: readonly DroppedEdit[],
): Promise<readonly DroppedEdit[]> {
  if (!droppedEdits.some(({ skipped }) => skipped)) return droppedEdits;
  const { shopId } = deps.store;
  const entries = await readTimelineEntries(deps, { shopId, contractId }, { last: MAX_EVENTS_PER_READ });
  const orderChanges = listOrderChanges(entries);
  const isMadeByClient = (droppedEdit: DroppedEdit) =>
    isSkippedByClient(droppedEdit.cycleIndex, orderChanges) ??
    !isSkipOfEarlierChosenDate(entries, droppedEdit, timeZoneOf(deps.store));
  return droppedEdits.filter((droppedEdit) => !droppedEdit.skipped || isMadeByClient(droppedEdit));
}

/**
 * Whether a client skipped the order of the cycle. Follows the skip back through the postponements that moved it.
 * @returns undefined when the skip is older than the changes
 */
function isSkippedByClient(droppedIndex: number, orderChanges: readonly OrderChange[]): boolean | undefined {
  let cycleIndex = droppedIndex;
  const changesOfEntries = [...Map.groupBy(orderChanges, ({ entry }) => entry).values()];
  for (const changesOfEntry of changesOfEntries.toReversed()) {
    const change = changesOfEntry.find(
      (one) => one.cycleIndex === cycleIndex && one.stateAfter.skipped !== undefined,
    );
    if (change?.stateAfter.skipped === false) return false;
    if (changesOfEntry.some(({ isByPostponement }) => isByPostponement))
      cycleIndex = cycleBeforePostponement(cycleIndex, changesOfEntry);
    else if (change !== undefined) return change.isOwn;
  }
  return undefined;
}

/**
 * Returns the index of the cycle whose skip the postponement moved to this cycle, and its revert back. If both were
 * skipped, no change shows that.
 */
function cycleBeforePostponement(cycleIndex: number, changes: readonly OrderChange[]): number {
  const sortedChanges = changes.toSorted((one, other) => one.cycleIndex - other.cycleIndex);
  const [first, last] = [sortedChanges.at(0), sortedChanges.at(-1)];
  if (first === undefined || last === undefined) return cycleIndex;
  // The orders move to other cycles only if the first of these cycles is skipped, or restored by a revert.
  const isMoved =
    first.stateAfter.skipped !== undefined && cycleIndex > first.cycleIndex && cycleIndex <= last.cycleIndex;
  if (!isMoved) return cycleIndex;
  return cycleIndex + (first.entry.action === REVERTED_ACTION ? 1 : -1);
}

/**
 * Whether a skip that is older than the present cycles only followed from a date that a client had chosen. The last new
 * interval then skipped the order again, while it kept a client's skip on its day.
 */
function isSkipOfEarlierChosenDate(
  entries: readonly EventRecord[],
  { movedTo, originalDate }: DroppedEdit,
  timeZone: TimeZone,
): boolean {
  const dateMs = parseInstant(movedTo ?? originalDate);
  if (dateMs === undefined) return false;
  const isOnDay = (date: unknown) => isOnSameDay(timeZone, parseInstant(date) ?? 0, dateMs);
  const lastChange = entries.findLast(
    ({ action, details }) => SKIP_ACTIONS.has(action) && isOnDay(details.expectedDate),
  );
  if (lastChange?.action === 'billing_cycle_skipped') return false;
  const lastIntervalIndex = entries.findLastIndex(({ action }) => action === INTERVAL_ACTION);
  return entries
    .slice(0, lastIntervalIndex + 1)
    .some(
      ({ details }) => details.movesOrder === true && (parseInstant(details.nextBillingDate) ?? 0) > dateMs,
    );
}

const SKIP_ACTIONS: ReadonlySet<string> = new Set(['billing_cycle_skipped', 'billing_cycle_unskipped']);

type TimelineArguments = Parameters<Timeline['readEvents']>[0]['args'];

async function readTimelineEntries(
  { readEvents }: Deps,
  { shopId, contractId }: ContractIdentity,
  args: TimelineArguments,
): Promise<EventRecord[]> {
  const contract = contractNumberOfGid(contractId);
  if (contract === undefined) return [];
  const [page] = await readEvents({ shopId, contracts: [contract], args });
  return (page?.edges ?? []).map(({ record }) => record);
}
