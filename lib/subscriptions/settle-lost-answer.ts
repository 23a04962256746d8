/** The answer to a change may be lost. If the change is one request, a read may tell what came of it. */
import { ifAnswered } from '../errors/if-answered.ts';
import { isOutcomeUnknown } from '../errors/is-outcome-unknown.ts';
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
    if (!isOutcomeUnknown(lost)) throw lost;
    const found = await ifAnswered(find);
    if (found === undefined) throw lost;
    return { ...found, isSeen: true };
  }
}
