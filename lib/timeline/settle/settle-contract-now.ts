/**
 * Whoever repeats a change whose outcome nobody knows does not wait for the scheduled work: the contract's open intents are
 * settled at once, as that work does it.
 */
import { ServiceError } from '../../errors/service-error.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import { type OpenIntent, SETTLE_AFTER_MS, toOpenIntent } from '../intent.ts';
import { stillOpen } from './recorded-changes.ts';
import { type Settling, settleContract } from './settle-open-intents.ts';

type Now = {
  readonly store: StoreRecord;
  readonly intent: Pick<OpenIntent, 'contract' | 'createdAtMs'>;
  readonly endAtMs: number;
};

/**
 * Settles what is due of this intent's contract, the intent among it. Errors of the platform's client, and
 * TEMPORARILY_UNAVAILABLE: nothing is settled then.
 */
export async function settleContractNow(deps: Settling, { store, intent, endAtMs }: Now): Promise<void> {
  const { shopId } = store;
  if (store.status !== 'installed') throw new ServiceError('STORE_DISCONNECTED');
  const listed: OpenIntent[] = [];
  const span = { fromMs: intent.createdAtMs - SETTLE_AFTER_MS, toMs: deps.now() + SETTLE_AFTER_MS };
  for await (const item of deps.dueItems.listOfStore('intent', shopId, span)) {
    const one = toOpenIntent(item);
    if (one.contract === intent.contract) listed.push(one);
  }
  const intents = await stillOpen(deps.table, listed);
  const due = intents.filter(({ createdAtMs }) => createdAtMs + SETTLE_AFTER_MS <= deps.now());
  const work = { shopId, store, intents, due, left: new Set(intents), progress: { settled: 0 }, endAtMs };
  if (due.length > 0) await settleContract(deps, work);
}
