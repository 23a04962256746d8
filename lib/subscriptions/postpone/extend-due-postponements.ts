/**
 * Assigns dates to more orders of postponed contracts before the orders with assigned dates run out. The run can stop
 * at any point: the next run recognizes the edits that were made and sends the others.
 */
import { formatPlatformDate } from '../../domain/instant.ts';
import { provesNothingChanged } from '../../errors/is-outcome-unknown.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { SendWithinBudget } from '../../platform/admin-api/send-within-budget.ts';
import { forEachStore } from '../../storage/for-each-store.ts';
import { readDueTasks, type ScheduledTask, type ScheduledTasks } from '../../storage/scheduled-tasks.ts';
import { type StoreRecord, type Stores, timeZoneOf } from '../../storage/stores.ts';
import { type ContractNumber, contractGid } from '../../timeline/event-record.ts';
import type { ChangeIntent } from '../../timeline/run-change.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import { isContractTerminated } from '../contract-facts.ts';
import type { SendToPlatform } from '../operation.ts';
import { claimOrders } from '../order-dates/claim-orders.ts';
import type { PostponedDates, PostponementRecord } from '../order-dates/postponements.ts';
import {
  isDateChangePending,
  type Postponements,
  toExtensionScheduledTask,
} from '../order-dates/postponements.ts';
import { isSameFrequency } from '../selling-plans/frequency.ts';
import { extensionDueAtMs, lastAssignedDate, planDateExtension } from './plan-date-extension.ts';
import type { CycleToDate } from './plan-order-dates.ts';
import { CYCLES_PER_READ, readContractOrders } from './read-contract-orders.ts';
import { listOrderEditFacts, sendOrderEdits } from './send-order-edits.ts';

export type ExtendDeps = {
  readonly stores: Pick<Stores, 'find'>;
  readonly scheduledTasks: Pick<ScheduledTasks, 'listDue' | 'put' | 'remove'>;
  readonly postponements: Postponements;
  readonly timeline: Pick<Timeline, 'begin'>;
  readonly sendWithinBudget: SendWithinBudget;
  readonly platformGidNamespace: string;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly now: () => number;
};

const MAX_EXTENSIONS_PER_RUN = 10_000;
const DAY_MS = 86_400_000;
/**
 * The minimum number of upcoming orders with assigned dates. If an extension is refused and fewer have dates, an
 * alarm is raised.
 */
const MIN_DATED_ORDERS_AHEAD = 3;

/**
 * Extends the dates of the contracts whose extension is due, until `endAtMs` (epoch milliseconds). Returns the number
 * of contracts whose task was handled.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function extendDuePostponements(deps: ExtendDeps, endAtMs: number): Promise<number> {
  const dueTasks = await readDueTasks(deps.scheduledTasks, {
    kind: 'postponement',
    nowMs: deps.now(),
    maxCount: MAX_EXTENSIONS_PER_RUN,
  });
  const requestId = `scheduled-${deps.now()}`;
  let extendedCount = 0;
  await forEachStore(dueTasks, async (shopId, tasks) => {
    const store = await deps.stores.find(shopId);
    // The items of a store that is not installed remain until it is connected again or its data is deleted.
    if (store?.status !== 'installed') return;
    for (const task of tasks) {
      if (deps.now() >= endAtMs) return;
      if (await extendPostponementOrLog(deps, { store, task, endAtMs, requestId })) extendedCount += 1;
    }
  });
  return extendedCount;
}

type ExtensionWork = {
  readonly store: StoreRecord;
  readonly task: ScheduledTask;
  readonly endAtMs: number;
  readonly requestId: string;
};

async function extendPostponementOrLog(deps: ExtendDeps, work: ExtensionWork): Promise<boolean> {
  try {
    return await extendPostponement(deps, work);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'TEMPORARILY_UNAVAILABLE') throw error;
    deps.logger.warn('postponement.extension_deferred', { shopId: work.store.shopId, errorCode: error.code });
    return false;
  }
}

async function extendPostponement(deps: ExtendDeps, work: ExtensionWork): Promise<boolean> {
  const { store, task } = work;
  const contractNumber = task.payload.contractNumber as ContractNumber;
  const record = await deps.postponements.read({ shopId: store.shopId, contractNumber });
  const { dates } = record ?? {};
  const isTaskCurrent =
    record !== undefined && dates !== undefined && toExtensionScheduledTask(record, dates).name === task.name;
  if (!isTaskCurrent) {
    await deps.scheduledTasks.remove(task);
    return false;
  }
  // Another change of the dates is in progress. The next run extends the dates.
  if (isDateChangePending(record, deps.now())) return false;
  await extendPostponementRecord(deps, work, { record, dates });
  return true;
}

type PostponementToExtend = { readonly record: PostponementRecord; readonly dates: PostponedDates };

async function extendPostponementRecord(
  deps: ExtendDeps,
  work: ExtensionWork,
  { record: recordBefore, dates }: PostponementToExtend,
): Promise<void> {
  const { store, task } = work;
  const contractId = contractGid(recordBefore.contractNumber, deps.platformGidNamespace);
  const { contract, cycles } = await readContractOrders(
    { sendToPlatform: createSendToPlatform(deps, work), now: deps.now },
    { contractId, cycleCount: CYCLES_PER_READ },
  );
  const record = await claimOrders(deps, { ref: recordBefore, record: recordBefore });
  if (record === undefined) return;
  if (contract === undefined || isContractTerminated(contract)) await deps.postponements.end(record, {});
  else {
    const timeZone = timeZoneOf(store);
    const { billingPolicy } = contract;
    const isSameInterval = isSameFrequency(dates.laid, billingPolicy) && billingPolicy.anchors.length === 0;
    const extension = isSameInterval
      ? planDateExtension({ cycles, assignedDates: dates.laid, timeZone, nowMs: deps.now() })
      : ({ kind: 'ended' } as const);
    if (extension.kind === 'ended') await endPostponement(deps, work, { record, contractId });
    else await assignFurtherDates(deps, work, { record, dates, contractId, cycles, extension });
  }
  await deps.scheduledTasks.remove(task);
}

function createSendToPlatform(
  { sendWithinBudget }: ExtendDeps,
  { store, endAtMs }: ExtensionWork,
): SendToPlatform {
  return (request) => sendWithinBudget({ ...request, store, endAtMs, costKey: request.document });
}

/**
 * Ends the postponement: removes its record. Orders keep the dates that were assigned; later orders are due at the
 * ends of their cycles.
 */
async function endPostponement(
  deps: ExtendDeps,
  work: ExtensionWork,
  { record, contractId }: { readonly record: PostponementRecord; readonly contractId: string },
): Promise<void> {
  const openChange = await beginExtensionChange(deps, work, {
    action: 'orders_postponement_ended',
    contractId,
    changes: [],
  });
  await deps.postponements.end(record, {});
  await openChange.settleAsDone();
}

type FurtherDates = PostponementToExtend & {
  readonly contractId: string;
  readonly cycles: readonly CycleToDate[];
  readonly extension: Extract<ReturnType<typeof planDateExtension>, { readonly kind: 'dates assigned' }>;
};

async function assignFurtherDates(
  deps: ExtendDeps,
  work: ExtensionWork,
  furtherDates: FurtherDates,
): Promise<void> {
  const { record, dates, contractId, cycles, extension } = furtherDates;
  const { assignedDates, edits } = extension;
  if (edits.length > 0) {
    const openChange = await beginExtensionChange(deps, work, {
      action: 'orders_postponement_extended',
      contractId,
      changes: listOrderEditFacts(edits),
    });
    try {
      const editTarget = { contractId, reason: 'MERCHANT_INITIATED' as const };
      const refusedEdits = await sendOrderEdits(
        { sendToPlatform: createSendToPlatform(deps, work) },
        editTarget,
        edits,
      );
      const madeEdits = edits.filter((edit) => !refusedEdits.some((one) => one.edit === edit));
      if (madeEdits.length === 0) await openChange.settleAsNotDone();
      else await openChange.settleAsDone(listOrderEditFacts(madeEdits));
      if (refusedEdits.length > 0) return scheduleExtensionTomorrow(deps, work, furtherDates);
    } catch (error) {
      if (provesNothingChanged(error)) await openChange.settleAsNotDone();
      throw error;
    }
  }
  const datesAfter = {
    ...dates,
    laid: assignedDates,
    laidUntil: lastAssignedDate(assignedDates, cycles, timeZoneOf(work.store)) ?? dates.laidUntil,
    extendAtMs: nextExtensionAtMs(deps, work, furtherDates),
    skipped: dates.skipped.filter(({ cycleIndex }) => cycleIndex >= (cycles[0]?.cycleIndex ?? 0)),
  };
  await deps.postponements.end(record, { dates: datesAfter, latest: record.latest });
  deps.logger.info('postponement.extended', { shopId: record.shopId, contract: record.contractNumber });
}

/**
 * Returns when the dates are extended the next time, epoch milliseconds. If no date could be assigned now, because
 * the next one is more than a year ahead, that is at least 30 days from now.
 */
function nextExtensionAtMs(
  { now }: ExtendDeps,
  { store }: ExtensionWork,
  { dates, cycles, extension }: FurtherDates,
): number {
  const dueMs = extensionDueAtMs(extension.assignedDates, cycles[0]?.cycleIndex ?? 0, timeZoneOf(store));
  if (extension.assignedDates.laidThrough > dates.laid.laidThrough) return Math.max(dueMs, now() + DAY_MS);
  return Math.max(dueMs, now() + 30 * DAY_MS);
}

/** Schedules the extension for the next day, because the platform refused edits. */
async function scheduleExtensionTomorrow(
  deps: ExtendDeps,
  { store }: ExtensionWork,
  { record, dates, cycles }: FurtherDates,
): Promise<void> {
  const datesAfter = { ...dates, extendAtMs: deps.now() + DAY_MS };
  await deps.postponements.end(record, { dates: datesAfter, latest: record.latest });
  const cycleCountAhead = cycles.filter(({ cycleIndex }) => cycleIndex <= dates.laid.laidThrough).length;
  const logFields = {
    shopId: store.shopId,
    contract: record.contractNumber,
    ahead: cycleCountAhead,
    until: formatPlatformDate(datesAfter.extendAtMs),
  };
  if (cycleCountAhead >= MIN_DATED_ORDERS_AHEAD)
    deps.logger.warn('postponement.extension_refused', logFields);
  else deps.logger.error('postponement.extension_late', { ...logFields, alarm: 'postponement_late' });
}

function beginExtensionChange(
  { timeline, now }: ExtendDeps,
  { store, requestId }: ExtensionWork,
  intent: Pick<ChangeIntent, 'action' | 'contractId' | 'changes'>,
) {
  const origin = { shopId: store.shopId, actor: { kind: 'SERVICE' as const }, requestId, readAtMs: now() };
  return timeline.begin(origin)({ ...intent, details: {} });
}
