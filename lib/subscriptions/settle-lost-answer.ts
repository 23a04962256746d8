/** A change that takes one request: if its answer is lost, a read may tell what came of it. */
import { ServiceError } from '../errors/service-error.ts';
import type { RecordedOutcome } from './recorded-change.ts';

/**
 * The outcome of `change`, or what `find` finds of it. OUTCOME_UNKNOWN if that is nothing: a change that is not to
 * be seen may still be on its way.
 */
export async function settleLostAnswer(
  change: () => Promise<RecordedOutcome>,
  find: () => Promise<RecordedOutcome | undefined>,
): Promise<RecordedOutcome> {
  try {
    return await change();
  } catch (lost) {
    if (!(lost instanceof ServiceError) || lost.code !== 'OUTCOME_UNKNOWN') throw lost;
    const found = await find().catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
    });
    if (found === undefined) throw lost;
    return { ...found, isSeen: true };
  }
}
