/** A forwarded mutation is sent with its intents, and under a key only once; a charge also under the key of its attempt. */
import type { AdminAnswer } from '../../lib/platform/admin-api/admin-answer.ts';
import { keyOfOtherCharge } from '../../lib/subscriptions/charge/refuse-charge.ts';
import type { OperationError } from '../../lib/subscriptions/operation-error.ts';
import { outcomeOf } from '../compile/recorded-selection.ts';
import type { Arguments, ForwardedChange, ObservedContract, Seen } from '../plan/forwarded-change.ts';
import type { KeyedChange, Run } from '../plan/mutation-run.ts';
import { type RecordedAnswer, type Recording, recordForwarded } from './record-forwarded.ts';

type Sending = Recording & {
  /** Whether there is no intent because what was read is as it is asked for. */
  readonly isNoOp: boolean;
};

/** The platform's answer. Errors: those of recordForwarded, and of makeOnce where the request has a key. */
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
    // With an intent the refusal is kept already.
    return isRecorded || response === undefined ? outcome : response;
  };
  return makeOnce(context, { isRecorded, isNoOp, mayRunAgain: false, endOf }, record);
}

/** Whether the contract, and the cycle that is meant, were read: what has no intent is as it is asked for, then. */
export function isSeenWhole({ reads, cycle }: ForwardedChange, seen: Seen): boolean {
  return reads === 'contract' && seen.subject !== null && (cycle === undefined || seen.cycle !== null);
}

type Charge = { readonly key: string; readonly seen: Seen; readonly args: Arguments };

/**
 * The answer to `send`, or that of `refuse` where the key is another charge's: the platform runs the key of an attempt once,
 * whatever the contract and the cycle, and would answer with that charge's attempt.
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
