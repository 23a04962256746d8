/** The end of a contract's pause, for the timeline: it settles changes of pauses by what is kept here. */
import { dateText } from '../../domain/instant.ts';
import type { TimelineRef } from '../../timeline/event-record.ts';
import type { PauseRecords } from './pause-record.ts';

/** When the pause ends by itself, as the platform writes dates; null: not by itself. TEMPORARILY_UNAVAILABLE. */
export async function readPauseEnd(
  { read }: Pick<PauseRecords, 'read'>,
  { shopId, contract }: TimelineRef,
): Promise<string | null> {
  const pause = contract && (await read({ shopId, contractNumber: contract }));
  return dateText(pause?.resumesAtMs);
}
