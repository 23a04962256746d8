/** Where no entry of a timeline tells what came of a change, the claim on its key does. */
import { isCertainlyNotDone } from '../../../lib/errors/is-outcome-unknown.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import type { ClaimedKey, StoredResponse } from '../../../lib/storage/idempotency-record.ts';
import { concurrentRequest } from '../../../lib/timeline/idempotency-records.ts';
import type { KeyedChange } from '../../plan/mutation-run.ts';
import type { RunContext } from '../../plan/run-context.ts';

/**
 * Makes the change, and keeps how it ended unless an entry tells that. IDEMPOTENCY_CONCURRENT_REQUEST if another request
 * has the key, IDEMPOTENCY_KEY_PARAMETER_MISMATCH; else what `make` throws.
 */
export async function makeOnce<Result>(
  context: RunContext,
  { isRecorded, isNoOp = false, mayRunAgain, endOf }: KeyedChange<Result>,
  make: () => Promise<Result>,
): Promise<Result> {
  const { timeline, idempotentRequest } = context;
  if (idempotentRequest === undefined) return make();
  const { idempotency } = timeline;
  // Others may change it before this is sent, so that it changes something after all: nothing is sent without a claim.
  const run = isNoOp ? { storedResponse: NOTHING } : { mayRunAgain };
  if (!isRecorded && !(await idempotency.claim(idempotentRequest, run))) throw concurrentRequest(1);
  const release = () =>
    quietly(context, isRecorded ? Promise.resolve() : idempotency.release(idempotentRequest));
  let result: Result;
  try {
    result = await make();
  } catch (error) {
    if (isCertainlyNotDone(error)) await release();
    throw error;
  }
  const end = endOf(result);
  if (end === 'refused') await (isNoOp ? idempotency.release(idempotentRequest) : release());
  else if (end === 'unknown' || end === 'recorded') return result;
  // Nobody must hear a refusal that a repeat would not.
  else if (!isRecorded && end.userErrors !== undefined)
    await idempotency.storeResponse(idempotentRequest, end);
  else if (!isRecorded)
    await quietly(context, isNoOp ? Promise.resolve() : idempotency.storeResponse(idempotentRequest, end));
  else await keepUnchanged(context, idempotentRequest, end);
  return result;
}

const NOTHING: StoredResponse = { userErrors: [], locals: {}, ids: {} };

/** Nothing had to be changed: whoever repeats the request must not change anything later. */
async function keepUnchanged(
  context: RunContext,
  idempotentRequest: ClaimedKey,
  end: Partial<StoredResponse>,
): Promise<void> {
  const { idempotency } = context.timeline;
  const storedResponse = { ...NOTHING, ...end };
  if (await idempotency.claim(idempotentRequest, { storedResponse })) return;
  const first = await idempotency.findFirst(idempotentRequest);
  if (first.kind === 'other arguments') throw new ServiceError('IDEMPOTENCY_KEY_PARAMETER_MISMATCH');
}

/** The change is made: the client must hear that, whatever becomes of the claim. */
async function quietly({ logger, store }: RunContext, work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    const cause = error instanceof Error ? error.message : 'unknown';
    logger.error('idempotency_record.update_failed', { shopId: store.shopId, cause });
  });
}
