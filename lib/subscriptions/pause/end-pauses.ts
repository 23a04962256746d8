/**
 * Ends the pauses of some contracts of one store: two platform requests for all of them, an intent and an entry for
 * each.
 */
import { settleAll } from '../../domain/settle-all.ts';
import { isCertainlyNotDone } from '../../errors/is-outcome-unknown.ts';
import type { Logger } from '../../observability/logger.ts';
import { unanswered } from '../../platform/admin-api/missing-access.ts';
import { MUTATION_POINTS } from '../../platform/admin-api/query-points.ts';
import type { SendWithinBudget } from '../../platform/admin-api/store-budget.ts';
import type { DueItem, DueItems } from '../../storage/due-items.ts';
import type { StoreRecord, Stores } from '../../storage/stores.ts';
import type { OpenChange } from '../../timeline/begin-change.ts';
import { statusFact } from '../../timeline/changed-fact.ts';
import { type ContractNumber, contractGid } from '../../timeline/event-record.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import type { PlatformUserError } from '../operation-error.ts';
import type { PauseRecord } from './pause-record.ts';
import { pauseEndFacts } from './read-pause-end.ts';
import type { TimedPauses } from './timed-pauses.ts';

export type EndPausesDeps = {
  readonly stores: Pick<Stores, 'find'>;
  readonly dueItems: Pick<DueItems, 'listDue' | 'remove'>;
  readonly timedPauses: TimedPauses;
  readonly timeline: Pick<Timeline, 'begin'>;
  readonly sendWithinBudget: SendWithinBudget;
  readonly platformGidNamespace: string;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly now: () => number;
};

type PauseBatch = {
  readonly store: StoreRecord;
  /** Due items of this store. */
  readonly due: readonly DueItem[];
  readonly endAtMs: number;
  readonly requestId: string;
};

/** A contract that is being resumed. */
type Resuming = { readonly pause: PauseRecord; readonly open: OpenChange };
type Payload = { readonly _svcErrors: readonly PlatformUserError[] } | null | undefined;

/** Longer than any platform request, including its wait for the budget. */
const LEASE_MS = 120_000;
/** The due item is written before its pause, so the item of a short pause may be due before the pause exists. */
const VOID_AFTER_MS = 3_600_000;

/**
 * Resumes the contracts whose stored pause is the one that ends now; the others are no longer due. Returns how many
 * were resumed. An intent without an outcome is settled by the next run, before it resumes.
 * @throws the Admin API client's errors, TEMPORARILY_UNAVAILABLE
 */
export async function endPauses(deps: EndPausesDeps, batch: PauseBatch): Promise<number> {
  const pauses = await stillDue(deps, batch);
  if (pauses.length === 0) return 0;
  const readAtMs = deps.now();
  const statuses = await readStatuses(deps, batch, pauses);
  const claimed: PauseRecord[] = [];
  for (const [index, pause] of pauses.entries()) {
    if (statuses[index] !== 'PAUSED') await deps.timedPauses.end(pause);
    else if ((await claim(deps, pause)) === 'done') claimed.push(pause);
  }
  if (claimed.length === 0) return 0;
  const begin = deps.timeline.begin({
    shopId: batch.store.shopId,
    actor: { kind: 'SERVICE' },
    requestId: batch.requestId,
    readAtMs,
  });
  const resuming = await settleAll(
    claimed.map(async (pause): Promise<Resuming> => {
      const changes = [statusFact({ before: 'PAUSED', after: 'ACTIVE' })];
      const further = pauseEndFacts(pause);
      const contractId = idOf(deps, pause);
      return {
        pause,
        open: await begin({ action: 'subscription_resumed', contractId, details: {}, changes, further }),
      };
    }),
  );
  const payloads = await activate(deps, batch, resuming);
  const done = await settleAll(resuming.map((one, index) => conclude(deps, one, payloads[index])));
  return done.filter(Boolean).length;
}

/** Returns the pauses of the due items. Removes an item whose pause was replaced. */
async function stillDue(
  { timedPauses, dueItems, now }: EndPausesDeps,
  { due }: PauseBatch,
): Promise<PauseRecord[]> {
  const found = await settleAll(
    due.map(async (item) => {
      const { contractNumber, pauseId } = item.payload;
      const { shopId, dueAtMs } = item;
      const pause = await timedPauses.read({ shopId, contractNumber: contractNumber as ContractNumber });
      if (pause?.pauseId === pauseId && pause?.resumesAtMs === dueAtMs) return pause;
      if (dueAtMs + VOID_AFTER_MS < now()) await dueItems.remove(item);
      return undefined;
    }),
  );
  return found.filter((pause) => pause !== undefined);
}

function claim({ timedPauses, now }: EndPausesDeps, pause: PauseRecord): Promise<'done' | 'refused'> {
  const nowMs = now();
  return timedPauses.claim(pause, { nowMs, untilMs: nowMs + LEASE_MS });
}

/**
 * Reads the status of each contract; undefined for one that no longer exists.
 * @throws PLATFORM_UNAVAILABLE when the statuses are unknown
 */
async function readStatuses(
  deps: EndPausesDeps,
  { store, endAtMs }: PauseBatch,
  pauses: readonly PauseRecord[],
): Promise<(string | undefined)[]> {
  const document = 'query($ids: [ID!]!) { nodes(ids: $ids) { ... on SubscriptionContract { status } } }';
  const { data, errors } = await deps.sendWithinBudget({
    store,
    document,
    variables: { ids: pauses.map((pause) => idOf(deps, pause)) },
    mutates: false,
    costKey: `${document} ${pauses.length}`,
    endAtMs,
  });
  const nodes = data?.nodes as readonly ({ readonly status?: string } | null)[] | undefined;
  if (errors.length > 0 || nodes?.length !== pauses.length) throw unanswered('statuses', errors);
  return nodes.map((node) => node?.status);
}

/** One document has all mutations: the platform runs them one after another, independently. */
async function activate(
  deps: EndPausesDeps,
  { store, endAtMs }: PauseBatch,
  resuming: readonly Resuming[],
): Promise<Payload[]> {
  const names = resuming.map((_, index) => `c${index}`);
  const own = names.map((name) => `$${name}: ID!`).join(', ');
  const roots = names.map(
    (name) =>
      `${name}: subscriptionContractActivate(subscriptionContractId: $${name}) { _svcErrors: userErrors { field message code } }`,
  );
  const document = `mutation(${own}) { ${roots.join(' ')} }`;
  const ids = resuming.map(({ pause }, index) => [names[index], idOf(deps, pause)]);
  try {
    const variables = Object.fromEntries(ids);
    const expectedCost = resuming.length * MUTATION_POINTS;
    const sent = { store, document, variables, mutates: true, costKey: document, expectedCost };
    const { data } = await deps.sendWithinBudget({ ...sent, endAtMs });
    return names.map((name) => data?.[name] as Payload);
  } catch (error) {
    if (isCertainlyNotDone(error)) await settleAll(resuming.map(({ open }) => open.notDone()));
    throw error;
  }
}

/** Whether the contract was resumed. A contract that has ended in the meantime is no longer due. */
async function conclude(deps: EndPausesDeps, { pause, open }: Resuming, payload: Payload): Promise<boolean> {
  const { shopId, contractNumber: contract } = pause;
  if (!payload) {
    deps.logger.warn('pause.end_unconfirmed', { shopId, contract });
    return false;
  }
  const [refusal] = payload._svcErrors;
  if (refusal === undefined) {
    await open.done();
    await deps.timedPauses.end(pause);
    deps.logger.info('pause.ended', { shopId, contract });
    return true;
  }
  await open.notDone();
  if (refusal.code === 'CONTRACT_TERMINATED') await deps.timedPauses.end(pause);
  else deps.logger.warn('pause.end_refused', { shopId, contract, code: refusal.code });
  return false;
}

function idOf({ platformGidNamespace }: EndPausesDeps, { contractNumber }: PauseRecord): string {
  return contractGid(contractNumber, platformGidNamespace);
}
