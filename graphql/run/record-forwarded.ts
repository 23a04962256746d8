/**
 * A forwarded mutation with its entries in the timeline: an intent on each contract that it changes, before it is
 * sent; done or gone by what the platform answers; left open where nobody knows.
 */
import { settleAll } from '../../lib/domain/settle-all.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import { type AdminAnswer, isWhollyDenied } from '../../lib/platform/admin-api/admin-answer.ts';
import { endTimedPause } from '../../lib/subscriptions/pause/end-timed-pause.ts';
import { createTimedPauses } from '../../lib/subscriptions/pause/timed-pauses.ts';
import type { ChangeIntent, OpenChange } from '../../lib/timeline/begin-change.ts';
import { contractNumberOf } from '../../lib/timeline/event-number.ts';
import type { SeenAttempt } from '../../lib/timeline/seen-attempt.ts';
import { ATTEMPT } from '../../lib/timeline/seen-attempt.ts';
import type { ForwardedChange } from '../compile/forwarded-change.ts';
import { OURS } from '../compile/selection/treat-field.ts';
import { authorOf } from './change-author.ts';
import { ADDRESS_CONTENT } from './is-address-kept.ts';
import type { RunContext } from './run-context.ts';

const REFUSALS = `${OURS}Refusals`;
const ATTEMPTED = `${OURS}Attempted`;
const MADE = `${OURS}Made`;
const ADDRESS_AFTER = `${OURS}AddressAfter`;

/** What is asked for beside the client's selection of the payload. */
export function recordedSelection({ makesContract, makesAttempt, address }: ForwardedChange): string {
  const made = makesContract ? ` ${MADE}: contract { id }` : '';
  const attempt = makesAttempt ? ` ${ATTEMPTED}: subscriptionBillingAttempt { ${ATTEMPT} }` : '';
  const kept = address ? ` ${ADDRESS_AFTER}: address ${ADDRESS_CONTENT}` : '';
  return `${REFUSALS}: userErrors { message }${made}${attempt}${kept}`;
}

export type Recording = {
  readonly key: string;
  readonly intents: readonly ChangeIntent[];
  /** When the state was read that the intents start from, or before. */
  readonly readAtMs: number;
  /** Whether an address that was to be changed is as it was before. */
  readonly isKept: (addressAfter: unknown) => boolean;
};

/**
 * Sends the mutation between its intents and their settlement. Throws what `send` throws, and
 * TEMPORARILY_UNAVAILABLE, with nothing sent, if an intent cannot be written.
 */
export async function recordForwarded(
  context: RunContext,
  { key, intents, readAtMs, isKept }: Recording,
  send: () => Promise<AdminAnswer>,
): Promise<AdminAnswer> {
  const beganAtMs = context.now();
  const open = await beginAll(context, intents, readAtMs);
  try {
    const answer = await send();
    const { outcome, contractId, attempt, address } = outcomeOf(answer, key);
    const isUnchanged = outcome === 'done' && address !== undefined && isKept(address);
    if (outcome === 'refused' || isUnchanged) await withdraw(open);
    else if (outcome === 'done') {
      await settleAll(
        open.map(({ done, attempted }) => (attempt ? attempted(attempt) : done(undefined, contractId))),
      );
      await endPauses(context, intents, beganAtMs);
    }
    return answer;
  } catch (error) {
    if (error instanceof ServiceError && error.code !== 'OUTCOME_UNKNOWN') await withdraw(open);
    throw error;
  }
}

async function beginAll(
  context: RunContext,
  intents: readonly ChangeIntent[],
  readAtMs: number,
): Promise<OpenChange[]> {
  const begin = context.timeline.begin(authorOf(context, readAtMs));
  const begun = await Promise.allSettled(intents.map(begin));
  const open = begun.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = begun.find((one) => one.status === 'rejected');
  if (failed === undefined) return open;
  await withdraw(open);
  throw failed.reason;
}

async function withdraw(open: readonly OpenChange[]): Promise<void> {
  await settleAll(open.map(({ notDone }) => notDone()));
}

type Outcome = {
  readonly outcome: 'done' | 'refused' | 'unknown';
  readonly contractId?: string | undefined;
  readonly attempt?: SeenAttempt | undefined;
  readonly address?: unknown;
};

/** What became of a recorded mutation, by its answer. */
export function outcomeOf({ data, errors }: AdminAnswer, key: string): Outcome {
  const payload = data?.[key] as Record<string, unknown> | null | undefined;
  if (payload === null || payload === undefined) {
    return { outcome: isWhollyDenied({ data, errors }) ? 'refused' : 'unknown' };
  }
  const refusals = payload[REFUSALS];
  if (!Array.isArray(refusals) || refusals.length > 0) return { outcome: 'refused' };
  const made = payload[MADE] as { readonly id: string } | null | undefined;
  const attempt = payload[ATTEMPTED] as SeenAttempt | null | undefined;
  // An attempt was made, surely, but which one?
  if (attempt === null) return { outcome: 'unknown' };
  return { outcome: 'done', contractId: made?.id, attempt, address: payload[ADDRESS_AFTER] };
}

/** A contract that is no longer paused has nothing to be resumed from. */
async function endPauses(
  { table, now, store }: RunContext,
  intents: readonly ChangeIntent[],
  beganAtMs: number,
): Promise<void> {
  const timedPauses = createTimedPauses({ table, now });
  for (const { contractId, changes } of intents) {
    const status = changes.find(({ field }) => field === 'status');
    const contractNumber = contractId === null ? undefined : contractNumberOf(contractId);
    if (status?.before !== 'PAUSED' || contractNumber === undefined) continue;
    await endTimedPause({ timedPauses }, { shopId: store.shopId, contractNumber, beganAtMs });
  }
}
