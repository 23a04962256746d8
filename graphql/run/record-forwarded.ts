/**
 * A forwarded mutation has its entries in the timeline: an intent on each contract that it changes, before it is
 * sent; done or gone by what the platform answers; left open where nobody knows.
 */
import type { AdminAnswer } from '../../lib/platform/admin-api/admin-answer.ts';
import { endTimedPause } from '../../lib/subscriptions/pause/end-timed-pause.ts';
import { createTimedPauses } from '../../lib/subscriptions/pause/timed-pauses.ts';
import { contractNumberOf } from '../../lib/timeline/event-record.ts';
import { type Applied, type ChangeIntent, runChange } from '../../lib/timeline/run-change.ts';
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
  const author = authorOf(context, readAtMs);
  const { begin } = context.timeline;
  const beginNumbered = (intent: ChangeIntent, index: number) =>
    begin(index === 0 ? author : { ...author, idempotentRequest: undefined })(intent);
  const change = {
    intents,
    async apply(): Promise<Applied<AdminAnswer>> {
      const answer = await send();
      const { outcome, contractId, attempt, address, response } = outcomeOf(answer, key);
      const isUnchanged = outcome === 'done' && address !== undefined && isAddressSame(address);
      const isStored = response?.userErrors !== undefined || response?.ids?.job !== undefined;
      return {
        result: answer,
        effect: isUnchanged || outcome === 'refused' ? 'none' : outcome,
        ...{ contractId, attempt, replay: isStored ? response : undefined },
      };
    },
  };
  const { result, isRecorded } = await runChange(beginNumbered, change);
  if (isRecorded) await endPauses(context, intents, beganAtMs);
  return { ...result, isRecorded };
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
