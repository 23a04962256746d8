/**
 * A charge claims its contract while it is in progress. The platform runs an idempotency key once, but two concurrent
 * keys create two attempts. A charge with another key therefore waits until the earlier attempt can be read, and
 * returns that attempt.
 */
import type { ItemKey, Table } from '../../storage/table.ts';
import { timelinePartition } from '../../timeline/event-record.ts';
import type { ContractRef } from '../contract-ref.ts';
import type { OperationDeps } from '../operation.ts';

export type ChargeClaims = {
  /**
   * Claims the contract. Refused when a charge with another key is in progress, or ended after the attempts were
   * read.
   */
  take(
    ref: ContractRef,
    charge: { readonly idempotencyKey: string; readonly readAtMs: number },
  ): Promise<'done' | 'refused'>;
  /**
   * Releases the claim: an attempt that is read from now on shows the charge's result. Do not call it while that
   * result is unknown.
   */
  end(ref: ContractRef, idempotencyKey: string): Promise<void>;
};

/** A charge also needs the claims. */
export type ChargeDeps = OperationDeps & { readonly chargeClaims: ChargeClaims };

type Deps = { readonly table: Table; readonly now: () => number };

/** Longer than any request runs. */
const UNDER_WAY_MS = 30_000;
const FREE = 'attribute_not_exists(pk) OR idempotencyKey = :key OR doneAtMs < :readAtMs OR untilMs < :now';

/** Creates claims that are stored in the table, one for each contract. Methods throw TEMPORARILY_UNAVAILABLE. */
export function createChargeClaims({ table, now }: Deps): ChargeClaims {
  return {
    take: (ref, { idempotencyKey, readAtMs }) =>
      table.put(
        { ...claimKey(ref), shopId: ref.shopId, idempotencyKey, untilMs: now() + UNDER_WAY_MS },
        { condition: FREE, values: { ':key': idempotencyKey, ':readAtMs': readAtMs, ':now': now() } },
      ),
    async end(ref, idempotencyKey) {
      await table.update({
        key: claimKey(ref),
        update: 'SET doneAtMs = :now',
        condition: 'idempotencyKey = :key',
        values: { ':now': now(), ':key': idempotencyKey },
      });
    },
  };
}

/**
 * The claim is stored next to the heads of facts, after all timeline entries, so no page of the timeline contains it.
 */
function claimKey({ shopId, contractNumber }: ContractRef): ItemKey {
  return { pk: timelinePartition({ shopId, contract: contractNumber }), sk: '~charging' };
}
