/**
 * A contract's postponement record: the dates that its orders have, and what the latest postponement changed, so that
 * it can be reverted. The platform's cycles decide where the orders are, so a lost record moves no order. The
 * scheduled work extends the dates; the record decides which scheduled tasks of extensions are valid.
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

/** A skipped cycle whose order comes in another cycle. */
export type CycleWithoutOrder = {
  readonly cycleIndex: number;
  /** The date that the order of the cycle had, ISO 8601. */
  readonly date: string;
  /** The index of the cycle in which the order came when it was sent now. Undefined when a postponement moved it. */
  readonly sentIn?: number | undefined;
};

/** The dates of a postponed contract, with the attribute names of the stored record. */
export type PostponedDates = {
  /** The dates that the service has assigned to orders, up to the cycle `laidThrough`. */
  readonly laid: AssignedDates;
  /** The date of the last order that has one, ISO 8601. */
  readonly laidUntil: string;
  /** The skipped cycles without an order, with the dates that their orders had: the orders come in other cycles. */
  readonly skipped: readonly CycleWithoutOrder[];
  /** Epoch milliseconds. */
  readonly sinceMs: number;
  /** When the scheduled work assigns dates to more orders, epoch milliseconds. */
  readonly extendAtMs: number;
};

/** A postponement that can be reverted. */
export type LatestPostponement = {
  /** The edits of orders that the postponement made, in the order in which they were sent. */
  readonly edits: readonly OrderEdit[];
  /** The index of the cycle that the postponement skipped. */
  readonly skippedCycle: number | undefined;
  /**
   * The dates that the orders had before the postponement. Undefined if they were due at the ends of their cycles.
   */
  readonly former: PostponedDates | undefined;
  /** The client's arguments `expectedDate` and `to`, by which a retry is recognized. */
  readonly expectedDate: string;
  readonly to: string;
  readonly revertableUntilMs: number;
  /** When the postponement was made, epoch milliseconds. Records of earlier versions lack this and `date`. */
  readonly madeAtMs?: number | undefined;
  /** The date that the postponed order got, ISO 8601. */
  readonly date?: string | undefined;
  /** The indexes of cycles that were changed after the postponement, so that it cannot be reverted. */
  readonly changedCycles?: readonly number[] | undefined;
  /** The postponement before this one. It can be reverted after this one was reverted. */
  readonly earlier?: LatestPostponement | undefined;
};

/**
 * The state of the record after a change of orders. `dates` is undefined if all orders are due at the ends of their
 * cycles.
 */
export type PostponementState = {
  readonly dates?: PostponedDates | undefined;
  readonly latest?: LatestPostponement | undefined;
  /**
   * The cycles that were left without an order while the contract had no `dates`. If this is undefined, the stored
   * value stays. Null removes it, because the cycle indexes belong to other orders after the platform has counted the
   * cycles again.
   */
  readonly empty?: readonly CycleWithoutOrder[] | null | undefined;
};

/** A change of orders whose edits are being sent to the platform. The change's intent has the same id. */
export type PendingDateChange = {
  readonly id: string;
  readonly startedAtMs: number;
  /** The edits to send, one document after another. Empty if the scheduled work cannot finish the change. */
  readonly documents: readonly (readonly OrderEdit[])[];
  /** The state of the record after all edits were made. */
  readonly next: PostponementState;
  /** Set for a change by a draft. Other changes of the same kind may then be made at the same time. */
  readonly draft?: DraftKind | undefined;
};

/** The kinds of changes by drafts that move orders. They read the orders again after their commit. */
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

/** Returns the key of the item with a contract's postponement record. */
function postponementKey({ shopId, contractNumber }: ContractRef): ItemKey {
  return { pk: `POSTPONEMENT#${shopId}#${contractNumber}`, sk: 'POSTPONEMENT' };
}

/**
 * Converts a record to its item. The pending change has the attribute name `laying`, as in the records of earlier
 * versions. Undefined fields are removed, because nested attributes cannot have them. The item of a record without
 * dates expires when nothing can be reverted any more, and not before any request that has read an earlier version
 * has ended: such a request must see by the version that the orders have changed.
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
  /** Reads the record with a consistent read. */
  read(ref: ContractRef): Promise<PostponementRecord | undefined>;
  /**
   * Reads the records of several contracts with consistent reads, in the order of `refs`. A contract may occur twice.
   */
  readMany(refs: readonly ContractRef[]): Promise<(PostponementRecord | undefined)[]>;
  /**
   * Claims the contract's orders for a change, before its edits are sent. `before` is the record that was read before
   * the orders were read.
   * @returns undefined when the record has changed since it was read, or the edits of another change are being sent
   */
  begin(change: {
    readonly ref: ContractRef;
    readonly before: PostponementRecord | undefined;
    readonly pendingChange: PendingDateChange;
  }): Promise<PostponementRecord | undefined>;
  /** Stores the state after a change and ends its claim. Returns `refused` when the record has changed since. */
  end(record: PostponementRecord, state: PostponementState): Promise<'done' | 'refused'>;
};

/** The dependencies of operations that change the dates of orders. */
export type PostponementDeps = { readonly postponements: Postponements };

type Deps = { readonly table: Table; readonly now: () => number };

/**
 * How long orders stay claimed by a change that the scheduled work can finish: it finishes an interrupted change
 * within this time.
 */
const DATE_CHANGE_CLAIM_MS = 1_800_000;
/**
 * How long orders stay claimed by a change that the scheduled work cannot finish. No request and no extension with
 * such a change runs this long.
 */
const ORDERS_CLAIM_MS = 60_000;
/** How long a record without dates stays in the table after nothing needs it any more. */
const EMPTY_RECORD_GRACE_MS = 3_600_000;
/** The longest time between the date of an order and the end of its cycle. */
const MAX_INTERVAL_MS = 366 * 86_400_000;

/**
 * Whether the edits of a change of orders are being sent, or an interrupted change waits for the scheduled work.
 * Changes by drafts of the kinds in `allowed` do not count.
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
 * Returns the scheduled task that gives dates to the orders after `laidThrough`. The task has no effect if the record
 * has other dates when it is due.
 */
export function toExtensionScheduledTask(
  { shopId, contractNumber }: ContractRef,
  dates: PostponedDates,
): ScheduledTask {
  const { laid, extendAtMs: dueAtMs } = dates;
  const name = `${contractNumber}#${laid.fromCycle}-${laid.laidThrough}`;
  return { kind: 'postponement', shopId, dueAtMs, name, payload: { contractNumber } };
}

/**
 * Creates the repository of postponement records. The methods throw TEMPORARILY_UNAVAILABLE when the table cannot be
 * used.
 */
export function createPostponementRepository({ table, now }: Deps): Postponements {
  const scheduledTasks = createScheduledTaskRepository({ table, now });
  const replaceRecord = (recordBefore: PostponementRecord | undefined, recordAfter: PostponementRecord) =>
    table.put(toPostponementItem(recordAfter, now()), versionCondition(recordBefore?.version ?? 0));
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
      // Write the scheduled task before the dates, so that no dates lack their extension. The task of replaced dates
      // is removed when it is due.
      if (dates !== undefined && dates !== record.dates)
        await scheduledTasks.put(toExtensionScheduledTask(record, dates));
      return replaceRecord(record, recordAfter);
    },
  };
}

/**
 * Removes the postponement record of a contract that has ended. Ignores a table failure: a record that remains is
 * removed when its extension is due.
 */
export async function removePostponementRecord(
  { postponements }: PostponementDeps,
  ref: ContractRef,
): Promise<void> {
  await ignoreServiceError(async () => {
    const record = await postponements.read(ref);
    if (record !== undefined) await postponements.end(record, {});
  });
}
