/**
 * Records who makes a request's changes: in the timeline, and, for requests with a store's admin key, in the log. The
 * timeline records changes of contracts only. The log contains every change that was made with a key, so that operators see
 * what a stolen key has changed: the root and the ids, without personal data.
 */

import { parseGid } from '../../lib/domain/gid.ts';
import { provesNothingChanged } from '../../lib/errors/is-outcome-unknown.ts';
import type { ChangeDeps } from '../../lib/timeline/run-change.ts';
import type { ChangeOrigin } from '../../lib/timeline/timeline.ts';
import type { MutationResponse, RunningMutation } from '../plan/mutation-run.ts';
import type { RunContext } from '../plan/run-context.ts';

/**
 * Returns the origin of the request's changes. Its actor is the customer, for whom an admin key may act, or the merchant,
 * by the admin key. `readAtMs` is when the state that the changes start from was read, or earlier.
 */
export function toChangeOrigin(
  { actor, requestId, idempotentRequest }: Pick<RunContext, 'actor' | 'requestId' | 'idempotentRequest'>,
  readAtMs: number,
): ChangeOrigin {
  const changeOrigin = { shopId: actor.shopId, requestId, readAtMs, idempotentRequest };
  if (actor.kind === 'customer') {
    return { ...changeOrigin, actor: { kind: 'CUSTOMER', customerId: actor.customerId } };
  }
  const { keyLabel: label, keyId, actingCustomerId: customerId } = actor;
  return customerId === undefined
    ? { ...changeOrigin, actor: { kind: 'MERCHANT', label, keyId } }
    : { ...changeOrigin, actor: { kind: 'CUSTOMER', customerId, label, keyId } };
}

type StoreChangeOutcome = 'done' | 'refused' | 'unknown';

/** The idempotency key of the request, for a change without intents; undefined when it has no key. */
export function createChangeIdempotencyKey({ timeline, idempotentRequest, logger, store }: RunContext) {
  if (idempotentRequest === undefined) return undefined;
  const logFailure = (error: unknown) => {
    const cause = error instanceof Error ? error.message : 'unknown';
    logger.error('idempotency_record.update_failed', { shopId: store.shopId, cause });
  };
  return { claimableKey: idempotentRequest, records: timeline.idempotency, logFailure };
}

/** Returns the dependencies that record the intents of one change. The first intent claims the idempotency key. */
export function createChangeDeps(context: RunContext, readAtMs: number): ChangeDeps {
  const changeOrigin = toChangeOrigin(context, readAtMs);
  const { begin } = context.timeline;
  return {
    begin: (intent, index) =>
      begin(index === 0 ? changeOrigin : { ...changeOrigin, idempotentRequest: undefined })(intent),
    key: createChangeIdempotencyKey(context),
  };
}

/** The response of a mutation, and the outcome of its change. */
export type ChangeResponse = MutationResponse & { readonly outcome: StoreChangeOutcome };

/** The maximum number of ids in a log line. The remaining ids follow in more lines, so that no id can be hidden behind others. */
const MAX_IDS_PER_LOG_LINE = 500;

/** Makes the change and logs its outcome. If it throws, the outcome is `unknown` unless the error excludes the change. */
export async function runLoggedStoreChange(
  context: RunContext,
  runningMutation: RunningMutation,
  change: () => Promise<ChangeResponse>,
): Promise<ChangeResponse> {
  let changeOutcome: StoreChangeOutcome = 'unknown';
  try {
    const changeResponse = await change();
    changeOutcome = changeResponse.outcome;
    return changeResponse;
  } catch (error) {
    if (provesNothingChanged(error) && error.status < 500) changeOutcome = 'refused';
    throw error;
  } finally {
    logChangeByStore(context, runningMutation, changeOutcome);
  }
}

/** Logs a change with a store's key. Does nothing for customers: the timeline records their changes. */
export function logChangeByStore(
  { actor, logger, requestId }: RunContext,
  { mutation: { root }, evaluation }: RunningMutation,
  outcome: StoreChangeOutcome,
): void {
  if (actor.kind !== 'store') return;
  const { shopId, keyId, actingCustomerId } = actor;
  const ids = evaluation.ids.map(redactUnexpectedId);
  const inputNames = listInputNames([...evaluation.values.values()]);
  for (let startIndex = 0; startIndex === 0 || startIndex < ids.length; startIndex += MAX_IDS_PER_LOG_LINE) {
    logger.info('store_change', {
      shopId,
      keyId,
      ...(actingCustomerId !== undefined && { customerId: actingCustomerId }),
      requestId,
      root: root.name,
      outcome,
      // One text, because log queries find at most 200 fields of a line, and each item of a list is a field.
      ids: ids.slice(startIndex, startIndex + MAX_IDS_PER_LOG_LINE).join(' '),
      ...(inputNames.length > 0 && { fields: inputNames.join(' ') }),
    });
  }
}

/** Replaces an id that does not look like the platform's: it could contain personal data. */
function redactUnexpectedId(id: string): string {
  const gid = parseGid(id);
  const isSafeToLog = gid !== undefined && /^\w{1,64}$/.test(gid.type) && /^[\w?=&-]{1,200}$/.test(gid.tail);
  return isSafeToLog ? id : 'none';
}

/** Returns the names of the given input fields, without values: they distinguish a new e-mail address from a new tag. */
function listInputNames(values: readonly unknown[]): string[] {
  const inputObjects = values.flat().filter((one) => typeof one === 'object' && one !== null);
  return [...new Set(inputObjects.flatMap((one) => Object.keys(one as object)))].sort();
}
