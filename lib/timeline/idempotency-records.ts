/** Claims on idempotency keys: for a change whose intent is written, and for changes that no entry tells. */
import { ServiceError } from '../errors/service-error.ts';
import { type Claim, claimKey, storeResponse } from '../storage/claim-key.ts';
import type { DueItems } from '../storage/due-items.ts';
import type { ClaimedKey, KeyedRequest, StoredResponse } from '../storage/idempotency-record.ts';
import type { Table } from '../storage/table.ts';
import { type FirstRequest, findFirst } from './find-first.ts';
import type { OpenIntent } from './intent.ts';
import { dropIntent, type EndDeps } from './intent.ts';

export type IdempotencyRecords = {
  /** What became of the first request under the key. TEMPORARILY_UNAVAILABLE. */
  findFirst(request: KeyedRequest): Promise<FirstRequest>;
  /** Claims the key without an intent; false: another request has it. TEMPORARILY_UNAVAILABLE. */
  claim(key: ClaimedKey, claim: Pick<Claim, 'mayRunAgain' | 'storedResponse'>): Promise<boolean>;
  /** Keeps what repeats are told, under this request's own claim; a refusal that is too long gives it up. TEMPORARILY_UNAVAILABLE. */
  storeResponse(key: ClaimedKey, storedResponse: Partial<StoredResponse>): Promise<void>;
  /** Gives up this request's own claim: nothing was changed. TEMPORARILY_UNAVAILABLE. */
  release(key: ClaimedKey): Promise<void>;
};

type Deps = {
  readonly table: Table;
  readonly dueItems: DueItems;
  readonly now: () => number;
  readonly newId: () => string;
};

/** Claims over the table. */
export function createIdempotencyRecords(deps: Deps): IdempotencyRecords {
  const { table } = deps;
  return {
    findFirst: (request) => findFirst(deps, request),
    claim: (key, claim) => claimKey(deps, key, claim),
    async storeResponse(key, storedResponse) {
      const { place, runId: id } = key;
      const isStored = await storeResponse(table, { repeat: place, id, isOnlyTeller: true }, storedResponse);
      if (!isStored) await release(table, key);
    },
    release: (key) => release(table, key),
  };
}

async function release(table: Table, { place, runId }: ClaimedKey): Promise<void> {
  await table.delete(place, { condition: 'runId = :mine', values: { ':mine': runId } });
}

/**
 * Claims the key of a change whose intent is written. The intent goes if the key cannot be had:
 * IDEMPOTENCY_CONCURRENT_REQUEST if another request has it, TEMPORARILY_UNAVAILABLE.
 */
export async function claimFor(deps: EndDeps, key: ClaimedKey, open: OpenIntent): Promise<void> {
  const isOwn = await claimKey(deps, key, { intent: open }).catch(async (error: unknown) => {
    await withdraw(deps, open);
    throw error;
  });
  if (isOwn) return;
  await withdraw(deps, open);
  throw concurrentRequest(1);
}

/** An intent that stays is settled as not done: the claim does not name it. */
async function withdraw(deps: EndDeps, open: OpenIntent): Promise<void> {
  await dropIntent(deps, open).catch(() => undefined);
}

/** The first request with the key has not ended; when to ask again. */
export function concurrentRequest(retryAfterSeconds: number): ServiceError {
  return new ServiceError('IDEMPOTENCY_CONCURRENT_REQUEST', {
    retryAfterSeconds,
    extensions: { retryAfterSeconds },
  });
}
