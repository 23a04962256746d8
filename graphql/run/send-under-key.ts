/** Sends a forwarded mutation with its intents: once for each idempotency key, and a charge once for the key of its attempt. */
import type { AdminAnswer } from '../../lib/platform/admin-api/admin-answer.ts';
import { keyOfOtherCharge } from '../../lib/subscriptions/charge/refuse-charge.ts';
import type { OperationError } from '../../lib/subscriptions/operation-error.ts';
import { outcomeOf } from '../compile/recorded-selection.ts';
import type { Arguments, ForwardedChange, ObservedContract, Seen } from '../plan/forwarded-change.ts';
import type { KeyedChange, Run } from '../plan/mutation-run.ts';
import { type RecordedAnswer, type Recording, recordForwarded } from './record-forwarded.ts';

type Sending = Recording & {
  /** Whether there is no intent because the object is already in the requested state. */
  readonly isNoOp: boolean;
};

/**
 * Returns the platform's response.
 * @throws the errors of recordForwarded and, if the request has a key, of makeOnce
 */
export async function sendUnderKey(
  { context, loadRepeating }: Run,
  recording: Sending,
  send: () => Promise<AdminAnswer>,
): Promise<AdminAnswer> {
  const record = () => recordForwarded(context, recording, send);
  if (context.idempotentRequest === undefined) return record();
  const { makeOnce } = await loadRepeating();
  const { key, intents, isNoOp } = recording;
  const isRecorded = intents.length > 0;
  const endOf: KeyedChange<RecordedAnswer>['endOf'] = (answer) => {
    if (answer.isRecorded) return 'recorded';
    const { outcome, response } = outcomeOf(answer, key);
    if (outcome === 'done') return response ?? {};
    // With an intent the refusal is stored already.
    return isRecorded || response === undefined ? outcome : response;
  };
  return makeOnce(context, { isRecorded, isNoOp, mayRunAgain: false, endOf }, record);
}

/** Whether the contract and the requested cycle were read. A change without an intent then changes nothing. */
export function isSeenWhole({ reads, cycle }: ForwardedChange, seen: Seen): boolean {
  return reads === 'contract' && seen.subject !== null && (cycle === undefined || seen.cycle !== null);
}

type Charge = { readonly key: string; readonly seen: Seen; readonly args: Arguments };

/**
 * Returns the response of `send`, or that of `refuse` if the key belongs to another charge. The platform runs each key of an
 * attempt once, for any contract and cycle, and would return the other charge's attempt.
 */
export async function chargeOnce(
  { key, seen, args }: Charge,
  send: () => Promise<AdminAnswer>,
  refuse: (error: OperationError) => Promise<AdminAnswer>,
): Promise<AdminAnswer> {
  const contract = seen.subject as ObservedContract | null;
  const { idempotencyKey } = args.subscriptionBillingAttemptInput;
  const has = (charged: Pick<ObservedContract, 'billingAttempts'> | null) =>
    charged?.billingAttempts?.nodes.some((one) => one.idempotencyKey === idempotencyKey) === true;
  const refusal = keyOfOtherCharge(['subscriptionBillingAttemptInput', 'idempotencyKey']);
  if (seen.cycle !== null && has(contract) && !has(seen.cycle)) return refuse(refusal);
  const answer = await send();
  const { attempt } = outcomeOf(answer, key);
  return attempt && attempt.subscriptionContract.id !== contract?.id ? refuse(refusal) : answer;
}
