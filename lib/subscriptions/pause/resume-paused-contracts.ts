/**
 * Resumes contracts of one store whose pause has ended. Sends two platform requests for all of them, and writes an
 * intent and a timeline entry for each.
 */
import { awaitAll } from '../../domain/await-all.ts';
import { provesNothingChanged } from '../../errors/is-outcome-unknown.ts';
import type { Logger } from '../../observability/logger.ts';
import { failedReadError } from '../../platform/admin-api/missing-access.ts';
import { MUTATION_POINTS } from '../../platform/admin-api/query-points.ts';
import type { SendWithinBudget } from '../../platform/admin-api/send-within-budget.ts';
import type { ScheduledTask, ScheduledTasks } from '../../storage/scheduled-tasks.ts';
import type { StoreRecord, Stores } from '../../storage/stores.ts';
import { type ContractNumber, contractGid } from '../../timeline/event-record.ts';
import { createFact } from '../../timeline/facts.ts';
import type { OpenChange } from '../../timeline/run-change.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import type { PlatformUserError } from '../operation-error.ts';
import type { PauseRecord } from './pause-record.ts';
import { toRemovedPauseEndChanges } from './read-pause-end.ts';
import type { TimedPauseRepository } from './timed-pauses.ts';

export type ResumeContractsDeps = {
  readonly stores: Pick<Stores, 'find'>;
  readonly scheduledTasks: Pick<ScheduledTasks, 'listDue' | 'remove'>;
  readonly timedPauses: TimedPauseRepository;
  readonly timeline: Pick<Timeline, 'begin'>;
  readonly sendWithinBudget: SendWithinBudget;
  readonly platformGidNamespace: string;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly now: () => number;
};

type PauseBatch = {
  readonly store: StoreRecord;
  /** The due scheduled tasks of this store's pauses. */
  readonly dueTasks: readonly ScheduledTask[];
  readonly runEndsAtMs: number;
  readonly requestId: string;
};

/** A contract that is being resumed, with its open intent. */
type ResumingContract = { readonly pause: PauseRecord; readonly openChange: OpenChange };
type ActivationPayload = { readonly _svcErrors: readonly PlatformUserError[] } | null | undefined;

/**
 * How long a pause stays claimed for resuming its contract: longer than any platform request takes, including its
 * wait for the store's points.
 */
const RESUMPTION_CLAIM_MS = 120_000;
/**
 * How long a scheduled task is kept that has no pause. The task is written before the pause, so the task of a very
 * short pause may be due before the pause exists.
 */
const ORPHANED_SCHEDULED_TASK_TTL_MS = 3_600_000;

/**
 * Resumes the contracts whose stored pause is due. Returns how many were resumed. If the outcome of a change is
 * unknown, its intent stays open; the next run decides it before it resumes contracts.
 * @throws the errors of the Admin API client
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function resumePausedContracts(deps: ResumeContractsDeps, batch: PauseBatch): Promise<number> {
  const duePauses = await readDuePauses(deps, batch);
  if (duePauses.length === 0) return 0;
  const readAtMs = deps.now();
  const contractStatuses = await readContractStatuses(deps, batch, duePauses);
  const claimedPauses: PauseRecord[] = [];
  for (const [index, pause] of duePauses.entries()) {
    if (contractStatuses[index] !== 'PAUSED') await deps.timedPauses.end(pause);
    else if ((await claimResumption(deps, pause)) === 'done') claimedPauses.push(pause);
  }
  if (claimedPauses.length === 0) return 0;
  const beginChange = deps.timeline.begin({
    shopId: batch.store.shopId,
    actor: { kind: 'SERVICE' },
    requestId: batch.requestId,
    readAtMs,
  });
  const resumingContracts = await awaitAll(
    claimedPauses.map(async (pause): Promise<ResumingContract> => {
      const statusChanges = [createFact('status', { before: 'PAUSED', after: 'ACTIVE' })];
      const removedPauseEndChanges = toRemovedPauseEndChanges(pause);
      const contractId = contractGidOf(deps, pause);
      return {
        pause,
        openChange: await beginChange({
          action: 'subscription_resumed',
          contractId,
          details: {},
          changes: statusChanges,
          further: removedPauseEndChanges,
        }),
      };
    }),
  );
  const payloads = await activateContracts(deps, batch, resumingContracts);
  const wereResumed = await awaitAll(
    resumingContracts.map((one, index) => concludeResumption(deps, one, payloads[index])),
  );
  return wereResumed.filter(Boolean).length;
}

/**
 * Returns the pauses that belong to the scheduled tasks. Removes an old scheduled task whose pause was replaced or
 * removed.
 */
async function readDuePauses(
  { timedPauses, scheduledTasks, now }: ResumeContractsDeps,
  { dueTasks }: PauseBatch,
): Promise<PauseRecord[]> {
  const pauseRecords = await awaitAll(
    dueTasks.map(async (dueTask) => {
      const { contractNumber, pauseId } = dueTask.payload;
      const { shopId, dueAtMs } = dueTask;
      const pause = await timedPauses.read({ shopId, contractNumber: contractNumber as ContractNumber });
      if (pause?.pauseId === pauseId && pause?.resumesAtMs === dueAtMs) return pause;
      if (dueAtMs + ORPHANED_SCHEDULED_TASK_TTL_MS < now()) await scheduledTasks.remove(dueTask);
      return undefined;
    }),
  );
  return pauseRecords.filter((pause) => pause !== undefined);
}

function claimResumption(
  { timedPauses, now }: ResumeContractsDeps,
  pause: PauseRecord,
): Promise<'done' | 'refused'> {
  const nowMs = now();
  return timedPauses.claim(pause, { nowMs, untilMs: nowMs + RESUMPTION_CLAIM_MS });
}

/**
 * Reads the status of each contract, in the order of the pauses. The status is undefined for a contract that no longer
 * exists.
 * @throws PLATFORM_UNAVAILABLE when the platform does not return the statuses
 */
async function readContractStatuses(
  deps: ResumeContractsDeps,
  { store, runEndsAtMs }: PauseBatch,
  pauses: readonly PauseRecord[],
): Promise<(string | undefined)[]> {
  const document = 'query($ids: [ID!]!) { nodes(ids: $ids) { ... on SubscriptionContract { status } } }';
  const { data, errors } = await deps.sendWithinBudget({
    store,
    document,
    variables: { ids: pauses.map((pause) => contractGidOf(deps, pause)) },
    mutates: false,
    costKey: `${document} ${pauses.length}`,
    endAtMs: runEndsAtMs,
  });
  const nodes = data?.nodes as readonly ({ readonly status?: string } | null)[] | undefined;
  if (errors.length > 0 || nodes?.length !== pauses.length) throw failedReadError('statuses', errors);
  return nodes.map((node) => node?.status);
}

/**
 * Activates the contracts with one document. The platform runs its mutations in order, and each one can fail without
 * affecting the others.
 */
async function activateContracts(
  deps: ResumeContractsDeps,
  { store, runEndsAtMs }: PauseBatch,
  resumingContracts: readonly ResumingContract[],
): Promise<ActivationPayload[]> {
  const rootAliases = resumingContracts.map((_, index) => `c${index}`);
  const variableDeclarations = rootAliases.map((name) => `$${name}: ID!`).join(', ');
  const rootFields = rootAliases.map(
    (name) =>
      `${name}: subscriptionContractActivate(subscriptionContractId: $${name}) { _svcErrors: userErrors { field message code } }`,
  );
  const document = `mutation(${variableDeclarations}) { ${rootFields.join(' ')} }`;
  const contractIdsByAlias = resumingContracts.map(({ pause }, index) => [
    rootAliases[index],
    contractGidOf(deps, pause),
  ]);
  try {
    const variables = Object.fromEntries(contractIdsByAlias);
    const expectedCost = resumingContracts.length * MUTATION_POINTS;
    const activationRequest = { store, document, variables, mutates: true, costKey: document, expectedCost };
    const { data } = await deps.sendWithinBudget({ ...activationRequest, endAtMs: runEndsAtMs });
    return rootAliases.map((name) => data?.[name] as ActivationPayload);
  } catch (error) {
    if (provesNothingChanged(error))
      await awaitAll(resumingContracts.map(({ openChange }) => openChange.settleAsNotDone()));
    throw error;
  }
}

/**
 * Records the outcome of one contract in the timeline. Returns whether the contract was resumed. Removes the pause
 * record if the contract was resumed or has ended.
 */
async function concludeResumption(
  deps: ResumeContractsDeps,
  { pause, openChange }: ResumingContract,
  payload: ActivationPayload,
): Promise<boolean> {
  const { shopId, contractNumber: contract } = pause;
  if (!payload) {
    deps.logger.warn('pause.end_unconfirmed', { shopId, contract });
    return false;
  }
  const [activationError] = payload._svcErrors;
  if (activationError === undefined) {
    await openChange.settleAsDone();
    await deps.timedPauses.end(pause);
    deps.logger.info('pause.ended', { shopId, contract });
    return true;
  }
  await openChange.settleAsNotDone();
  if (activationError.code === 'CONTRACT_TERMINATED') await deps.timedPauses.end(pause);
  else deps.logger.warn('pause.end_refused', { shopId, contract, errorCode: activationError.code });
  return false;
}

function contractGidOf(
  { platformGidNamespace }: ResumeContractsDeps,
  { contractNumber }: PauseRecord,
): string {
  return contractGid(contractNumber, platformGidNamespace);
}
