/**
 * Contracts are read and compared with their snapshots. What is found is written into the snapshot before it is told,
 * and told before the snapshot forgets it: whoever dies in between leaves nothing out and tells nothing twice.
 */
import { settleAll } from '../../domain/settle-all.ts';
import type { DueItems } from '../../storage/due-items.ts';
import type { Table } from '../../storage/table.ts';
import type { TimedPauses } from '../../subscriptions/pause/timed-pauses.ts';
import type { ContractNumber } from '../../timeline/event-number.ts';
import type { OpenIntent } from '../../timeline/open-intent.ts';
import { holdPlaces, type TellDeps, tell } from '../tell.ts';
import { compareContract } from './compare-contract.ts';
import type { ContractReading, PaymentMethodFacts } from './contract-reading.ts';
import type { ContractSnapshot, Snapshots } from './contract-snapshot.ts';
import { createdEntry, foreignEntries } from './foreign-entries.ts';
import { lookAtContracts, type ReadDeps, type ReadRun } from './look-at-contracts.ts';
import { readOpenIntents, readOwnChanges } from './own-changes.ts';

export type CompareDeps = ReadDeps &
  TellDeps & {
    readonly table: Table;
    readonly dueItems: DueItems;
    readonly snapshots: Snapshots;
    readonly timedPauses: Pick<TimedPauses, 'read' | 'end'>;
  };

export type CompareRun = ReadRun & {
  /** Contracts that were made since then are told as made; undefined: the store's first snapshots are not whole yet. */
  readonly baselineAtMs: number | undefined;
  /** Since then each contract was found as its snapshot has it, or its snapshot was written anew; undefined: no such time. */
  readonly confirmedAtMs?: number | undefined;
};

/** `wait`: a change of the service's own is under way, so nothing was compared. `gone`: there is no such contract. */
export type Compared = 'done' | 'wait' | 'gone';

/** A contract waits so long for changes of the service's own that are not settled. */
const PATIENCE_MS = 900_000;

/** What came of each contract, at most CONTRACTS_AT_ONCE. Errors of the platform's client; TEMPORARILY_UNAVAILABLE. */
export async function compareContracts(
  deps: CompareDeps,
  run: CompareRun,
  contracts: readonly ContractNumber[],
): Promise<Compared[]> {
  const open = await readOpenIntents(deps, run.store.shopId, contracts);
  const readable = contracts.filter((contract) => !open.get(contract)?.some(isPatient(deps)));
  const readings = readable.length === 0 ? [] : await lookAtContracts(deps, run, readable);
  const found = readings.filter((reading) => reading !== undefined);
  const outcomes = await compareReadings(deps, run, found);
  return contracts.map((contract) => {
    const at = found.findIndex((reading) => reading.contract === contract);
    return outcomes[at] ?? (readable.includes(contract) ? 'gone' : 'wait');
  });
}

/** What came of contracts that were just read, at most 100. TEMPORARILY_UNAVAILABLE. */
export async function compareReadings(
  deps: CompareDeps,
  run: CompareRun,
  readings: readonly ContractReading[],
): Promise<Exclude<Compared, 'gone'>[]> {
  const { shopId } = run.store;
  // Whatever of ours shows in the readings has its intent here, or its entry there.
  const contracts = readings.map(({ contract }) => contract);
  const open = await readOpenIntents(deps, shopId, contracts);
  const snapshots = await deps.snapshots.readMany(shopId, contracts);
  return settleAll(
    readings.map(async (reading, index) => {
      const intents = open.get(reading.contract) ?? [];
      const before = snapshots[index];
      const snapshot = before && (await tellFound(deps, before));
      // Somebody else has looked meanwhile.
      const isOld = snapshot !== undefined && snapshot.readAtMs > reading.readAtMs;
      if (isOld || intents.some(isPatient(deps))) return 'wait';
      return compareOne(deps, run, { reading, snapshot, intents });
    }),
  );
}

function isPatient({ now }: CompareDeps) {
  return ({ createdAtMs }: OpenIntent) => now() - createdAtMs < PATIENCE_MS;
}

type One = {
  readonly reading: ContractReading;
  readonly snapshot: ContractSnapshot | undefined;
  readonly intents: readonly OpenIntent[];
};

async function compareOne(deps: CompareDeps, run: CompareRun, one: One): Promise<'done' | 'wait'> {
  const { shopId } = run.store;
  const { reading, snapshot, intents } = one;
  const { contract, readAtMs, createdAtMs } = reading;
  const since = snapshot ?? { shopId, contract, sinceMs: createdAtMs - PATIENCE_MS, seen: [], open: [] };
  const { confirmedAtMs } = run;
  const own = await readOwnChanges(deps, since, { open: intents, readAtMs, confirmedAtMs });
  if (own.hasFresh) return 'wait';
  const found = {
    ...{ shopId, reading, version: snapshot?.version ?? 0, nowMs: deps.now() },
    isMethodReplaced: isReplaced(snapshot?.paymentMethod, reading.paymentMethod),
  };
  const isMadeHere = own.changes.some(({ action }) => action === 'subscription_created');
  const isNew = run.baselineAtMs !== undefined && createdAtMs >= run.baselineAtMs;
  const entries =
    snapshot === undefined
      ? isNew && !isMadeHere
        ? [createdEntry(found)]
        : []
      : snapshot.isForgotten
        ? []
        : foreignEntries(found, compareContract({ before: snapshot, now: reading }, own.changes));
  const next = {
    ...withLaterCycles(snapshot, reading),
    ...own.next,
    ...toldAhead(snapshot),
    shopId,
    telling: entries.map((entry) => ({ entry })),
  };
  // An own change that is made from now on is told after them, whoever dies here.
  await holdPlaces(deps, entries);
  if ((await deps.snapshots.replace(snapshot, next)) === 'refused') return 'wait';
  if (entries.length > 0) await tellFound(deps, { ...next, version: (snapshot?.version ?? 0) + 1 });
  return 'done';
}

/** Tells what was found, perhaps for the second time. Returns the snapshot without it. */
export async function tellFound(deps: CompareDeps, snapshot: ContractSnapshot): Promise<ContractSnapshot> {
  const { telling, shopId, contract: contractNumber } = snapshot;
  if (telling.length === 0) return snapshot;
  for (const one of telling) {
    await tell(deps, one);
    if (
      !('entry' in one) ||
      !one.entry.changes.some(({ field, before }) => field === 'status' && before === 'PAUSED')
    )
      continue;
    const pause = await deps.timedPauses.read({ shopId, contractNumber });
    // One that was made since is another.
    if (pause !== undefined && pause.setAtMs < snapshot.readAtMs) await deps.timedPauses.end(pause);
  }
  await deps.snapshots.told(snapshot);
  return { ...snapshot, telling: [], version: snapshot.version + 1 };
}

/** Whether the same payment method pays with something else. */
export function isReplaced(before?: PaymentMethodFacts, now?: PaymentMethodFacts): boolean {
  if (before?.instrument === undefined || now?.instrument === undefined) return false;
  return before.id === now.id && before.instrument !== now.instrument;
}

/** What was told ahead stays told. */
function toldAhead({ upcomingTold, expiringTold }: Partial<ContractSnapshot> = {}) {
  return { ...(upcomingTold !== undefined && { upcomingTold }), ...(expiringTold && { expiringTold }) };
}

/** A page's reading knows of the next orders alone. */
function withLaterCycles(before: ContractSnapshot | undefined, reading: ContractReading): ContractReading {
  if (before === undefined || before.cyclesUntil <= reading.cyclesUntil) return reading;
  const later = Object.entries(before.cycles).filter(([, { end }]) => end > reading.cyclesUntil);
  return {
    ...reading,
    cycles: { ...reading.cycles, ...Object.fromEntries(later) },
    cyclesUntil: before.cyclesUntil,
  };
}
