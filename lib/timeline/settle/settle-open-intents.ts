/**
 * The scheduled work settles what a crash or a lost answer has left open: oldest first, from each contract's real
 * state, one read of the platform a contract. It may be killed at any point and run again: each intent is settled once.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { openIntentMetrics } from '../../observability/metrics.ts';
import { unanswered } from '../../platform/admin-api/missing-access.ts';
import type { SendWithinBudget } from '../../platform/admin-api/store-budget.ts';
import { storeResponse } from '../../storage/claim-key.ts';
import { eachStore } from '../../storage/each-store.ts';
import type { StoreRecord, Stores } from '../../storage/stores.ts';
import { contractGid, type TimelineRef } from '../event-record.ts';
import { type ChangedFact, comparableFacts } from '../facts.ts';
import {
  addFurther,
  dropIntent,
  type EndDeps,
  GIVE_UP_AFTER_MS,
  keepPlace,
  type OpenIntent,
  SETTLE_AFTER_MS,
  settleAsEntry,
} from '../intent.ts';
import type { RecordAlso } from '../run-change.ts';
import type { FinishChange, FinishDeps, OtherChanges } from './finish-change.ts';
import { isUnclaimed } from './is-unclaimed.ts';
import { readBatch } from './read-batch.ts';
import { readOthers } from './recorded-changes.ts';
import {
  isMadeByAnother,
  isSeen,
  PAUSE_END,
  type RealState,
  realStateDocument,
  resolveIntent,
  toRealState,
  type Verdict,
} from './resolve-intent.ts';
import { isCharge, settleCharge } from './settle-charge.ts';
import { unlessDefect } from './unless-defect.ts';

export type SettleDeps = EndDeps & {
  /** Work by action, done for a change that may have been made, before its intent is settled. */
  readonly finishers: Readonly<Record<string, FinishChange>>;
  /** When the contract's pause ends by itself, as the platform writes dates; null: not by itself. */
  readonly readPauseEnd: (contract: TimelineRef) => Promise<string | null>;
  readonly stores: Pick<Stores, 'find'>;
  readonly sendWithinBudget: SendWithinBudget;
  readonly platformGidNamespace: string;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
};

/** One contract whose store is known. */
export type Settling = Omit<SettleDeps, 'stores'>;

const HOUR_MS = 3_600_000;
/** So many are held in memory, beside those after them of the same contracts. */
const INTENTS_IN_MEMORY = 20_000;
/**
 * These errors stop a whole store. Others do not, or one contract that cannot be read would keep all from being
 * settled.
 */
const STORE_STOPS: ReadonlySet<string> = new Set(['THROTTLED', 'STORE_DISCONNECTED']);
const MAX_FAILURES = 3;

/**
 * Settles what is older than two minutes, batch after batch until `endAtMs`; returns how many.
 * TEMPORARILY_UNAVAILABLE: the table.
 */
export async function settleOpenIntents(
  deps: SettleDeps,
  endAtMs: number,
  concurrency = INTENTS_IN_MEMORY,
): Promise<number> {
  const left = new Set<OpenIntent>();
  const progress = { settled: 0 };
  const seen = new Set<string>();
  const untilMs = deps.now() + SETTLE_AFTER_MS;
  const oldBeforeMs = deps.now() - HOUR_MS;
  let notAppended = 0;
  for (let isMore = true; isMore && deps.now() < endAtMs; ) {
    const { own, after, oldNotAppended } = await readBatch(deps, { untilMs, seen, concurrency, oldBeforeMs });
    notAppended = oldNotAppended;
    for (const intent of own) left.add(intent);
    const chosen = new Set(own);
    await eachStore([...own, ...after], (shopId, intents) =>
      settleStore(deps, { shopId, intents, chosen, left, progress, endAtMs }),
    );
    isMore = own.length === concurrency;
  }
  const old = [...left].filter(({ createdAtMs }) => createdAtMs < oldBeforeMs);
  const counts = { open: left.size, intentsOpenOverAnHour: old.length + notAppended };
  deps.logger.info('open_intents.counted', counts, [openIntentMetrics]);
  return progress.settled;
}

type StoreWork = {
  readonly shopId: ShopId;
  /** Oldest first. */
  readonly intents: readonly OpenIntent[];
  /** Those of all stores that are to be settled now; the others are evidence. Absent: all. */
  readonly chosen?: ReadonlySet<OpenIntent>;
  /** What is not settled yet, of all stores. */
  readonly left: Set<OpenIntent>;
  readonly progress: { settled: number };
  readonly endAtMs: number;
};

async function settleStore(deps: SettleDeps, work: StoreWork): Promise<void> {
  const store = await deps.stores.find(work.shopId);
  // A store that is not connected cannot be read; its intents wait for it, or go with it.
  if (store?.status !== 'installed') {
    for (const intent of work.intents) work.left.delete(intent);
    return;
  }
  const isChosen = (intent: OpenIntent) => work.chosen?.has(intent) ?? true;
  let failures = 0;
  for (const [, intents] of Map.groupBy(work.intents, ({ contract }) => contract)) {
    const due = intents.filter((one) => one.createdAtMs + SETTLE_AFTER_MS <= deps.now() && isChosen(one));
    if (due.length === 0) continue;
    if (deps.now() >= work.endAtMs) return;
    try {
      await settleContract(deps, { ...work, store, intents, due });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'TEMPORARILY_UNAVAILABLE') throw error;
      deps.logger.warn('intent.settlement_postponed', { shopId: work.shopId, code: error.code });
      failures++;
      if (STORE_STOPS.has(error.code) || failures >= MAX_FAILURES) return;
    }
  }
}

type ContractWork = StoreWork & { readonly store: StoreRecord; readonly due: readonly OpenIntent[] };

/** Settles what is due of one contract. Errors of the platform's client, and TEMPORARILY_UNAVAILABLE. */
export async function settleContract(deps: Settling, given: ContractWork): Promise<void> {
  const work = await withoutUnclaimed(deps, given);
  const state = await readState(deps, work);
  for (const intent of work.due) {
    const ended = await unlessDefect(deps, intent, () => settleOne(deps, work, { intent, state }));
    if (ended === 'passed over') continue;
    if (ended === 'given up') await settle(deps, intent, 'unknown');
    await keepPlace(deps, intent);
    leave(work, intent);
  }
}

type One = { readonly intent: OpenIntent; readonly state: RealState | undefined };

async function settleOne(deps: Settling, work: ContractWork, { intent, state }: One): Promise<void> {
  const { made, changes } = intent;
  if (isCharge(intent)) return settleCharge(finishDeps(deps, work), deps, intent);
  if (made !== undefined) {
    // The platform has said what it made; the entry alone is missing.
    return settleAsEntry(deps, intent, {
      outcome: 'DONE',
      changes,
      contract: made,
      isDirectlyObserved: false,
    });
  }
  const others = await readOthers(deps, work.intents, intent);
  // Another run was faster.
  if (others.isEntered) return;
  const verdict = resolveIntent(intent, { state, ...others });
  const isAnothers = verdict === 'not done' && isMadeByAnother(intent, { state, ...others });
  if (isAnothers) await storeResponse(deps.table, intent, {});
  if (verdict === 'not done') return settle(deps, intent, verdict);
  let recordedIntent = intent;
  const recordAlso: RecordAlso = async (facts) => {
    recordedIntent = await addFurther(deps.dueItems, recordedIntent, facts);
  };
  const finish = deps.finishers[intent.action];
  const finished = await finish?.({ ...finishDeps(deps, work), recordAlso }, { intent, ...others });
  const further = await furtherMade(deps, work, { intent: recordedIntent, others });
  await settle(deps, { ...recordedIntent, changes: [...changes, ...further] }, finished ?? verdict);
}

/** What a next step was to bring of the contract's orders is told if it can be seen. */
async function furtherMade(
  deps: Settling,
  work: ContractWork,
  { intent, others }: { readonly intent: OpenIntent; readonly others: OtherChanges },
): Promise<readonly ChangedFact[]> {
  const { further = [] } = intent;
  const isOfOrder = ({ field }: ChangedFact) => field.startsWith('billingCycles.');
  const changes = further.filter(isOfOrder);
  if (changes.length === 0) return further;
  const state = await readState(deps, { ...work, due: [{ ...intent, changes }] });
  return further.filter((fact) => !isOfOrder(fact) || isSeen(fact, intent, { state, ...others }));
}

/** The platform was not asked for an intent that has no claim: it is settled so, and is no evidence for others. */
async function withoutUnclaimed(deps: Settling, work: ContractWork): Promise<ContractWork> {
  const unclaimed = new Set<OpenIntent>();
  for (const intent of work.intents) if (await isUnclaimed(deps, intent)) unclaimed.add(intent);
  for (const intent of work.due) {
    if (!unclaimed.has(intent)) continue;
    await settle(deps, intent, 'not done');
    leave(work, intent);
  }
  const isClaimed = (intent: OpenIntent) => !unclaimed.has(intent);
  return { ...work, intents: work.intents.filter(isClaimed), due: work.due.filter(isClaimed) };
}

function leave({ left, progress }: StoreWork, intent: OpenIntent): void {
  left.delete(intent);
  progress.settled++;
}

function finishDeps(deps: Settling, { store, endAtMs }: ContractWork): FinishDeps {
  const { sendWithinBudget, table, platformGidNamespace, now } = deps;
  return {
    ask: (request) => sendWithinBudget({ ...request, store, endAtMs, costKey: request.document }),
    table,
    platformGidNamespace,
    now,
  };
}

/** Undefined: there is nothing to compare, or nothing to compare it with. */
async function readState(deps: Settling, work: ContractWork): Promise<RealState | undefined> {
  const fields = work.due.flatMap(comparableFacts).map(({ field }) => field);
  const contract = work.due[0]?.contract;
  if (contract === undefined || fields.length === 0) return undefined;
  const { sendWithinBudget, platformGidNamespace, now } = deps;
  const document = realStateDocument(fields);
  try {
    const { data, errors } = await sendWithinBudget({
      store: work.store,
      document,
      variables: { id: contractGid(contract, platformGidNamespace) },
      mutates: false,
      costKey: document,
      endAtMs: work.endAtMs,
    });
    // Absent is an answer; an error in its place is none.
    if (data === null || (data.contract === null && errors.length > 0)) throw unanswered('no state', errors);
    const isPause = fields.includes(PAUSE_END);
    return toRealState({
      data,
      errors,
      pauseEnd: isPause ? await deps.readPauseEnd({ shopId: work.shopId, contract }) : null,
    });
  } catch (error) {
    const oldest = work.due[0]?.createdAtMs ?? now();
    if (error instanceof ServiceError && now() - oldest > GIVE_UP_AFTER_MS) return undefined;
    throw error;
  }
}

async function settle(deps: Settling, intent: OpenIntent, verdict: Verdict): Promise<void> {
  const { shopId, action, changes, number } = intent;
  if (verdict === 'not done') await dropIntent(deps, intent);
  else {
    const outcome = verdict === 'done' ? 'DONE' : 'UNKNOWN';
    await settleAsEntry(deps, intent, { outcome, changes, isDirectlyObserved: false });
  }
  deps.logger.info('intent.settled', { shopId, action, number, verdict });
}
