/** Where no entry of a timeline tells what came of a change, the claim on its key does. */
import { isCertainlyNotDone } from '../../../lib/errors/is-outcome-unknown.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import type { ClaimedKey, ToldAnswer } from '../../../lib/storage/repeat-claim.ts';
import { concurrentRequest } from '../../../lib/timeline/claim-for.ts';
import type { RunContext } from '../../run/run-context.ts';
import type { KeyedChange } from '../../run/running-mutation.ts';

/**
 * Makes the change, and keeps how it ended unless an entry tells that. IDEMPOTENCY_CONCURRENT_REQUEST if another request
 * has the key, IDEMPOTENCY_KEY_PARAMETER_MISMATCH; else what `make` throws.
 */
export async function makeOnce<Result>(
  context: RunContext,
  { isTold, isSo = false, mayRunAgain, endOf }: KeyedChange<Result>,
  make: () => Promise<Result>,
): Promise<Result> {
  const { timeline, repeat } = context;
  if (repeat === undefined) return make();
  const { repeats } = timeline;
  // Others may change it before this is sent, so that it changes something after all: nothing is sent without a claim.
  const run = isSo ? { told: NOTHING } : { mayRunAgain };
  if (!isTold && !(await repeats.claim(repeat, run))) throw concurrentRequest(1);
  const release = () => quietly(context, isTold ? Promise.resolve() : repeats.release(repeat));
  let result: Result;
  try {
    result = await make();
  } catch (error) {
    if (isCertainlyNotDone(error)) await release();
    throw error;
  }
  const end = endOf(result);
  if (end === 'refused') await (isSo ? repeats.release(repeat) : release());
  else if (end === 'unknown' || end === 'recorded') return result;
  // Nobody must hear a refusal that a repeat would not.
  else if (!isTold && end.userErrors !== undefined) await repeats.tell(repeat, end);
  else if (!isTold) await quietly(context, isSo ? Promise.resolve() : repeats.tell(repeat, end));
  else await keepUnchanged(context, repeat, end);
  return result;
}

const NOTHING: ToldAnswer = { userErrors: [], locals: {}, ids: {} };

/** Nothing had to be changed: whoever repeats the request must not change anything later. */
async function keepUnchanged(
  context: RunContext,
  repeat: ClaimedKey,
  end: Partial<ToldAnswer>,
): Promise<void> {
  const { repeats } = context.timeline;
  const told = { ...NOTHING, ...end };
  if (await repeats.claim(repeat, { told })) return;
  const first = await repeats.findFirst(repeat);
  if (first.kind === 'other arguments') throw new ServiceError('IDEMPOTENCY_KEY_PARAMETER_MISMATCH');
}

/** The change is made: the client must hear that, whatever becomes of the claim. */
async function quietly({ logger, store }: RunContext, work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    const cause = error instanceof Error ? error.message : 'unknown';
    logger.error('the claim on a key was left as it is', { shopId: store.shopId, cause });
  });
}
