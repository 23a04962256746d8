/**
 * A contract is claimed by the charge that is under way. The platform runs a key once, but two keys at the same time
 * are two attempts: a charge under another key waits until the one before it can be read, and is then answered with it.
 */
import type { ItemKey, Table } from '../../storage/table.ts';
import { timelinePartition } from '../../timeline/event-record.ts';
import type { ContractRef } from '../contract-ref.ts';
import type { OperationDeps } from '../operation.ts';

export type ChargeClaims = {
  /** Refused: a charge under another key is under way, or has ended since the attempts were read. */
  take(
    ref: ContractRef,
    charge: { readonly idempotencyKey: string; readonly readAtMs: number },
  ): Promise<'done' | 'refused'>;
  /** Whoever reads the attempts from now on sees what came of it. Not called where that is unknown. */
  end(ref: ContractRef, idempotencyKey: string): Promise<void>;
};

/** A charge is given claims beside what every operation is given. */
export type ChargeDeps = OperationDeps & { readonly chargeClaims: ChargeClaims };

type Deps = { readonly table: Table; readonly now: () => number };

/** No request lives so long. */
const UNDER_WAY_MS = 30_000;
const FREE = 'attribute_not_exists(pk) OR idempotencyKey = :key OR doneAtMs < :readAtMs OR untilMs < :now';

/** Claims over the table, one for each contract. TEMPORARILY_UNAVAILABLE. */
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

/** The claim lies beside the heads of facts: behind all entries of the timeline, and in none of its pages. */
function claimKey({ shopId, contractNumber }: ContractRef): ItemKey {
  return { pk: timelinePartition({ shopId, contract: contractNumber }), sk: '~charging' };
}
