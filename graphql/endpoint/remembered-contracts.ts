/**
 * Remembers the contracts of a customer's last list in the session, so that their next cycles are read together with the
 * list. Numbers only come from responses of the platform for this customer. They are never trusted: a page is used only
 * for a contract that the first response proves to be the customer's.
 */

import { formatGid, parseGid } from '../../lib/domain/gid.ts';
import { areConditionsMet } from '../compile/selection/flatten-selection.ts';
import { type PrefetchedPages, prefetchPages } from '../fields/read-next-cycles.ts';
import type { Variables } from '../plan/client-document.ts';
import type { CyclePrefetch, ListedContracts } from '../plan/cycle-prefetch.ts';
import type { QueryPlan } from '../plan/plan.ts';
import type { RunContext } from '../plan/run-context.ts';

/** The maximum number of remembered contracts, which is also that of next orders in a response. */
const MAX_REMEMBERED_CONTRACTS = 25;

type StartedPrefetch = {
  /** Undefined when the query has no list of contracts with next orders. */
  readonly cyclePrefetch: CyclePrefetch | undefined;
  /**
   * To be awaited before the response: no work may be in progress when the container is frozen. The write has usually
   * finished by then, because it starts before the last request to the platform. `isComplete`: whether the query has all
   * its results; without a contract among them, nothing is remembered. Never rejects.
   */
  readonly end: (isComplete: boolean) => Promise<void>;
};

/**
 * Creates the prefetch of the next cycles for a customer's query. It sends nothing until `CyclePrefetch.start` is
 * called.
 */
export function createCyclePrefetch(
  context: RunContext,
  plan: QueryPlan,
  variables: Variables,
): StartedPrefetch {
  const { actor } = context;
  const contracts = actor.kind === 'customer' ? actor.session.rememberedContracts : undefined;
  const maxListLength = contracts === undefined ? 0 : computeMaxListSize(plan, variables);
  if (contracts === undefined || maxListLength === 0)
    return { cyclePrefetch: undefined, end: async () => undefined };
  let rememberedIds: readonly string[] = toPlatformIds(context, contracts.numbers);
  let prefetchPromise: Promise<PrefetchedPages> | undefined;
  let unreadableIds: readonly string[] = [];
  let hasRemembered = false;
  let pendingWrite: Promise<void> | undefined;
  const readPages = async (contractIds: readonly string[]) => {
    const prefetchedPages = await prefetchPages(context, contractIds);
    unreadableIds = prefetchedPages.unreadable;
    return prefetchedPages;
  };
  const cyclePrefetch: CyclePrefetch = {
    start() {
      if (rememberedIds.length > 0) prefetchPromise ??= readPages(rememberedIds.slice(0, maxListLength));
    },
    readPages: async () => (await prefetchPromise)?.pages ?? new Map(),
    remember(listed) {
      hasRemembered = true;
      const isListComplete = new Set(listed.all).size < maxListLength;
      const nextRememberedIds = isListComplete
        ? listed.charged
        : chooseRememberedIds(rememberedIds, listed, unreadableIds);
      const isUnchanged =
        nextRememberedIds.length === rememberedIds.length &&
        nextRememberedIds.every((id) => rememberedIds.includes(id));
      const prefetchedIds = rememberedIds.slice(0, maxListLength);
      if (isUnchanged && listed.charged.slice(0, maxListLength).every((id) => prefetchedIds.includes(id)))
        return;
      rememberedIds = nextRememberedIds;
      pendingWrite = contracts.replace(nextRememberedIds.flatMap((id) => parseGid(id)?.tail ?? []));
    },
  };
  const end = async (isComplete: boolean) => {
    if (isComplete && !hasRemembered) cyclePrefetch.remember({ all: [], charged: [] });
    await prefetchPromise;
    await pendingWrite;
  };
  return { cyclePrefetch, end };
}

/** Returns how many contracts the largest list of the query can have. */
function computeMaxListSize({ contractLists }: QueryPlan, variables: Variables): number {
  const listSizes = contractLists
    .filter(({ when }) => when.some((conditions) => areConditionsMet(conditions, variables)))
    .map(({ readSize }) => readSize(variables));
  return Math.min(MAX_REMEMBERED_CONTRACTS, Math.max(0, ...listSizes));
}

/** Returns the platform's ids of the remembered contracts. Ignores texts that are no numbers. */
function toPlatformIds({ identity }: RunContext, numbers: readonly string[]): string[] {
  const namespace = identity.namespaces.platform;
  const ids = numbers.map((tail) => String(formatGid({ namespace, type: 'SubscriptionContract', tail })));
  return [...new Set(ids)].filter((id) => parseGid(id) !== undefined).slice(0, MAX_REMEMBERED_CONTRACTS);
}

/**
 * Returns the contracts to remember after a list with further pages: those of the list first, then the known ones that
 * another list may have. A contract that could not be read, or has no order from now on, is forgotten.
 */
function chooseRememberedIds(
  known: readonly string[],
  { all, charged }: ListedContracts,
  unreadable: readonly string[],
): string[] {
  const otherIds = known.filter((id) => !all.includes(id) && !unreadable.includes(id));
  return [...new Set([...charged, ...otherIds])].slice(0, MAX_REMEMBERED_CONTRACTS);
}
