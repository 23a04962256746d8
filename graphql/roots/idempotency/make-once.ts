/** Makes a change with an idempotency key once. The key's record stores the outcome if no timeline entry has it. */
import { isCertainlyNotDone } from '../../../lib/errors/is-outcome-unknown.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import type { ClaimedKey, StoredResponse } from '../../../lib/storage/idempotency-record.ts';
import { concurrentRequest } from '../../../lib/timeline/idempotency-records.ts';
import type { KeyedChange } from '../../plan/mutation-run.ts';
import type { RunContext } from '../../plan/run-context.ts';

/**
 * Makes the change, and stores its outcome unless a timeline entry has it.
 * @throws IDEMPOTENCY_CONCURRENT_REQUEST when another request has the key, IDEMPOTENCY_KEY_PARAMETER_MISMATCH, and the
 * errors of `make`
 */
export async function makeOnce<Result>(
  context: RunContext,
  { isRecorded, isNoOp = false, mayRunAgain, endOf }: KeyedChange<Result>,
  make: () => Promise<Result>,
): Promise<Result> {
  const { timeline, idempotentRequest } = context;
  if (idempotentRequest === undefined) return make();
  const { idempotency } = timeline;
  // Another client can change the object before this request is sent, so it needs a claim although it changes nothing now.
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
  // No client may get a refusal that its retry would not get.
  else if (!isRecorded && end.userErrors !== undefined)
    await idempotency.storeResponse(idempotentRequest, end);
  else if (!isRecorded)
    await quietly(context, isNoOp ? Promise.resolve() : idempotency.storeResponse(idempotentRequest, end));
  else await keepUnchanged(context, idempotentRequest, end);
  return result;
}

const NOTHING: StoredResponse = { userErrors: [], locals: {}, ids: {} };

/** Stores that nothing had to be changed, so that a retry changes nothing later either. */
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

/** Logs a failure instead of throwing it: the change is made, and the client must get its response. */
async function quietly({ logger, store }: RunContext, work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    const cause = error instanceof Error ? error.message : 'unknown';
    logger.error('idempotency_record.update_failed', { shopId: store.shopId, cause });
  });
}
