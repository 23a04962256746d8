/** Bulk jobs: a job searches or charges the cycles of all contracts, and its results are read afterwards. */
import { type BillingCycle, findCycleAt, findCycleByIndex } from '../../../state/billing-cycles.ts';
import { DAY_MS, formatIsoInstant } from '../../../state/instant.ts';
import { deriveUuid, takeNextId } from '../../../state/opaque-id.ts';
import type { BulkSearch, JobRecord } from '../../../state/state.ts';
import { behaviourOfStore } from '../../../state/unpublished-behaviour.ts';
import { createInvalidIdError } from '../../api-error.ts';
import { type AdminContext, type ResolverMap, typeResolvers } from '../../context.ts';
import { formatGid, requireGidTail } from '../../gid.ts';
import { type ConnectionArgs, createConnection, mapConnection } from '../../lists/connections.ts';
import { createUserErrorPayload } from '../../user-error.ts';
import { createAttempt, findChargeProblem } from './charges.ts';

type BulkChargeArgs = BulkSearch & { inventoryPolicy?: string; paymentProcessingPolicy?: string };

function resolveBulkSearch(_parent: unknown, args: BulkSearch, context: AdminContext) {
  const problem = findRangeProblem(args, context.nowMs);
  if (problem !== null) return problem;
  const job = createBulkJob(findListedCycles(args, context), context);
  if (behaviourOfStore(context.store, 'searchResults') === 'atRead') job.search = args;
  return { job };
}

function resolveBulkCharge(_parent: unknown, args: BulkChargeArgs, context: AdminContext) {
  const rangeProblem = findRangeProblem(args, context.nowMs);
  if (rangeProblem !== null) return rangeProblem;
  const cycles = findMatchingCycles(args, context).filter(
    (cycle) => cycle.contract.content.status === 'ACTIVE' && findChargeProblem(cycle, [], context) === null,
  );
  for (const cycle of cycles) {
    const { inventoryPolicy = '', paymentProcessingPolicy = null } = args;
    const idempotencyKey = `bulk-${cycle.contract.id}-${cycle.index}-${takeNextId(context.store)}`;
    createAttempt(cycle, { idempotencyKey, inventoryPolicy, paymentProcessingPolicy }, context);
  }
  return { job: createBulkJob(cycles, context) };
}

const WEEK_MS = 7 * DAY_MS;

function findRangeProblem({ billingAttemptExpectedDateRange: dateRange }: BulkSearch, nowMs: number) {
  const rangeField = ['billingAttemptExpectedDateRange'];
  if (Date.parse(dateRange.endDate) < Date.parse(dateRange.startDate)) {
    return createUserErrorPayload(
      rangeField,
      'Start date must be before end date',
      'START_DATE_BEFORE_END_DATE',
    );
  }
  if (Date.parse(dateRange.endDate) - nowMs > DAY_MS) {
    const message = 'End date cannot be more than 24 hours in the future';
    return createUserErrorPayload(rangeField, message, 'END_DATE_IN_THE_FUTURE');
  }
  if (Date.parse(dateRange.endDate) - Date.parse(dateRange.startDate) > WEEK_MS)
    return createUserErrorPayload(
      rangeField,
      'Date range cannot be longer than one week',
      'INVALID_DATE_RANGE',
    );
  return null;
}

/** Returns the cycles that match a search, of all contracts. */
function findListedCycles(search: BulkSearch, context: AdminContext): BillingCycle[] {
  const omitsSkipped = behaviourOfStore(context.store, 'skippedInSearch') === 'omitted';
  return findMatchingCycles(search, context).filter(({ skipped }) => !(skipped && omitsSkipped));
}

/**
 * Returns the cycles that are expected in the range. A moved date stays inside its cycle, so it is sufficient to search
 * the cycles that overlap the range.
 */
function findMatchingCycles(
  { billingAttemptExpectedDateRange: dateRange, filters }: BulkSearch,
  { store }: AdminContext,
): BillingCycle[] {
  const [fromMs, toMs] = [Date.parse(dateRange.startDate), Date.parse(dateRange.endDate)];
  const foundCycles: BillingCycle[] = [];
  for (const contract of store.contracts.values()) {
    if (filters?.contractStatus != null && !filters.contractStatus.includes(contract.content.status))
      continue;
    let cycle = findCycleAt(contract, fromMs) ?? findCycleByIndex(contract, 1);
    for (; cycle !== null && cycle.startMs <= toMs; cycle = findCycleByIndex(contract, cycle.index + 1)) {
      const isInRange = cycle.expectedMs >= fromMs && cycle.expectedMs <= toMs;
      const { index } = cycle;
      const hasAttempt = store.attempts
        .ofContract(contract.id)
        .some(({ cycleIndex }) => cycleIndex === index);
      if (isInRange && matchesFilters(cycle, filters ?? {}, hasAttempt)) foundCycles.push(cycle);
    }
  }
  return foundCycles;
}

function matchesFilters(
  cycle: BillingCycle,
  { billingAttemptStatus, billingCycleStatus }: NonNullable<BulkSearch['filters']>,
  hasAttempt: boolean,
): boolean {
  if (billingCycleStatus != null && !billingCycleStatus.includes(cycle.billed ? 'BILLED' : 'UNBILLED'))
    return false;
  if (billingAttemptStatus === 'HAS_ATTEMPT') return hasAttempt;
  return billingAttemptStatus === 'NO_ATTEMPT' ? !hasAttempt : true;
}

function createBulkJob(cycles: BillingCycle[], { store, nowMs }: AdminContext): JobRecord {
  const jobRecord: JobRecord = {
    id: deriveUuid(`${store.shop}/job/${takeNextId(store)}`),
    createdAt: formatIsoInstant(nowMs),
    cycleKeys: cycles.map(formatCycleKey),
  };
  store.jobs.set(jobRecord.id, jobRecord);
  return jobRecord;
}

function findJob(id: string, { store, nowMs }: AdminContext): JobRecord | undefined {
  const job = store.jobs.get(requireGidTail(id, 'Job'));
  const { jobLifetimeSeconds } = store;
  if (job === undefined || jobLifetimeSeconds == null) return job;
  return jobAgeSeconds(job, nowMs) < jobLifetimeSeconds ? job : undefined;
}

function isJobDone(job: JobRecord, { store: { jobSeconds = 0 }, nowMs }: AdminContext): boolean {
  return jobAgeSeconds(job, nowMs) >= jobSeconds;
}

function jobAgeSeconds({ createdAt }: JobRecord, nowMs: number): number {
  return createdAt === undefined ? Number.POSITIVE_INFINITY : (nowMs - Date.parse(createdAt)) / 1000;
}

/**
 * Returns the cycles that a finished job found, as they are now: they may have been skipped or billed since. A platform
 * that searches at each reading no longer lists those that match no more.
 */
function resolveBulkResults(
  _parent: unknown,
  args: ConnectionArgs & { jobId: string },
  context: AdminContext,
) {
  const { store } = context;
  const jobRecord = findJob(args.jobId, context);
  if (jobRecord === undefined && behaviourOfStore(store, 'lostJobs') === 'refused')
    throw createInvalidIdError(args.jobId);
  const isJobComplete = jobRecord !== undefined && isJobDone(jobRecord, context);
  const page = createConnection(isJobComplete ? listCycleKeys(jobRecord, context) : [], args, (key) => key);
  return mapConnection(page, (key) => {
    const [contractId = 0, index = 0] = key.split('/').map(Number);
    const contract = store.contracts.peek(contractId);
    return contract === undefined ? null : findCycleByIndex(contract, index);
  });
}

function listCycleKeys({ search, cycleKeys = [] }: JobRecord, context: AdminContext): string[] {
  return search === undefined ? cycleKeys : findListedCycles(search, context).map(formatCycleKey);
}

function formatCycleKey({ contract, index }: BillingCycle): string {
  return `${contract.id}/${index}`;
}

export const bulkChargeResolvers: ResolverMap = {
  QueryRoot: {
    job: (_parent: unknown, { id }: { id: string }, context) => findJob(id, context) ?? null,
    subscriptionBillingCycleBulkResults: resolveBulkResults,
  },
  Mutation: {
    subscriptionBillingCycleBulkCharge: resolveBulkCharge,
    subscriptionBillingCycleBulkSearch: resolveBulkSearch,
  },
  Job: typeResolvers<JobRecord>({
    id: ({ id }) => formatGid('Job', id),
    done: (job, _args, context) => isJobDone(job, context),
    query: () => ({}),
  }),
};
