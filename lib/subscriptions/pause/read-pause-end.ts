/** Reads when a contract's pause ends, for the timeline: a change that ends the pause also removes its stored end. */
import { formatPlatformDate } from '../../domain/instant.ts';
import type { TimelineRef } from '../../timeline/event-record.ts';
import { createFact, type FactChange } from '../../timeline/facts.ts';
import type { ContractRef } from '../contract-ref.ts';
import type { PauseRecord, PauseRecordRepository } from './pause-record.ts';
import type { TimedPauseRepository } from './timed-pauses.ts';

/**
 * Returns the change of the field `currentPause.resumesAt` that a change of the contract makes when it ends the pause.
 * Empty if the contract is not paused, or its pause has no end.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function readRemovedPauseEndChanges(
  { timedPauses }: { readonly timedPauses: Pick<TimedPauseRepository, 'read'> },
  { ref, status }: { readonly ref: ContractRef | undefined; readonly status: string },
): Promise<FactChange[]> {
  const pause = ref !== undefined && status === 'PAUSED' ? await timedPauses.read(ref) : undefined;
  return toRemovedPauseEndChanges(pause);
}

/** Returns the change of the field `currentPause.resumesAt` that ending this pause makes. Empty if it has no end. */
export function toRemovedPauseEndChanges(pause: Pick<PauseRecord, 'resumesAtMs'> | undefined): FactChange[] {
  const endBefore = formatPlatformDate(pause?.resumesAtMs);
  return endBefore === null ? [] : [createFact('currentPause.resumesAt', { before: endBefore, after: null })];
}

/**
 * Reads when the pause ends, as ISO 8601 in whole seconds.
 * @returns null when the pause does not end by itself
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function readPauseEnd(
  { read }: Pick<PauseRecordRepository, 'read'>,
  { shopId, contract }: TimelineRef,
): Promise<string | null> {
  const pause = contract && (await read({ shopId, contractNumber: contract }));
  return formatPlatformDate(pause?.resumesAtMs);
}
