/**
 * Settles the open intents of one contract, oldest first, with one read of the contract's state. It may be killed at any
 * point and run again: each intent is settled once.
 */
import { isDefect } from '../../errors/is-defect.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { failedReadError } from '../../platform/admin-api/missing-access.ts';
import type { SendWithinBudget } from '../../platform/admin-api/send-within-budget.ts';
import { storeResponse } from '../../storage/claim-idempotency-key.ts';
import { IDEMPOTENCY_RECORD_LIFETIME_MS } from '../../storage/idempotency-record.ts';
import { type StoreRecord, timeZoneOf } from '../../storage/stores.ts';
import { contractGid, type TimelineRef } from '../event-record.ts';
import { type FactChange, selectComparableChanges } from '../facts.ts';
import {
  addFurtherFacts,
  INTENT_GIVE_UP_AFTER_MS,
  type OpenIntent,
  removeIntent,
  reserveStreamOrderOfRemovedIntent,
  SETTLE_INTENT_AFTER_MS,
  settleIntentAsEntry,
  type TimelineWriteDeps,
  toOpenIntent,
} from '../intent.ts';
import type { FinishChange, FinishDeps, OtherChanges } from './finish-change.ts';
import { readIntentsWithoutEntry, readOtherChanges } from './recorded-changes.ts';
import {
  areIntendedValuesInEffect,
  buildCurrentStateDocument,
  type CurrentContractState,
  type IntentVerdict,
  isIntendedValueInEffect,
  PAUSE_END_FIELD,
  resolveIntent,
  toCurrentContractState,
} from './resolve-intent.ts';
import { isChargeIntent, settleChargeIntent } from './settle-charge-intent.ts';

export type SettleContractDeps = TimelineWriteDeps & {
  /** The functions that complete a change that may have been made, before its intent is settled; by action. */
  readonly finishers: Readonly<Record<string, FinishChange>>;
  /** Reads when the contract's pause ends, as the platform writes dates; null when it has no end. */
  readonly readPauseEnd: (contract: TimelineRef) => Promise<string | null>;
  readonly sendWithinBudget: SendWithinBudget;
  readonly platformGidNamespace: string;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
};

type ContractSettlementRun = {
  readonly store: StoreRecord;
  /** All open intents of the contract, oldest first: later ones are evidence for earlier ones. */
  readonly intents: readonly OpenIntent[];
  /** The intents to settle. */
  readonly dueIntents: readonly OpenIntent[];
  readonly endAtMs: number;
  /** Called when an intent is settled, so that the caller no longer counts it as open. */
  readonly onSettled: (intent: OpenIntent) => void;
};

/**
 * Settles the due intents of this intent's contract immediately: a retry of the change does not wait for the scheduled
 * work.
 * @throws the errors of the platform's client, TEMPORARILY_UNAVAILABLE, STORE_DISCONNECTED
 */
export async function settleDueIntentsOfContract(
  deps: SettleContractDeps,
  {
    store,
    intent,
    endAtMs,
  }: Pick<ContractSettlementRun, 'store' | 'endAtMs'> & {
    readonly intent: Pick<OpenIntent, 'contract' | 'createdAtMs'>;
  },
): Promise<void> {
  if (store.status !== 'installed') throw new ServiceError('STORE_DISCONNECTED');
  const openIntents: OpenIntent[] = [];
  const intentTimeRange = {
    fromMs: intent.createdAtMs - SETTLE_INTENT_AFTER_MS,
    toMs: deps.now() + SETTLE_INTENT_AFTER_MS,
  };
  for await (const item of deps.scheduledTasks.listOfStore('intent', store.shopId, intentTimeRange)) {
    const openIntent = toOpenIntent(item);
    if (openIntent.contract === intent.contract) openIntents.push(openIntent);
  }
  const intents = await readIntentsWithoutEntry(deps.table, openIntents);
  const dueIntents = intents.filter(({ createdAtMs }) => createdAtMs + SETTLE_INTENT_AFTER_MS <= deps.now());
  if (dueIntents.length > 0)
    await settleIntentsOfContract(deps, { store, intents, dueIntents, endAtMs, onSettled: () => undefined });
}

/**
 * Settles the due intents of one contract.
 * @throws the errors of the platform's client, TEMPORARILY_UNAVAILABLE
 */
export async function settleIntentsOfContract(
  deps: SettleContractDeps,
  run: ContractSettlementRun,
): Promise<void> {
  const claimedIntentsRun = await dropUnclaimedIntents(deps, run);
  const currentState = await readCurrentState(deps, claimedIntentsRun);
  for (const intent of claimedIntentsRun.dueIntents) {
    if (!(await trySettleIntent(deps, claimedIntentsRun, { intent, currentState }))) continue;
    await reserveStreamOrderOfRemovedIntent(deps, intent);
    claimedIntentsRun.onSettled(intent);
  }
}

type IntentToSettle = {
  readonly intent: OpenIntent;
  readonly currentState: CurrentContractState | undefined;
};

/**
 * Settles one intent. Returns false after an internal error, which a new release may correct before a later run; after a week
 * the intent is recorded as UNKNOWN. Such an error must not keep other intents open.
 */
async function trySettleIntent(
  deps: SettleContractDeps,
  run: ContractSettlementRun,
  intentToSettle: IntentToSettle,
): Promise<boolean> {
  try {
    await settleIntent(deps, run, intentToSettle);
    return true;
  } catch (error) {
    if (!isDefect(error)) throw error;
    const { shopId, action, number, createdAtMs } = intentToSettle.intent;
    deps.logger.warn('intent.settlement_failed', { shopId, action, number, cause: error.message });
    if (deps.now() - createdAtMs <= INTENT_GIVE_UP_AFTER_MS) return false;
    await recordIntentVerdict(deps, intentToSettle.intent, 'unknown');
    return true;
  }
}

async function settleIntent(
  deps: SettleContractDeps,
  run: ContractSettlementRun,
  { intent, currentState }: IntentToSettle,
): Promise<void> {
  const { made, changes } = intent;
  if (isChargeIntent(intent)) return settleChargeIntent(toFinishDeps(deps, run), deps, intent);
  if (made !== undefined) {
    // The platform has returned the created contract; only the entry is missing.
    const settlement = { outcome: 'DONE', changes, contract: made, isDirectlyObserved: false } as const;
    await settleIntentAsEntry(deps, intent, settlement);
    return;
  }
  const otherChanges = await readOtherChanges(deps, run.intents, intent);
  // Another run has settled the intent in the meantime.
  if (otherChanges.isRecorded) return;
  const intentVerdict = resolveIntent(intent, { state: currentState, ...otherChanges });
  const isDoneByOther =
    intentVerdict === 'not done' &&
    areIntendedValuesInEffect(intent, { state: currentState, ...otherChanges });
  if (isDoneByOther) await storeResponse(deps.table, intent, {});
  if (intentVerdict === 'not done') return recordIntentVerdict(deps, intent, intentVerdict);
  let recordedIntent = intent;
  const recordAlso = async (facts: readonly FactChange[]) => {
    recordedIntent = await addFurtherFacts(deps.scheduledTasks, recordedIntent, facts);
  };
  const finishChange = deps.finishers[intent.action];
  const finishResult = await finishChange?.(
    { ...toFinishDeps(deps, run), recordAlso },
    { intent, ...otherChanges },
  );
  const furtherFacts = await findFurtherChangesMade(deps, run, {
    intent: recordedIntent,
    otherChanges,
  });
  await recordIntentVerdict(
    deps,
    { ...recordedIntent, changes: [...changes, ...furtherFacts] },
    finishResult ?? intentVerdict,
  );
}

/** Returns the facts of the intent's later steps that took effect, as far as it can be checked: only facts of orders are. */
async function findFurtherChangesMade(
  deps: SettleContractDeps,
  run: ContractSettlementRun,
  { intent, otherChanges }: { readonly intent: OpenIntent; readonly otherChanges: OtherChanges },
): Promise<readonly FactChange[]> {
  const { further = [] } = intent;
  const isOrderFact = ({ field }: FactChange) => field.startsWith('billingCycles.');
  const orderFacts = further.filter(isOrderFact);
  if (orderFacts.length === 0) return further;
  const currentState = await readCurrentState(deps, {
    ...run,
    dueIntents: [{ ...intent, changes: orderFacts }],
  });
  return further.filter(
    (fact) =>
      !isOrderFact(fact) || isIntendedValueInEffect(fact, intent, { state: currentState, ...otherChanges }),
  );
}

/**
 * Settles as not done the intents that their idempotency records do not name: the record names a run before the platform
 * request is sent, so their processes crashed, or another request won the key. They are no evidence for other intents.
 */
async function dropUnclaimedIntents(
  deps: SettleContractDeps,
  run: ContractSettlementRun,
): Promise<ContractSettlementRun> {
  const unclaimedIntents = new Set<OpenIntent>();
  for (const intent of run.intents) if (await isIntentUnclaimed(deps, intent)) unclaimedIntents.add(intent);
  for (const intent of run.dueIntents) {
    if (!unclaimedIntents.has(intent)) continue;
    await recordIntentVerdict(deps, intent, 'not done');
    run.onSettled(intent);
  }
  const isIntentClaimed = (intent: OpenIntent) => !unclaimedIntents.has(intent);
  return {
    ...run,
    intents: run.intents.filter(isIntentClaimed),
    dueIntents: run.dueIntents.filter(isIntentClaimed),
  };
}

async function isIntentUnclaimed({ table, now }: SettleContractDeps, intent: OpenIntent): Promise<boolean> {
  const { repeat: recordKey, id, createdAtMs } = intent;
  // Later the record may have expired, and another request may have the key.
  if (recordKey === undefined || now() >= createdAtMs + IDEMPOTENCY_RECORD_LIFETIME_MS) return false;
  return (await table.get(recordKey))?.runId !== id;
}

function toFinishDeps(deps: SettleContractDeps, { store, endAtMs }: ContractSettlementRun): FinishDeps {
  const { sendWithinBudget, table, platformGidNamespace, now } = deps;
  return {
    sendToPlatform: (request) => sendWithinBudget({ ...request, store, endAtMs, costKey: request.document }),
    ...{ table, platformGidNamespace, now, timeZone: timeZoneOf(store) },
  };
}

/** Reads the facts of the due intents; undefined when there is nothing to compare, or the contract does not exist. */
async function readCurrentState(
  deps: SettleContractDeps,
  run: ContractSettlementRun,
): Promise<CurrentContractState | undefined> {
  const { dueIntents, store } = run;
  const factFields = dueIntents.flatMap(selectComparableChanges).map(({ field }) => field);
  const contract = dueIntents[0]?.contract;
  if (contract === undefined || factFields.length === 0) return undefined;
  const variables = { id: contractGid(contract, deps.platformGidNamespace) };
  try {
    const request = { document: buildCurrentStateDocument(factFields), variables, mutates: false };
    const { data, errors } = await toFinishDeps(deps, run).sendToPlatform(request);
    // A contract that is null next to an error may exist.
    if (data === null || (data.contract === null && errors.length > 0))
      throw failedReadError('no state', errors);
    const readsPauseEnd = factFields.includes(PAUSE_END_FIELD);
    const pauseEnd = readsPauseEnd ? await deps.readPauseEnd({ shopId: store.shopId, contract }) : null;
    return toCurrentContractState({ data, errors, pauseEnd });
  } catch (error) {
    const oldestAtMs = dueIntents[0]?.createdAtMs ?? deps.now();
    if (error instanceof ServiceError && deps.now() - oldestAtMs > INTENT_GIVE_UP_AFTER_MS) return undefined;
    throw error;
  }
}

async function recordIntentVerdict(
  deps: SettleContractDeps,
  intent: OpenIntent,
  verdict: IntentVerdict,
): Promise<void> {
  const { shopId, action, changes, number } = intent;
  if (verdict === 'not done') await removeIntent(deps, intent);
  else {
    const entryOutcome = verdict === 'done' ? 'DONE' : 'UNKNOWN';
    await settleIntentAsEntry(deps, intent, { outcome: entryOutcome, changes, isDirectlyObserved: false });
  }
  deps.logger.info('intent.settled', { shopId, action, number, verdict });
}
