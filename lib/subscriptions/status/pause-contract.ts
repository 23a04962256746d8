/**
 * Pauses a contract, or changes end and reason of its pause. The pause record is written before the platform request,
 * so a crash cannot leave a timed pause without its end.
 */

import { formatPlatformDate } from '../../domain/instant.ts';
import { ignoreServiceError } from '../../errors/ignore-service-error.ts';
import { provesNothingChanged, runAfterChangeStarted } from '../../errors/is-outcome-unknown.ts';
import { timeZoneOf } from '../../storage/stores.ts';
import { createFact, type FactChange } from '../../timeline/facts.ts';
import type { ChangeIntent } from '../../timeline/run-change.ts';
import type { ContractFacts } from '../contract-facts.ts';
import { concurrentUpdateError } from '../draft/draft-refusal.ts';
import type { Operation, OperationDecision, OperationRequest, PlannedChange } from '../operation.ts';
import { createRefusedOutcome, type OperationOutcome } from '../operation-error.ts';
import { nextPauseId, type PauseRecord } from '../pause/pause-record.ts';
import type { PauseDeps } from '../pause/timed-pauses.ts';
import { readContract } from '../read-contract.ts';
import { readContractState } from '../read-contract-state.ts';
import { selectedObjectsOf } from '../send-change.ts';
import { CONTRACT_ID_ARGUMENT, changeContractStatus } from './change-contract-status.ts';
import { findPauseTermsError, parsePauseTerms } from './pause-terms.ts';
import { readContractForStatusChange } from './read-status.ts';

type PauseInProgress = {
  readonly request: OperationRequest;
  readonly contract: ContractFacts;
  /**
   * The stored pause record before the change. If the contract is not paused, this is the record of an earlier pause.
   */
  readonly recordBefore: PauseRecord | undefined;
  readonly recordAfter: PauseRecord;
};

/**
 * Returns the paused contract, or userErrors: CONTRACT_TERMINATED, DATE_IN_PAST, DATE_TOO_FAR, CONCURRENT_UPDATE and
 * INVALID. Sends two platform requests.
 */
export const pauseContract: Operation<PauseDeps> = (deps, request) => decidePauseAttempt(deps, request, 1);

const MAX_PAUSE_ATTEMPTS = 3;

/**
 * Plans the pause, with a restart that plans it again: a concurrent request may have paused the contract with the
 * same terms.
 */
async function decidePauseAttempt(
  deps: PauseDeps,
  request: OperationRequest,
  attempt: number,
): Promise<OperationDecision> {
  const pauseDecision = await planPause(deps, request);
  if (!('apply' in pauseDecision)) return pauseDecision;
  const decideAgain = async () =>
    attempt < MAX_PAUSE_ATTEMPTS
      ? decidePauseAttempt(deps, request, attempt + 1)
      : createRefusedOutcome([CONCURRENT_PAUSE_ERROR]);
  return { ...pauseDecision, restart: decideAgain };
}

async function planPause(deps: PauseDeps, request: OperationRequest): Promise<OperationDecision> {
  const contractRead = await readContractForStatusChange(deps, request, { reads: { contractSelection: '' } });
  if (contractRead.kind === 'refused') return contractRead.outcome;
  const { contract, ref } = contractRead;
  const pauseBefore = await deps.timedPauses.read(ref);
  const setAtMs = deps.now();
  const pauseTerms = parsePauseTerms(request, {
    timeZone: timeZoneOf(deps.store),
    nowMs: setAtMs,
    presentPause: contract.status === 'PAUSED' ? pauseBefore : undefined,
  });
  const termsError = findPauseTermsError(pauseTerms, setAtMs);
  if (termsError !== undefined) return createRefusedOutcome([termsError]);
  const requestedPause = {
    ...ref,
    ...pauseTerms,
    pauseId: nextPauseId(pauseBefore, setAtMs),
    setBy: deps.actor,
    setAtMs,
  };
  if (contract.status !== 'PAUSED') {
    const pauseAfter = { ...requestedPause, pausedAtMs: setAtMs, pausedBy: deps.actor };
    return planPauseMutation(deps, { request, contract, recordBefore: pauseBefore, recordAfter: pauseAfter });
  }
  if (isSameTerms(pauseBefore, requestedPause))
    return readContract(deps, { contractId: contract.id, selection: request.selection });
  const pauseAfter = {
    ...requestedPause,
    pausedAtMs: pauseBefore?.pausedAtMs,
    pausedBy: pauseBefore?.pausedBy,
  };
  return planTermsChange(deps, { request, contract, recordBefore: pauseBefore, recordAfter: pauseAfter });
}

type PauseTermsOfContract = Pick<PauseRecord, 'resumesAtMs' | 'reason'>;

function isSameTerms(
  termsBefore: PauseTermsOfContract | undefined,
  { resumesAtMs, reason }: PauseTermsOfContract,
): boolean {
  return termsBefore?.resumesAtMs === resumesAtMs && termsBefore?.reason === reason;
}

/**
 * Writes the pause record.
 * @returns undefined when the record is written, `stale` when a concurrent request has written the same end and
 * reason, otherwise the outcome with the user error
 */
async function writePauseRecord(
  { timedPauses }: PauseDeps,
  { recordBefore, recordAfter }: Pick<PauseInProgress, 'recordBefore' | 'recordAfter'>,
): Promise<OperationOutcome | 'stale' | undefined> {
  if ((await timedPauses.set(recordBefore, recordAfter)) === 'done') return undefined;
  return isSameTerms(await timedPauses.read(recordAfter), recordAfter)
    ? 'stale'
    : createRefusedOutcome([CONCURRENT_PAUSE_ERROR]);
}

function planPauseMutation(
  deps: PauseDeps,
  { request, contract, recordBefore, recordAfter }: PauseInProgress,
): PlannedChange {
  const statusFact = createFact('status', { before: contract.status, after: 'PAUSED' });
  const resumeDate = formatPlatformDate(recordAfter.resumesAtMs);
  const pauseEndChanges =
    resumeDate === null ? [] : [createFact('currentPause.resumesAt', { before: null, after: resumeDate })];
  return {
    intent: { ...toPauseIntent({ contract, recordAfter }, [statusFact]), further: pauseEndChanges },
    async apply() {
      const pauseRefusal = await writePauseRecord(deps, { recordBefore, recordAfter });
      if (pauseRefusal !== undefined) return pauseRefusal;
      try {
        const outcome = await changeContractStatus(deps, request, {
          contractId: contract.id,
          targetStatus: 'PAUSED',
        });
        if (outcome.selectedFields === null) await deletePauseQuietly(deps, recordAfter);
        return outcome;
      } catch (error) {
        if (provesNothingChanged(error)) await deletePauseQuietly(deps, recordAfter);
        throw error;
      }
    },
  };
}

/** Changes only the stored record, because the platform does not know the end and the reason. */
function planTermsChange(deps: PauseDeps, pauseInProgress: PauseInProgress): PlannedChange {
  const { request, contract, recordBefore, recordAfter } = pauseInProgress;
  return {
    intent: toPauseIntent(pauseInProgress, listChangedTerms(recordBefore, recordAfter)),
    async apply() {
      const pauseRefusal = await writePauseRecord(deps, { recordBefore, recordAfter });
      if (pauseRefusal !== undefined) return pauseRefusal;
      return runAfterChangeStarted('a pause was changed', async () => {
        const { id: contractId } = contract;
        const { selection } = request;
        const stateRead = await readContractState(deps, {
          contractId,
          reads: { contractSelection: '' },
          selection,
        });
        if (stateRead.state?.contract.status !== 'PAUSED') {
          await deletePauseQuietly(deps, recordAfter);
          return createRefusedOutcome([CONCURRENT_PAUSE_ERROR]);
        }
        return {
          selectedFields: selectedObjectsOf(selection, stateRead.data),
          userErrors: [],
          errors: stateRead.errors,
        };
      });
    },
  };
}

function listChangedTerms(
  termsBefore: PauseTermsOfContract | undefined,
  termsAfter: PauseTermsOfContract,
): FactChange[] {
  const resumeDates = {
    before: formatPlatformDate(termsBefore?.resumesAtMs),
    after: formatPlatformDate(termsAfter.resumesAtMs),
  };
  return [
    ...(resumeDates.before === resumeDates.after ? [] : [createFact('currentPause.resumesAt', resumeDates)]),
    ...(termsBefore?.reason === termsAfter.reason ? [] : [createFact('currentPause.reason')]),
  ];
}

const CONCURRENT_PAUSE_ERROR = concurrentUpdateError([CONTRACT_ID_ARGUMENT]);

function toPauseIntent(
  { contract, recordAfter }: Pick<PauseInProgress, 'contract' | 'recordAfter'>,
  changes: ChangeIntent['changes'],
): ChangeIntent {
  const eventDetails = {
    until: formatPlatformDate(recordAfter.resumesAtMs),
    reason: recordAfter.reason ?? null,
  };
  return { action: 'subscription_paused', contractId: contract.id, details: eventDetails, changes };
}

/**
 * Deletes the record of a pause that was not made. Ignores a table failure: the record has no effect while the contract
 * is not paused.
 */
async function deletePauseQuietly({ timedPauses }: PauseDeps, pause: PauseRecord): Promise<void> {
  await ignoreServiceError(() => timedPauses.end(pause));
}
