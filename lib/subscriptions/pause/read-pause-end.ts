/**
 * Reads the end of a contract's pause for the timeline. The timeline decides open intents about pauses by the stored
 * record.
 */
import { formatPlatformDate } from '../../domain/instant.ts';
import type { TimelineRef } from '../../timeline/event-record.ts';
import { createFact, type FactChange } from '../../timeline/facts.ts';
import type { ContractRef } from '../contract-ref.ts';
import type { PauseRecord, PauseRecords } from './pause-record.ts';
import type { TimedPauses } from './timed-pauses.ts';

/**
 * Returns the fact that the pause loses its end, for a change that ends the pause.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function readRemovedPauseEndFact(
  { timedPauses }: { readonly timedPauses: Pick<TimedPauses, 'read'> },
  { ref, status }: { readonly ref: ContractRef | undefined; readonly status: string },
): Promise<FactChange[]> {
  const pause = ref !== undefined && status === 'PAUSED' ? await timedPauses.read(ref) : undefined;
  return removedPauseEndFacts(pause);
}

/** Returns the fact that the pause loses its end. Empty if the pause had no end. */
export function removedPauseEndFacts(pause: Pick<PauseRecord, 'resumesAtMs'> | undefined): FactChange[] {
  const endBefore = formatPlatformDate(pause?.resumesAtMs);
  return endBefore === null ? [] : [createFact('currentPause.resumesAt', { before: endBefore, after: null })];
}

/**
 * Reads when the pause ends, as ISO 8601 in whole seconds.
 * @returns null when the pause does not end by itself
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function readPauseEnd(
  { read }: Pick<PauseRecords, 'read'>,
  { shopId, contract }: TimelineRef,
): Promise<string | null> {
  const pause = contract && (await read({ shopId, contractNumber: contract }));
  return formatPlatformDate(pause?.resumesAtMs);
}
