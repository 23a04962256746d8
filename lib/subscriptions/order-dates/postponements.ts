/**
 * A contract's postponements: the dates that its orders have, and what the latest postponement changed, so that it can be
 * reverted. The platform's cycles decide where the orders are: a lost record moves no order. The extensions of the dates
 * are scheduled tasks of the scheduled work; the record decides which of them are valid.
 */
import { floorToSecond, formatInstant } from '../../domain/instant.ts';
import type { TimeZone } from '../../domain/time-zone.ts';
import { ignoreServiceError } from '../../errors/ignore-service-error.ts';
import { createScheduledTaskRepository, type ScheduledTask } from '../../storage/scheduled-tasks.ts';
import { type Item, type ItemKey, type Table, versionCondition } from '../../storage/table.ts';
import type { ContractRef } from '../contract-ref.ts';
import {
  type AssignedDates,
  isDateNearItsCycle,
  isExtensionTooLate,
  regularOrderDateMs,
} from './order-dates.ts';

/** Where an order is: its date, ISO 8601, and whether it is skipped. */
type OrderPosition = { readonly date: string; readonly skipped: boolean };

/** The change of one order. */
export type OrderEdit = {
  readonly cycleIndex: number;
  readonly before: OrderPosition;
  readonly after: OrderPosition;
};

export type CycleWithoutOrder = {
  readonly cycleIndex: number;
  readonly date: string;
  /** The cycle in which the order was sent now. */
  readonly sentIn?: number | undefined;
};

/** The dates of a postponed contract, under the names of the stored record. */
export type PostponedDates = {
  /** The dates that the service has assigned to orders, up to the cycle `laidThrough`. */
  readonly laid: AssignedDates;
  /** The date of the last order that has one, ISO 8601. */
  readonly laidUntil: string;
  /** The skipped cycles without an order, with the dates that their orders had: the orders come in other cycles. */
  readonly skipped: readonly CycleWithoutOrder[];
  /** Epoch milliseconds. */
  readonly sinceMs: number;
  /** When further orders get dates, epoch milliseconds. */
  readonly extendAtMs: number;
};

/** A postponement that can be reverted. */
export type LatestPostponement = {
  /** In the order in which they were sent. */
  readonly edits: readonly OrderEdit[];
  /** The cycle that was skipped for it. */
  readonly skippedCycle: number | undefined;
  /** The dates that the orders had before the postponement; undefined for those of the interval. */
  readonly former: PostponedDates | undefined;
  /** The arguments, by which a retry is recognized. */
  readonly expectedDate: string;
  readonly to: string;
  readonly revertableUntilMs: number;
  /** When it was made, epoch milliseconds, and the date that the order got, ISO 8601. Older records lack both. */
  readonly madeAtMs?: number | undefined;
  readonly date?: string | undefined;
  /** The cycles among its edits that were changed since, so that it cannot be reverted. */
  readonly changedCycles?: readonly number[] | undefined;
  /** The postponement before it, which can be reverted after it. */
  readonly earlier?: LatestPostponement | undefined;
};

/** The state after a change. `dates` is undefined if all orders are on the ends of their cycles. */
export type PostponementState = {
  readonly dates?: PostponedDates | undefined;
  readonly latest?: LatestPostponement | undefined;
  /**
   * The cycles that were left without an order while there were no dates. A state without it leaves it as it is; null
   * removes it, because the indexes belong to other orders once the cycles are counted again.
   */
  readonly empty?: readonly CycleWithoutOrder[] | null | undefined;
};

/** A change of orders whose edits are being sent to the platform. The change's intent has the same id. */
export type PendingDateChange = {
  readonly id: string;
  readonly startedAtMs: number;
  /** The documents to send, one after another. None if the scheduled work cannot finish the change. */
  readonly documents: readonly (readonly OrderEdit[])[];
  /** The state that the record gets when all edits are made. */
  readonly next: PostponementState;
  /** Set if other changes by drafts of this kind may be made at the same time. */
  readonly draft?: DraftKind | undefined;
};

/** Changes by drafts that move orders: they read the orders again after their commit. */
export type DraftKind = 'interval' | 'resumption';

export type PostponementRecord = ContractRef &
  PostponementState & { readonly version: number; readonly pendingChange?: PendingDateChange | undefined };

type CycleWithOrder = {
  readonly cycleIndex: number;
  readonly cycleStartAt: string;
  readonly cycleEndAt: string;
  readonly billingAttemptExpectedDate: string;
  readonly skipped: boolean;
  /** Whether the cycle is skipped or moved, or has its own content. */
  readonly edited: boolean;
};

type OrderDateContext = {
  readonly dates: Pick<PostponedDates, 'laid' | 'skipped'> | undefined;
  readonly timeZone: TimeZone;
  readonly nowMs: number;
};

/**
 * Returns the date of the cycle's order, ISO 8601. For a skipped order it is the date that the order has when it is
 * restored: the platform sets no date on a skipped order, and may drop the one that the order had. An order after those
 * with dates has the date that the extension will assign.
 * @returns null when the cycle has no order, because a postponement moved it to the next cycle
 */
export function orderDateOfCycle(
  cycle: CycleWithOrder,
  { dates, timeZone, nowMs }: OrderDateContext,
): string | null {
  const { cycleIndex, cycleEndAt, skipped, edited, billingAttemptExpectedDate } = cycle;
  if (dates === undefined) return billingAttemptExpectedDate;
  if (skipped && dates.skipped.some((one) => one.cycleIndex === cycleIndex)) return null;
  const { laid } = dates;
  const isBeyondDates = cycleIndex > laid.laidThrough;
  const isMovedAlone = Date.parse(billingAttemptExpectedDate) !== Date.parse(cycleEndAt);
  const isExtended =
    !isMovedAlone &&
    (skipped || !edited) &&
    !isExtensionTooLate(laid, timeZone, nowMs) &&
    isDateNearItsCycle(cycle, laid, timeZone);
  if (isBeyondDates ? !isExtended : !skipped) return billingAttemptExpectedDate;
  const dateMs = regularOrderDateMs(cycle, { ...laid, laidThrough: Number.POSITIVE_INFINITY }, timeZone);
  const hasAssignedDate = dateMs !== Date.parse(cycleEndAt);
  return hasAssignedDate ? formatInstant(floorToSecond(dateMs)) : billingAttemptExpectedDate;
}

/** Key of a contract's postponements. */
function postponementKey({ shopId, contractNumber }: ContractRef): ItemKey {
  return { pk: `POSTPONEMENT#${shopId}#${contractNumber}`, sk: 'POSTPONEMENT' };
}

/**
 * Stores the pending change as the attribute `laying`, its name in the records of earlier versions. Removes undefined
 * fields, which nested attributes cannot have. A record without dates expires when nothing can be
 * reverted, and later than any request that has read an earlier version: its version shows that the orders have changed.
 */
function toPostponementItem(record: PostponementRecord, nowMs: number): Item {
  const { pendingChange, ...attributes } = record;
  const { dates, latest, empty } = attributes;
  const holdsNoDates = dates === undefined && (pendingChange?.documents.length ?? 0) === 0;
  const emptyUntilMs = (empty ?? []).map(({ date }) => Date.parse(date) + MAX_INTERVAL_MS);
  const neededUntilMs =
    Math.max(nowMs, latest?.revertableUntilMs ?? 0, ...emptyUntilMs) + EMPTY_RECORD_GRACE_MS;
  const expiresAt = holdsNoDates ? Math.ceil(neededUntilMs / 1000) : undefined;
  return {
    ...postponementKey(record),
    ...JSON.parse(JSON.stringify({ ...attributes, laying: pendingChange, expiresAt })),
  };
}

function toPostponementRecord({
  pk: _pk,
  sk: _sk,
  expiresAt: _expiresAt,
  laying: pendingChange,
  ...attributes
}: Item): PostponementRecord {
  const storedRecord = pendingChange === undefined ? attributes : { ...attributes, pendingChange };
  return storedRecord as unknown as PostponementRecord;
}

export type Postponements = {
  /** Reads consistently. */
  read(ref: ContractRef): Promise<PostponementRecord | undefined>;
  /** Reads consistently, in the order of the contracts; a contract may occur twice. */
  readMany(refs: readonly ContractRef[]): Promise<(PostponementRecord | undefined)[]>;
  /**
   * Claims the contract's orders for a change before its edits are sent. `before`: the record that was read before the
   * orders were read.
   * @returns undefined when the record has changed since it was read, or another change is being sent
   */
  begin(change: {
    readonly ref: ContractRef;
    readonly before: PostponementRecord | undefined;
    readonly pendingChange: PendingDateChange;
  }): Promise<PostponementRecord | undefined>;
  /**
   * Stores the dates after a change, and ends its claim. Refused when the record has changed since.
   */
  end(record: PostponementRecord, state: PostponementState): Promise<'done' | 'refused'>;
};

/** The dependencies of operations that change the dates of orders. */
export type PostponementDeps = { readonly postponements: Postponements };

type Deps = { readonly table: Table; readonly now: () => number };

/** The scheduled work finishes an interrupted change within this time. */
const DATE_CHANGE_CLAIM_MS = 1_800_000;
/**
 * How long orders stay claimed by a change that the scheduled work cannot finish. No such request or extension runs this
 * long.
 */
const ORDERS_CLAIM_MS = 60_000;
/** How long a record without dates is stored after nothing needs it. */
const EMPTY_RECORD_GRACE_MS = 3_600_000;
/** A cycle may end so long after the date of its order. */
const MAX_INTERVAL_MS = 366 * 86_400_000;

/**
 * Whether the edits of a change are being sent, or an interrupted change waits for the scheduled work. `allowed`: the
 * changes by drafts that do not count.
 */
export function isDateChangePending(
  record: PostponementRecord | undefined,
  nowMs: number,
  allowed: readonly DraftKind[] = [],
): boolean {
  if (record?.pendingChange === undefined || allowed.some((draft) => draft === record.pendingChange?.draft))
    return false;
  const { startedAtMs, documents } = record.pendingChange;
  return startedAtMs + (documents.length === 0 ? ORDERS_CLAIM_MS : DATE_CHANGE_CLAIM_MS) > nowMs;
}

/**
 * Returns the scheduled task that gives postponed dates to the cycles after `laidThrough`. It does nothing if the
 * postponement record has other dates by then.
 */
export function toExtensionScheduledTask(
  { shopId, contractNumber }: ContractRef,
  dates: PostponedDates,
): ScheduledTask {
  const { laid, extendAtMs: dueAtMs } = dates;
  const name = `${contractNumber}#${laid.fromCycle}-${laid.laidThrough}`;
  return { kind: 'postponement', shopId, dueAtMs, name, payload: { contractNumber } };
}

/** Creates the postponements of one container over the table. Every failure is TEMPORARILY_UNAVAILABLE. */
export function createPostponementRepository({ table, now }: Deps): Postponements {
  const scheduledTasks = createScheduledTaskRepository({ table, now });
  const replaceRecord = (before: PostponementRecord | undefined, after: PostponementRecord) =>
    table.put(toPostponementItem(after, now()), versionCondition(before?.version ?? 0));
  return {
    async read(ref) {
      const item = await table.get(postponementKey(ref));
      return item && toPostponementRecord(item);
    },
    async readMany(refs) {
      const postponementItems = await table.batchGet(refs.map(postponementKey));
      return postponementItems.map((item) => item && toPostponementRecord(item));
    },
    async begin({ ref, before, pendingChange }) {
      if (isDateChangePending(before, now(), pendingChange.draft && [pendingChange.draft])) return undefined;
      const { dates, latest, empty } = before ?? {};
      const record = { ...ref, version: (before?.version ?? 0) + 1, dates, latest, empty, pendingChange };
      return (await replaceRecord(before, record)) === 'done' ? record : undefined;
    },
    async end(record, { dates, latest, empty = record.empty }) {
      const { shopId, contractNumber } = record;
      const version = record.version + 1;
      const recordAfter = { shopId, contractNumber, version, dates, latest, empty: empty ?? undefined };
      // Written first, so that no dates lack their extension. The item of other dates is removed when it is due.
      if (dates !== undefined && dates !== record.dates)
        await scheduledTasks.put(toExtensionScheduledTask(record, dates));
      return replaceRecord(record, recordAfter);
    },
  };
}

/** Removes the record of a contract that has ended. A record that remains is removed when its extension is due. */
export async function removePostponementRecord(
  { postponements }: PostponementDeps,
  ref: ContractRef,
): Promise<void> {
  await ignoreServiceError(async () => {
    const record = await postponements.read(ref);
    if (record !== undefined) await postponements.end(record, {});
  });
}
