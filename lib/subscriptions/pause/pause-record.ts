/**
 * A pause's record has the facts that the platform does not store: the actor, the reason, and when it ends
 * automatically. The platform's `status` decides whether a contract is paused: the record of a contract that is not
 * paused is ignored.
 */
import type { Condition, Item, ItemKey, Table } from '../../storage/table.ts';
import type { EventActor } from '../../timeline/event-record.ts';
import type { ContractRef } from '../contract-ref.ts';

export type PauseRecord = ContractRef & {
  /** New for each pause, and for each change of its end or reason. */
  readonly pauseId: string;
  /** Undefined, as is `pausedBy`, when the pause was made outside this service, which only set its end and reason. */
  readonly pausedAtMs: number | undefined;
  readonly pausedBy: EventActor | undefined;
  /** Undefined when the pause does not end automatically. */
  readonly resumesAtMs: number | undefined;
  readonly reason: string | undefined;
  /** The actor that set `resumesAtMs` and `reason`: customers see a reason only if a customer set it. */
  readonly setBy: EventActor;
  readonly setAtMs: number;
  /** Until then, the scheduled work is resuming the contract. */
  readonly resumingUntilMs?: number;
};

/** Key of a contract's pause. */
function pauseKey({ shopId, contractNumber }: ContractRef): ItemKey {
  return { pk: `PAUSE#${shopId}#${contractNumber}`, sk: 'PAUSE' };
}

/** Returns an id that differs from the previous pause's and from every id at another time. */
export function nextPauseId(before: PauseRecord | undefined, nowMs: number): string {
  const count = Number(before?.pauseId.split('-')[1] ?? 0);
  return `${nowMs}-${count + 1}`;
}

export type PauseRecords = {
  /** Reads consistently. */
  read(ref: ContractRef): Promise<PauseRecord | undefined>;
  /** Reads consistently, in the order of the contracts; a contract may occur twice. */
  readMany(refs: readonly ContractRef[]): Promise<(PauseRecord | undefined)[]>;
  /** Replaces the pause that was read. Refused when it has changed since, or is being resumed. */
  replace(before: PauseRecord | undefined, after: PauseRecord, nowMs: number): Promise<'done' | 'refused'>;
  /** Claims a pause for resuming, exclusively. Refused when it has changed since, or is being resumed. */
  claim(pause: PauseRecord, lease: { nowMs: number; untilMs: number }): Promise<'done' | 'refused'>;
  /** Removes a pause. Refused when it has changed since. */
  clear(pause: PauseRecord): Promise<'done' | 'refused'>;
};

const ABSENT = 'attribute_not_exists(pk)';
const SAME_PAUSE = 'pauseId = :pauseId';
const NOT_RESUMING = '(attribute_not_exists(resumingUntilMs) OR resumingUntilMs < :now)';

/** Creates the records over the table. Every failure except a refused condition is TEMPORARILY_UNAVAILABLE. */
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
