/** The end of a contract's pause, for the timeline: it settles changes of pauses by what is kept here. */
import { dateText } from '../../domain/instant.ts';
import { type ChangedFact, pauseEndFact } from '../../timeline/changed-fact.ts';
import type { TimelineRef } from '../../timeline/event-record.ts';
import type { ContractRef } from '../contract-ref.ts';
import type { PauseRecord, PauseRecords } from './pause-record.ts';
import type { TimedPauses } from './timed-pauses.ts';

/** The end that goes with a contract's pause, among what is told of it. TEMPORARILY_UNAVAILABLE. */
export async function endThatGoes(
  { timedPauses }: { readonly timedPauses: Pick<TimedPauses, 'read'> },
  { ref, status }: { readonly ref: ContractRef | undefined; readonly status: string },
): Promise<ChangedFact[]> {
  const pause = ref !== undefined && status === 'PAUSED' ? await timedPauses.read(ref) : undefined;
  return pauseEndFacts(pause);
}

/** The end of a pause that is over; none if it had none. */
export function pauseEndFacts(pause: Pick<PauseRecord, 'resumesAtMs'> | undefined): ChangedFact[] {
  const before = dateText(pause?.resumesAtMs);
  return before === null ? [] : [pauseEndFact({ before, after: null })];
}

/** When the pause ends by itself, as the platform writes dates; null: not by itself. TEMPORARILY_UNAVAILABLE. */
export async function readPauseEnd(
  { read }: Pick<PauseRecords, 'read'>,
  { shopId, contract }: TimelineRef,
): Promise<string | null> {
  const pause = contract && (await read({ shopId, contractNumber: contract }));
  return dateText(pause?.resumesAtMs);
}
