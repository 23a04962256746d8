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
import { removedPauseEndFacts } from './read-pause-end.ts';
import type { TimedPauses } from './timed-pauses.ts';

export type ResumeContractsDeps = {
  readonly stores: Pick<Stores, 'find'>;
  readonly scheduledTasks: Pick<ScheduledTasks, 'listDue' | 'remove'>;
  readonly timedPauses: TimedPauses;
  readonly timeline: Pick<Timeline, 'begin'>;
  readonly sendWithinBudget: SendWithinBudget;
  readonly platformGidNamespace: string;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly now: () => number;
};

type PauseBatch = {
  readonly store: StoreRecord;
  /** Scheduled tasks of this store's pauses. */
  readonly due: readonly ScheduledTask[];
  readonly endAtMs: number;
  readonly requestId: string;
};

/** A contract that is being resumed, with its open intent. */
type ResumingContract = { readonly pause: PauseRecord; readonly open: OpenChange };
type ActivationPayload = { readonly _svcErrors: readonly PlatformUserError[] } | null | undefined;

/**
 * How long a pause stays claimed. Longer than any platform request, including the time that it waits for the store's
 * points.
 */
const RESUMPTION_CLAIM_MS = 120_000;
/**
 * How long a scheduled task without its pause is kept. The scheduled task is written before the pause, so the item of a very short
 * pause may be due before the pause exists.
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
      const removedEndFacts = removedPauseEndFacts(pause);
      const contractId = contractGidOf(deps, pause);
      return {
        pause,
        open: await beginChange({
          action: 'subscription_resumed',
          contractId,
          details: {},
          changes: statusChanges,
          further: removedEndFacts,
        }),
      };
    }),
  );
  const payloads = await activateContracts(deps, batch, resumingContracts);
  const done = await awaitAll(
    resumingContracts.map((one, index) => concludeResumption(deps, one, payloads[index])),
  );
  return done.filter(Boolean).length;
}

/** Returns the pauses that belong to the scheduled tasks. Removes an old item whose pause was replaced. */
async function readDuePauses(
  { timedPauses, scheduledTasks, now }: ResumeContractsDeps,
  { due }: PauseBatch,
): Promise<PauseRecord[]> {
  const pauseRecords = await awaitAll(
    due.map(async (item) => {
      const { contractNumber, pauseId } = item.payload;
      const { shopId, dueAtMs } = item;
      const pause = await timedPauses.read({ shopId, contractNumber: contractNumber as ContractNumber });
      if (pause?.pauseId === pauseId && pause?.resumesAtMs === dueAtMs) return pause;
      if (dueAtMs + ORPHANED_SCHEDULED_TASK_TTL_MS < now()) await scheduledTasks.remove(item);
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
  { store, endAtMs }: PauseBatch,
  pauses: readonly PauseRecord[],
): Promise<(string | undefined)[]> {
  const document = 'query($ids: [ID!]!) { nodes(ids: $ids) { ... on SubscriptionContract { status } } }';
  const { data, errors } = await deps.sendWithinBudget({
    store,
    document,
    variables: { ids: pauses.map((pause) => contractGidOf(deps, pause)) },
    mutates: false,
    costKey: `${document} ${pauses.length}`,
    endAtMs,
  });
  const nodes = data?.nodes as readonly ({ readonly status?: string } | null)[] | undefined;
  if (errors.length > 0 || nodes?.length !== pauses.length) throw failedReadError('statuses', errors);
  return nodes.map((node) => node?.status);
}

/**
 * Sends all mutations in one document. The platform runs them in order, and each one can fail without affecting the
 * others.
 */
async function activateContracts(
  deps: ResumeContractsDeps,
  { store, endAtMs }: PauseBatch,
  resuming: readonly ResumingContract[],
): Promise<ActivationPayload[]> {
  const rootAliases = resuming.map((_, index) => `c${index}`);
  const variableDeclarations = rootAliases.map((name) => `$${name}: ID!`).join(', ');
  const rootFields = rootAliases.map(
    (name) =>
      `${name}: subscriptionContractActivate(subscriptionContractId: $${name}) { _svcErrors: userErrors { field message code } }`,
  );
  const document = `mutation(${variableDeclarations}) { ${rootFields.join(' ')} }`;
  const ids = resuming.map(({ pause }, index) => [rootAliases[index], contractGidOf(deps, pause)]);
  try {
    const variables = Object.fromEntries(ids);
    const expectedCost = resuming.length * MUTATION_POINTS;
    const sent = { store, document, variables, mutates: true, costKey: document, expectedCost };
    const { data } = await deps.sendWithinBudget({ ...sent, endAtMs });
    return rootAliases.map((name) => data?.[name] as ActivationPayload);
  } catch (error) {
    if (provesNothingChanged(error)) await awaitAll(resuming.map(({ open }) => open.settleAsNotDone()));
    throw error;
  }
}

/** Records the outcome. Returns true if the contract was resumed. Removes the pause also if the contract has ended. */
async function concludeResumption(
  deps: ResumeContractsDeps,
  { pause, open }: ResumingContract,
  payload: ActivationPayload,
): Promise<boolean> {
  const { shopId, contractNumber: contract } = pause;
  if (!payload) {
    deps.logger.warn('pause.end_unconfirmed', { shopId, contract });
    return false;
  }
  const [activationError] = payload._svcErrors;
  if (activationError === undefined) {
    await open.settleAsDone();
    await deps.timedPauses.end(pause);
    deps.logger.info('pause.ended', { shopId, contract });
    return true;
  }
  await open.settleAsNotDone();
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
