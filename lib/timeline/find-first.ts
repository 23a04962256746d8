/** A request under a key asks first what became of the one before it: the claim, the intent and the entry tell. */
import type { DueItems } from '../storage/due-items.ts';
import {
  type ClaimedKey,
  type IdempotencyRecord,
  type KeyedRequest,
  type StoredResponse,
  toIdempotencyRecord,
} from '../storage/idempotency-record.ts';
import type { Table } from '../storage/table.ts';
import { type ContractNumber, findEntry, parseEventNumber } from './event-record.ts';
import { type OpenIntent, SETTLE_AFTER_MS, toOpenIntent } from './intent.ts';

export type FirstRequest =
  /** No request has this key, or the first one changed nothing: this request may run, and claims the key. */
  | { readonly kind: 'none'; readonly key: ClaimedKey }
  | { readonly kind: 'other arguments' }
  | { readonly kind: 'running'; readonly retryAfterSeconds: number }
  /** An unsettled intent whose request is over. */
  | { readonly kind: 'open'; readonly intent: OpenIntent }
  /** `contract`: the one whose timeline tells it. */
  | {
      readonly kind: 'ended';
      readonly storedResponse: StoredResponse;
      readonly contract: ContractNumber | undefined;
    }
  | { readonly kind: 'unknown' };

type Deps = {
  readonly table: Table;
  readonly dueItems: DueItems;
  readonly now: () => number;
  readonly newId: () => string;
};

/** The first request as the table has it: this request may replace its run when it changed nothing. */
type FoundRun = Exclude<FirstRequest, { kind: 'none' }> | Replaceable;
type Replaceable = { readonly kind: 'none'; readonly replaces: string | undefined };

/** No request lives so long. */
const LIFETIME_MS = 30_000;
const SOON_SECONDS = 2;
/** The idempotency record may change during the read, but rarely. */
const MAX_READS = 4;
const NOTHING: StoredResponse = { userErrors: [], locals: {}, ids: {} };

/**
 * Finds what became of the first request with this key.
 * @throws TEMPORARILY_UNAVAILABLE when the table does not respond
 */
export async function findFirst(deps: Deps, request: KeyedRequest): Promise<FirstRequest> {
  const found = await lookUp(deps, request);
  if (found.kind !== 'none') return found;
  return { kind: 'none', key: { ...request, replaces: found.replaces, runId: deps.newId() } };
}

async function lookUp(deps: Deps, request: KeyedRequest): Promise<FoundRun> {
  let before: string | undefined;
  for (let reads = 0; reads < MAX_READS; reads++) {
    const claim = await readClaim(deps, request);
    if (claim === undefined) return { kind: 'none', replaces: undefined };
    // What an intent leaves is kept before it goes: so the claim is read once more.
    if (before === claim.runId && claim.storedResponse === undefined)
      return { kind: 'none', replaces: before };
    const found = await findRun(deps, request, claim);
    const isSame = claim.argumentsHash === request.argumentsHash;
    if (found !== undefined) return isSame || found.kind === 'none' ? found : { kind: 'other arguments' };
    before = claim.runId;
  }
  return { kind: 'running', retryAfterSeconds: SOON_SECONDS };
}

async function readClaim(
  { table, now }: Deps,
  { place }: KeyedRequest,
): Promise<IdempotencyRecord | undefined> {
  const item = await table.get(place);
  const claim = item && toIdempotencyRecord(item);
  return claim !== undefined && claim.untilMs > now() ? claim : undefined;
}

/** Undefined: neither the intent nor an entry is there. */
async function findRun(
  deps: Deps,
  { shopId }: KeyedRequest,
  claim: IdempotencyRecord,
): Promise<FoundRun | undefined> {
  const { number, claimedAtMs, mayRunAgain, runId, storedResponse } = claim;
  const place = number === undefined ? undefined : parseEventNumber(number);
  if (storedResponse !== undefined) return { kind: 'ended', storedResponse, contract: place?.contract };
  if (place === undefined) {
    const mayBeRunning = deps.now() - claimedAtMs < LIFETIME_MS;
    if (mayBeRunning) return { kind: 'running', retryAfterSeconds: SOON_SECONDS };
    return mayRunAgain ? { kind: 'none', replaces: runId } : { kind: 'unknown' };
  }
  const { createdAtMs, contract } = place;
  const item = await deps.dueItems.find({
    kind: 'intent',
    shopId,
    dueAtMs: createdAtMs + SETTLE_AFTER_MS,
    name: place.number,
  });
  const open = item && toOpenIntent(item);
  // An entry's intent stays while the entry waits for its place in the store's stream.
  const entry = await findEntry(deps, { shopId, createdAtMs, contract, id: runId });
  if (entry === undefined) return open?.id === runId ? isSettleable(open, deps.now()) : undefined;
  return entry.outcome === 'DONE'
    ? { kind: 'ended', storedResponse: NOTHING, contract }
    : { kind: 'unknown' };
}

function isSettleable(intent: OpenIntent, nowMs: number): FoundRun {
  const ageMs = nowMs - intent.createdAtMs;
  if (ageMs >= SETTLE_AFTER_MS) return { kind: 'open', intent };
  const leftSeconds = Math.ceil((SETTLE_AFTER_MS - ageMs) / 1000);
  // It may end at any moment; later it has lost its answer, and only time tells.
  return { kind: 'running', retryAfterSeconds: ageMs < LIFETIME_MS ? SOON_SECONDS : leftSeconds };
}
