/** The end of a contract's pause, for the timeline, which settles changes of pauses by the stored record. */
import { dateText } from '../../domain/instant.ts';
import { type ChangedFact, pauseEndFact } from '../../timeline/changed-fact.ts';
import type { TimelineRef } from '../../timeline/event-record.ts';
import type { ContractRef } from '../contract-ref.ts';
import type { PauseRecord, PauseRecords } from './pause-record.ts';
import type { TimedPauses } from './timed-pauses.ts';

/**
 * Returns the fact that the pause's end is removed, for a change that ends a pause.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function endThatGoes(
  { timedPauses }: { readonly timedPauses: Pick<TimedPauses, 'read'> },
  { ref, status }: { readonly ref: ContractRef | undefined; readonly status: string },
): Promise<ChangedFact[]> {
  const pause = ref !== undefined && status === 'PAUSED' ? await timedPauses.read(ref) : undefined;
  return pauseEndFacts(pause);
}

/** Returns the removed end of a pause; empty if the pause had none. */
export function pauseEndFacts(pause: Pick<PauseRecord, 'resumesAtMs'> | undefined): ChangedFact[] {
  const before = dateText(pause?.resumesAtMs);
  return before === null ? [] : [pauseEndFact({ before, after: null })];
}

/**
 * Reads when the pause ends, in the platform's date format.
 * @returns null when it does not end automatically
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readPauseEnd(
  { read }: Pick<PauseRecords, 'read'>,
  { shopId, contract }: TimelineRef,
): Promise<string | null> {
  const pause = contract && (await read({ shopId, contractNumber: contract }));
  return dateText(pause?.resumesAtMs);
}
