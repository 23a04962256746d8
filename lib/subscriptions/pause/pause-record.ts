/**
 * A pause's record keeps what the platform does not: who made it, why, and when it ends by itself. The platform's
 * `status` says whether a contract is paused at all: a record of a contract that is not paused means nothing.
 */
import type { Condition, Item, ItemKey, Table } from '../../storage/table.ts';
import type { EventActor } from '../../timeline/event-record.ts';
import type { ContractRef } from '../contract-ref.ts';

export type PauseRecord = ContractRef & {
  /** New with each pause, and with each change of its end or reason. */
  readonly pauseId: string;
  /** Undefined, as `pausedBy`: the pause was made elsewhere, and only its end and reason are ours. */
  readonly pausedAtMs: number | undefined;
  readonly pausedBy: EventActor | undefined;
  /** Undefined: it does not end by itself. */
  readonly resumesAtMs: number | undefined;
  readonly reason: string | undefined;
  /** Who gave `resumesAtMs` and `reason`: customers see a reason only if a customer gave it. */
  readonly setBy: EventActor;
  readonly setAtMs: number;
  /** The scheduled work is resuming the contract until then. */
  readonly resumingUntilMs?: number;
};

/** Key of a contract's pause. */
function pauseKey({ shopId, contractNumber }: ContractRef): ItemKey {
  return { pk: `PAUSE#${shopId}#${contractNumber}`, sk: 'PAUSE' };
}

/** An id unlike that of the pause before, and unlike that of any other at another time. */
export function nextPauseId(before: PauseRecord | undefined, nowMs: number): string {
  const count = Number(before?.pauseId.split('-')[1] ?? 0);
  return `${nowMs}-${count + 1}`;
}

export type PauseRecords = {
  /** Consistent read. */
  read(ref: ContractRef): Promise<PauseRecord | undefined>;
  /** Consistent read of contracts, in their order; the same contract may stand twice. */
  readMany(refs: readonly ContractRef[]): Promise<(PauseRecord | undefined)[]>;
  /** Writes a pause in the place of the one that was read. Refused: it is another by now, or is being resumed. */
  replace(before: PauseRecord | undefined, after: PauseRecord, nowMs: number): Promise<'done' | 'refused'>;
  /** Takes a pause for resuming, for one at a time. Refused: it is another by now, or is being resumed. */
  claim(pause: PauseRecord, lease: { nowMs: number; untilMs: number }): Promise<'done' | 'refused'>;
  /** Removes a pause. Refused: it is another by now. */
  clear(pause: PauseRecord): Promise<'done' | 'refused'>;
};

const ABSENT = 'attribute_not_exists(pk)';
const SAME_PAUSE = 'pauseId = :pauseId';
const NOT_RESUMING = '(attribute_not_exists(resumingUntilMs) OR resumingUntilMs < :now)';

/** Pauses over the table. Every failure but a refused condition is TEMPORARILY_UNAVAILABLE. */
export function createPauseRecords({ table }: { readonly table: Table }): PauseRecords {
  return {
    async read(ref) {
      const item = await table.get(pauseKey(ref));
      return item && toRecord(item);
    },
    async readMany(refs) {
      const items = await table.batchGet(refs.map(pauseKey));
      return items.map((item) => item && toRecord(item));
    },
    replace: (before, after, nowMs) =>
      table.put(
        { ...pauseKey(after), ...after },
        before === undefined ? ABSENT_ONLY : stillFree(before, nowMs),
      ),
    async claim(pause, { nowMs, untilMs }) {
      const { values, ...free } = stillFree(pause, nowMs);
      const { outcome } = await table.update({
        key: pauseKey(pause),
        update: 'SET resumingUntilMs = :until',
        ...free,
        values: { ...values, ':until': untilMs },
      });
      return outcome;
    },
    clear: (pause) =>
      table.delete(pauseKey(pause), { condition: SAME_PAUSE, values: { ':pauseId': pause.pauseId } }),
  };
}

const ABSENT_ONLY: Condition = { condition: ABSENT };

function stillFree({ pauseId }: PauseRecord, nowMs: number): Condition {
  return {
    condition: `${SAME_PAUSE} AND ${NOT_RESUMING}`,
    values: { ':pauseId': pauseId, ':now': nowMs },
  };
}

function toRecord({ pk: _pk, sk: _sk, ...record }: Item): PauseRecord {
  return record as unknown as PauseRecord;
}
