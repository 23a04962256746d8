/**
 * Claims that prevent concurrent charges of a contract with different idempotency keys. The platform creates one
 * attempt per key, so two such charges would create two attempts. A charge whose claim is refused waits until the other
 * charge's attempt can be read, and returns that attempt.
 */
import type { ItemKey, Table } from '../../storage/table.ts';
import { timelinePartition } from '../../timeline/event-record.ts';
import type { ContractRef } from '../contract-ref.ts';
import type { OperationDeps } from '../operation.ts';

export type ChargeClaims = {
  /**
   * Claims the contract for this charge. Returns `refused` when a charge with another key is in progress, or ended
   * after `readAtMs`, the time when the caller read the attempts of the contract. Omit `readAtMs` if they are read
   * after the claim.
   */
  claim(
    ref: ContractRef,
    charge: { readonly idempotencyKey: string; readonly readAtMs?: number },
  ): Promise<'done' | 'refused'>;
  /**
   * Releases the claim. Call this only when attempts that are read from now on include the attempt of this charge; do
   * not call it while the outcome of the charge is unknown.
   */
  release(ref: ContractRef, idempotencyKey: string): Promise<void>;
};

/** The dependencies of an operation that charges. */
export type ChargeDeps = OperationDeps & { readonly chargeClaims: ChargeClaims };

type Deps = { readonly table: Table; readonly now: () => number };

/** After how long a claim that was not released expires. Longer than any request runs. */
const CHARGE_CLAIM_LIFETIME_MS = 30_000;
const CHARGE_CLAIM_FREE_CONDITION =
  'attribute_not_exists(pk) OR idempotencyKey = :key OR doneAtMs < :readAtMs OR untilMs < :now';

/**
 * Creates the repository of charge claims. They are stored in the table, one item per contract. The methods throw
 * TEMPORARILY_UNAVAILABLE when the table cannot be used.
 */
export function createChargeClaimRepository({ table, now }: Deps): ChargeClaims {
  return {
    claim: (ref, { idempotencyKey, readAtMs = Number.MAX_SAFE_INTEGER }) =>
      table.put(
        {
          ...chargeClaimItemKey(ref),
          shopId: ref.shopId,
          idempotencyKey,
          untilMs: now() + CHARGE_CLAIM_LIFETIME_MS,
        },
        {
          condition: CHARGE_CLAIM_FREE_CONDITION,
          values: { ':key': idempotencyKey, ':readAtMs': readAtMs, ':now': now() },
        },
      ),
    async release(ref, idempotencyKey) {
      await table.update({
        key: chargeClaimItemKey(ref),
        update: 'SET doneAtMs = :now',
        condition: 'idempotencyKey = :key',
        values: { ':now': now(), ':key': idempotencyKey },
      });
    },
  };
}

/** The key sorts after all timeline entries of the contract, so no page of the timeline contains the claim. */
function chargeClaimItemKey({ shopId, contractNumber }: ContractRef): ItemKey {
  return { pk: timelinePartition({ shopId, contract: contractNumber }), sk: '~charging' };
}
