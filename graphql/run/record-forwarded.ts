/**
 * A forwarded mutation has its entries in the timeline: an intent on each contract that it changes, before it is
 * sent; done or gone by what the platform answers; left open where nobody knows.
 */
import { settleAll } from '../../lib/domain/settle-all.ts';
import { ifAnswered } from '../../lib/errors/if-answered.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { AdminAnswer } from '../../lib/platform/admin-api/admin-answer.ts';
import { endTimedPause } from '../../lib/subscriptions/pause/end-timed-pause.ts';
import { createTimedPauses } from '../../lib/subscriptions/pause/timed-pauses.ts';
import type { ChangeIntent, OpenChange } from '../../lib/timeline/begin-change.ts';
import { contractNumberOf } from '../../lib/timeline/event-number.ts';
import { outcomeOf } from '../compile/recorded-selection.ts';
import type { RunContext } from '../plan/run-context.ts';
import { authorOf } from './change-author.ts';

export type Recording = {
  readonly key: string;
  readonly intents: readonly ChangeIntent[];
  /** The time at which the state was read that the intents start from, or before. */
  readonly readAtMs: number;
  /** Tells whether an address that was to be changed is as it was before. */
  readonly isUnchanged: (addressAfter: unknown) => boolean;
};

/** The platform's answer, and whether the timeline has an entry of the change. */
export type RecordedAnswer = AdminAnswer & { readonly isRecorded: boolean };

/**
 * Sends the mutation between its intents and their settlement. Throws what `send` throws, and
 * TEMPORARILY_UNAVAILABLE, with nothing sent, if an intent cannot be written.
 */
export async function recordForwarded(
  context: RunContext,
  { key, intents, readAtMs, isUnchanged: isAddressSame }: Recording,
  send: () => Promise<AdminAnswer>,
): Promise<RecordedAnswer> {
  const beganAtMs = context.now();
  const open = await beginAll(context, intents, readAtMs);
  try {
    const answer = await send();
    const { outcome, contractId, attempt, address, response } = outcomeOf(answer, key);
    const isUnchanged = outcome === 'done' && address !== undefined && isAddressSame(address);
    // Nobody must hear a refusal that a repeat would not.
    if (response?.userErrors !== undefined) await open[0]?.storeResponse?.(response);
    if (response?.ids?.job !== undefined) await ifAnswered(async () => open[0]?.storeResponse?.(response));
    if (outcome === 'refused' || isUnchanged) await withdraw(open);
    else if (outcome === 'done') {
      await settleAll(
        open.map(({ done, attempted }) => (attempt ? attempted(attempt) : done(undefined, contractId))),
      );
      await endPauses(context, intents, beganAtMs);
    }
    return { ...answer, isRecorded: open.length > 0 && outcome === 'done' && !isUnchanged };
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
  const author = authorOf(context, readAtMs);
  const { begin } = context.timeline;
  // One of them claims the key, if there is one: all are settled alike.
  const startedChanges = await Promise.allSettled(
    intents.map((intent, index) =>
      begin(index === 0 ? author : { ...author, idempotentRequest: undefined })(intent),
    ),
  );
  const open = startedChanges.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = startedChanges.find((one) => one.status === 'rejected');
  if (failed === undefined) return open;
  await withdraw(open);
  throw failed.reason;
}

async function withdraw(open: readonly OpenChange[]): Promise<void> {
  await settleAll(open.map(({ notDone }) => notDone()));
}

/** Ends the timed pauses of contracts that are no longer paused: there is nothing to resume them from. */
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
