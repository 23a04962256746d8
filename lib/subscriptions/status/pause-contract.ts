/**
 * Pauses a contract, or changes end and reason of its pause. The pause record is written before the platform request,
 * so a crash cannot leave a timed pause without its end.
 */

import { formatPlatformDate } from '../../domain/instant.ts';
import { ignoreServiceError } from '../../errors/ignore-service-error.ts';
import { provesNothingChanged, runAfterChangeStarted } from '../../errors/is-outcome-unknown.ts';
import { timeZoneOf } from '../../storage/stores.ts';
import { type ChangedFact, createFact } from '../../timeline/facts.ts';
import type { ChangeIntent } from '../../timeline/run-change.ts';
import type { ContractFacts } from '../contract-facts.ts';
import { concurrentUpdateError } from '../draft/draft-refusal.ts';
import type { Operation, OperationDecision, OperationRequest, PlannedChange } from '../operation.ts';
import { createRefusedOutcome, type OperationOutcome } from '../operation-error.ts';
import { nextPauseId, type PauseRecord } from '../pause/pause-record.ts';
import type { PauseDeps } from '../pause/timed-pauses.ts';
import { readContract } from '../read-contract.ts';
import { readContractState } from '../read-contract-state.ts';
import { readSelectedObjects } from '../send-change.ts';
import { CONTRACT_ID_ARGUMENT, changeStatus } from './change-status.ts';
import { parsePauseTerms, refusePauseTerms } from './pause-terms.ts';
import { readContractForStatusChange } from './read-status.ts';

type PauseInProgress = {
  readonly request: OperationRequest;
  readonly contract: ContractFacts;
  /** The stored pause record. If the contract is not paused, this is the record of an earlier pause. */
  readonly before: PauseRecord | undefined;
  readonly after: PauseRecord;
};

/**
 * Returns the paused contract, or userErrors: CONTRACT_TERMINATED, DATE_IN_PAST, DATE_TOO_FAR, CONCURRENT_UPDATE and
 * INVALID. Sends two platform requests.
 */
export const pauseContract: Operation<PauseDeps> = (deps, request) => decide(deps, request, 1);

const MAX_ATTEMPTS = 3;

/**
 * Plans the change. A restart plans again, because a concurrent request may have paused the contract with the same
 * terms.
 */
async function decide(
  deps: PauseDeps,
  request: OperationRequest,
  attempt: number,
): Promise<OperationDecision> {
  const decision = await planPause(deps, request);
  if (!('apply' in decision)) return decision;
  const restart = async () =>
    attempt < MAX_ATTEMPTS ? decide(deps, request, attempt + 1) : createRefusedOutcome([CONCURRENT]);
  return { ...decision, restart };
}

async function planPause(deps: PauseDeps, request: OperationRequest): Promise<OperationDecision> {
  const state = await readContractForStatusChange(deps, request, { reads: { contract: '' } });
  if (state.kind === 'refused') return state.outcome;
  const { contract, ref } = state;
  const before = await deps.timedPauses.read(ref);
  const setAtMs = deps.now();
  const terms = parsePauseTerms(request, {
    timeZone: timeZoneOf(deps.store),
    nowMs: setAtMs,
    before: contract.status === 'PAUSED' ? before : undefined,
  });
  const refusal = refusePauseTerms(terms, setAtMs);
  if (refusal !== undefined) return createRefusedOutcome([refusal]);
  const set = { ...ref, ...terms, pauseId: nextPauseId(before, setAtMs), setBy: deps.actor, setAtMs };
  if (contract.status !== 'PAUSED') {
    const after = { ...set, pausedAtMs: setAtMs, pausedBy: deps.actor };
    return pause(deps, { request, contract, before, after });
  }
  if (isSameTerms(before, set))
    return readContract(deps, { contractId: contract.id, selection: request.selection });
  const after = { ...set, pausedAtMs: before?.pausedAtMs, pausedBy: before?.pausedBy };
  return changeTerms(deps, { request, contract, before, after });
}

type PauseTermsOfContract = Pick<PauseRecord, 'resumesAtMs' | 'reason'>;

function isSameTerms(
  before: PauseTermsOfContract | undefined,
  { resumesAtMs, reason }: PauseTermsOfContract,
): boolean {
  return before?.resumesAtMs === resumesAtMs && before?.reason === reason;
}

/**
 * Writes the pause record.
 * @returns undefined when it is written, `stale` when a concurrent request wrote the same end and reason, else the
 * outcome with the user error
 */
async function storePause(
  { timedPauses }: PauseDeps,
  { before, after }: Pick<PauseInProgress, 'before' | 'after'>,
): Promise<OperationOutcome | 'stale' | undefined> {
  if ((await timedPauses.set(before, after)) === 'done') return undefined;
  return isSameTerms(await timedPauses.read(after), after) ? 'stale' : createRefusedOutcome([CONCURRENT]);
}

function pause(deps: PauseDeps, { request, contract, before, after }: PauseInProgress): PlannedChange {
  const status = createFact('status', { before: contract.status, after: 'PAUSED' });
  const end = formatPlatformDate(after.resumesAtMs);
  const further = end === null ? [] : [createFact('currentPause.resumesAt', { before: null, after: end })];
  return {
    intent: { ...intentOf({ contract, after }, [status]), further },
    async apply() {
      const refused = await storePause(deps, { before, after });
      if (refused !== undefined) return refused;
      try {
        const outcome = await changeStatus(deps, request, { contractId: contract.id, to: 'PAUSED' });
        if (outcome.answered === null) await endQuietly(deps, after);
        return outcome;
      } catch (error) {
        if (provesNothingChanged(error)) await endQuietly(deps, after);
        throw error;
      }
    },
  };
}

/** Changes only the stored record, because the platform does not know the end and the reason. */
function changeTerms(deps: PauseDeps, pausing: PauseInProgress): PlannedChange {
  const { request, contract, before, after } = pausing;
  return {
    intent: intentOf(pausing, changedTerms(before, after)),
    async apply() {
      const refused = await storePause(deps, { before, after });
      if (refused !== undefined) return refused;
      return runAfterChangeStarted('a pause was changed', async () => {
        const { id: contractId } = contract;
        const { selection } = request;
        const read = await readContractState(deps, {
          contractId,
          reads: { contract: '' },
          answer: selection,
        });
        if (read.state?.contract.status !== 'PAUSED') {
          await endQuietly(deps, after);
          return createRefusedOutcome([CONCURRENT]);
        }
        return { answered: readSelectedObjects(selection, read.data), userErrors: [], errors: read.errors };
      });
    },
  };
}

function changedTerms(before: PauseTermsOfContract | undefined, after: PauseTermsOfContract): ChangedFact[] {
  const end = {
    before: formatPlatformDate(before?.resumesAtMs),
    after: formatPlatformDate(after.resumesAtMs),
  };
  return [
    ...(end.before === end.after ? [] : [createFact('currentPause.resumesAt', end)]),
    ...(before?.reason === after.reason ? [] : [createFact('currentPause.reason')]),
  ];
}

const CONCURRENT = concurrentUpdateError([CONTRACT_ID_ARGUMENT]);

function intentOf(
  { contract, after }: Pick<PauseInProgress, 'contract' | 'after'>,
  changes: ChangeIntent['changes'],
): ChangeIntent {
  const details = { until: formatPlatformDate(after.resumesAtMs), reason: after.reason ?? null };
  return { action: 'subscription_paused', contractId: contract.id, details, changes };
}

/**
 * Deletes the record of a pause that was not made. Ignores a table failure: the record has no effect while the contract
 * is not paused.
 */
async function endQuietly({ timedPauses }: PauseDeps, pause: PauseRecord): Promise<void> {
  await ignoreServiceError(() => timedPauses.end(pause));
}
