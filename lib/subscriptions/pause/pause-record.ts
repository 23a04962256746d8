/**
 * Stores what the platform does not know about a pause: who paused the contract, the reason, and when the pause ends by
 * itself. The platform's `status` decides whether the contract is paused; otherwise the record is ignored.
 */
import type { Item, ItemKey, Table, WriteCondition } from '../../storage/table.ts';
import type { EventActor } from '../../timeline/event-record.ts';
import type { ContractRef } from '../contract-ref.ts';

export type PauseRecord = ContractRef & {
  /** A new id for each pause, and for each change of its end or reason. */
  readonly pauseId: string;
  /**
   * Undefined, like `pausedBy`, when another app paused the contract, and only the end and the reason of the pause
   * were set through this service.
   */
  readonly pausedAtMs: number | undefined;
  readonly pausedBy: EventActor | undefined;
  /** When the pause ends by itself, epoch milliseconds. Undefined when it does not. */
  readonly resumesAtMs: number | undefined;
  readonly reason: string | undefined;
  /** The actor that set `resumesAtMs` and `reason`. Customers see the reason only if a customer set it. */
  readonly setBy: EventActor;
  readonly setAtMs: number;
  /**
   * While this instant (epoch milliseconds) is in the future, a run of the scheduled work has claimed the pause to
   * resume the contract.
   */
  readonly resumingUntilMs?: number;
};

/** Returns the table key of a contract's pause. */
function pauseItemKey({ shopId, contractNumber }: ContractRef): ItemKey {
  return { pk: `PAUSE#${shopId}#${contractNumber}`, sk: 'PAUSE' };
}

/**
 * Returns an id for a new pause that differs from the id of the previous pause. It starts with the time, so it also
 * differs from the ids of older pauses.
 */
export function nextPauseId(previousPause: PauseRecord | undefined, nowMs: number): string {
  const previousSerial = Number(previousPause?.pauseId.split('-')[1] ?? 0);
  return `${nowMs}-${previousSerial + 1}`;
}

export type PauseRecordRepository = {
  /** Reads the pause with a consistent read. */
  read(ref: ContractRef): Promise<PauseRecord | undefined>;
  /**
   * Reads the pauses of several contracts, in the order of `refs`, with consistent reads. A contract may occur twice.
   */
  readMany(refs: readonly ContractRef[]): Promise<(PauseRecord | undefined)[]>;
  /**
   * Replaces the pause that was read. Returns `refused` when the stored pause has changed since, or its contract is
   * being resumed.
   */
  replace(
    pauseBefore: PauseRecord | undefined,
    pauseAfter: PauseRecord,
    nowMs: number,
  ): Promise<'done' | 'refused'>;
  /**
   * Claims a pause in order to resume its contract. Returns `refused` when the stored pause has changed since, or
   * another run has claimed it.
   */
  claim(pause: PauseRecord, lease: { nowMs: number; untilMs: number }): Promise<'done' | 'refused'>;
  /** Removes a pause. Returns `refused` when the stored pause is another one. */
  clear(pause: PauseRecord): Promise<'done' | 'refused'>;
};

const NO_PAUSE_CONDITION = 'attribute_not_exists(pk)';
const SAME_PAUSE_CONDITION = 'pauseId = :pauseId';
const NOT_RESUMING_CONDITION = '(attribute_not_exists(resumingUntilMs) OR resumingUntilMs < :now)';

/**
 * Creates the repository of pause records. They are stored in the table, one item per contract. The methods throw
 * TEMPORARILY_UNAVAILABLE when the table cannot be used.
 */
export function createPauseRecordRepository({ table }: { readonly table: Table }): PauseRecordRepository {
  return {
    async read(ref) {
      const item = await table.get(pauseItemKey(ref));
      return item && toPauseRecord(item);
    },
    async readMany(refs) {
      const pauseItems = await table.batchGet(refs.map(pauseItemKey));
      return pauseItems.map((item) => item && toPauseRecord(item));
    },
    replace: (pauseBefore, pauseAfter, nowMs) =>
      table.put(
        { ...pauseItemKey(pauseAfter), ...pauseAfter },
        pauseBefore === undefined ? WRITE_IF_NO_PAUSE : buildUnclaimedCondition(pauseBefore, nowMs),
      ),
    async claim(pause, { nowMs, untilMs }) {
      const { values, ...unclaimedCondition } = buildUnclaimedCondition(pause, nowMs);
      const { outcome } = await table.update({
        key: pauseItemKey(pause),
        update: 'SET resumingUntilMs = :until',
        ...unclaimedCondition,
        values: { ...values, ':until': untilMs },
      });
      return outcome;
    },
    clear: (pause) =>
      table.delete(pauseItemKey(pause), {
        condition: SAME_PAUSE_CONDITION,
        values: { ':pauseId': pause.pauseId },
      }),
  };
}

const WRITE_IF_NO_PAUSE: WriteCondition = { condition: NO_PAUSE_CONDITION };

function buildUnclaimedCondition({ pauseId }: PauseRecord, nowMs: number): WriteCondition {
  return {
    condition: `${SAME_PAUSE_CONDITION} AND ${NOT_RESUMING_CONDITION}`,
    values: { ':pauseId': pauseId, ':now': nowMs },
  };
}

function toPauseRecord({ pk: _pk, sk: _sk, ...record }: Item): PauseRecord {
  return record as unknown as PauseRecord;
}
