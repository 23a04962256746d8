/**
 * Pauses a contract, or changes the end and the reason of its pause. The pause's record is written before the
 * platform request, so a timed pause always has its end.
 */

import { dateText } from '../../domain/instant.ts';
import { ifAnswered } from '../../errors/if-answered.ts';
import { isCertainlyNotDone } from '../../errors/is-outcome-unknown.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { ChangeIntent } from '../../timeline/begin-change.ts';
import { type ChangedFact, pauseEndFact, pauseReasonFact, statusFact } from '../../timeline/changed-fact.ts';
import { answeredAt } from '../answer-selection.ts';
import type { ContractFacts } from '../contract-facts.ts';
import { concurrentUpdate } from '../draft/draft-refusal.ts';
import type { Operation, OperationRequest } from '../operation.ts';
import { type OperationOutcome, refusedWith } from '../operation-error.ts';
import { nextPauseId, type PauseRecord } from '../pause/pause-record.ts';
import type { PauseDeps } from '../pause/timed-pauses.ts';
import { readContract } from '../read-contract.ts';
import { readContractState } from '../read-contract-state.ts';
import { recordedChange } from '../recorded-change.ts';
import { CONTRACT_ARGUMENT, changeStatus } from './change-status.ts';
import { pauseTermsOf, refuseTerms } from './pause-terms.ts';
import { readStatus } from './read-status.ts';

type Pausing = {
  readonly request: OperationRequest;
  readonly contract: ContractFacts;
  /** The stored record of the pause; if the contract is not paused, the record of an earlier pause. */
  readonly before: PauseRecord | undefined;
  readonly after: PauseRecord;
};

/**
 * Returns the paused contract, or userErrors: CONTRACT_TERMINATED, DATE_IN_PAST, DATE_TOO_FAR, CONCURRENT_UPDATE,
 * INVALID. Sends two platform requests.
 */
export const pauseContract: Operation<PauseDeps> = async (deps, request) => {
  for (let restarts = 0; restarts < MAX_RESTARTS; restarts++) {
    const outcome = await attempt(deps, request);
    if (outcome !== OVERTAKEN) return outcome;
  }
  return OVERTAKEN;
};

const MAX_RESTARTS = 3;
/** A concurrent request wrote a pause with the same terms: after a restart there may be nothing to do. */
const OVERTAKEN = refusedWith([concurrentUpdate([CONTRACT_ARGUMENT])]);

async function attempt(deps: PauseDeps, request: OperationRequest): Promise<OperationOutcome> {
  const state = await readStatus(deps, request, { reads: { contract: '' } });
  if (state.kind === 'refused') return state.outcome;
  const terms = pauseTermsOf(request);
  const refusal = refuseTerms(terms, deps.now());
  if (refusal !== undefined) return refusedWith([refusal]);
  const { contract, ref } = state;
  const before = await deps.timedPauses.read(ref);
  const setAtMs = deps.now();
  const set = { ...ref, ...terms, pauseId: nextPauseId(before, setAtMs), setBy: deps.actor, setAtMs };
  if (contract.status !== 'PAUSED') {
    const after = { ...set, pausedAtMs: setAtMs, pausedBy: deps.actor };
    return pause(deps, { request, contract, before, after });
  }
  if (isSame(before, set))
    return readContract(deps, { contractId: contract.id, selection: request.selection });
  const after = { ...set, pausedAtMs: before?.pausedAtMs, pausedBy: before?.pausedBy };
  return changeTerms(deps, { request, contract, before, after });
}

type Terms = Pick<PauseRecord, 'resumesAtMs' | 'reason'>;

function isSame(before: Terms | undefined, { resumesAtMs, reason }: Terms): boolean {
  return before?.resumesAtMs === resumesAtMs && before?.reason === reason;
}

/**
 * Writes the pause's record.
 * @returns undefined when it is written, else the outcome
 */
async function storePause(
  { timedPauses }: PauseDeps,
  { before, after }: Pick<Pausing, 'before' | 'after'>,
): Promise<OperationOutcome | undefined> {
  if ((await timedPauses.set(before, after)) === 'done') return undefined;
  return isSame(await timedPauses.read(after), after) ? OVERTAKEN : refusedWith([CONCURRENT]);
}

function pause(deps: PauseDeps, { request, contract, before, after }: Pausing): Promise<OperationOutcome> {
  const status = statusFact({ before: contract.status, after: 'PAUSED' });
  const end = dateText(after.resumesAtMs);
  const further = end === null ? [] : [pauseEndFact({ before: null, after: end })];
  return recordedChange(deps, { ...intentOf({ contract, after }, [status]), further }, async () => {
    const refused = await storePause(deps, { before, after });
    if (refused !== undefined) return refused;
    try {
      const outcome = await changeStatus(deps, request, { contractId: contract.id, to: 'PAUSED' });
      if (outcome.answered === null) await endQuietly(deps, after);
      return outcome;
    } catch (error) {
      if (isCertainlyNotDone(error)) await endQuietly(deps, after);
      throw error;
    }
  });
}

/** Changes only the stored record: the platform has nothing to change. */
function changeTerms(deps: PauseDeps, pausing: Pausing): Promise<OperationOutcome> {
  const { request, contract, before, after } = pausing;
  return recordedChange(deps, intentOf(pausing, changedTerms(before, after)), async () => {
    const refused = await storePause(deps, { before, after });
    if (refused !== undefined) return refused;
    try {
      const { id: contractId } = contract;
      const { selection } = request;
      const read = await readContractState(deps, { contractId, reads: { contract: '' }, answer: selection });
      if (read.state?.contract.status !== 'PAUSED') {
        await endQuietly(deps, after);
        return refusedWith([CONCURRENT]);
      }
      return { answered: answeredAt(selection, read.data), userErrors: [], errors: read.errors };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw new ServiceError('OUTCOME_UNKNOWN', {
        internal: `a pause was changed: ${error.message}`,
        cause: error,
      });
    }
  });
}

function changedTerms(before: Terms | undefined, after: Terms): ChangedFact[] {
  const end = { before: dateText(before?.resumesAtMs), after: dateText(after.resumesAtMs) };
  return [
    ...(end.before === end.after ? [] : [pauseEndFact(end)]),
    ...(before?.reason === after.reason ? [] : [pauseReasonFact()]),
  ];
}

const CONCURRENT = concurrentUpdate([CONTRACT_ARGUMENT]);

function intentOf(
  { contract, after }: Pick<Pausing, 'contract' | 'after'>,
  changes: ChangeIntent['changes'],
): ChangeIntent {
  const details = { until: dateText(after.resumesAtMs), reason: after.reason ?? null };
  return { action: 'subscription_paused', contractId: contract.id, details, changes };
}

/**
 * Deletes the record of a pause that was not made. The record is ignored, so it may stay if the table does not
 * respond.
 */
async function endQuietly({ timedPauses }: PauseDeps, pause: PauseRecord): Promise<void> {
  await ifAnswered(() => timedPauses.end(pause));
}
