/** A page of a store's contracts is compared with its snapshots. What differs is read and compared by itself. */
import type { StoreRecord } from '../../storage/stores.ts';
import type { ContractNumber } from '../../timeline/event-number.ts';
import { compareContract } from '../contracts/compare-contract.ts';
import {
  type CompareDeps,
  type CompareRun,
  compareReadings,
  isReplaced,
  tellFound,
} from '../contracts/compare-contracts.ts';
import type { ContractReading } from '../contracts/contract-reading.ts';
import type { ContractSnapshot } from '../contracts/contract-snapshot.ts';
import { isEnded, withSchedules } from '../contracts/look-at-contracts.ts';
import { thatWait } from './still-waiting.ts';
import { tellAhead } from './told-ahead.ts';

const DAY_MS = 86_400_000;
/** From time to time the orders of a whole year are read. */
const FRESH_DAYS = 30;

/**
 * Compares the contracts, and tells ahead what comes of them. Returns those that have to wait. Errors of the platform's
 * client; TEMPORARILY_UNAVAILABLE. May be repeated.
 */
export async function comparePage(
  deps: CompareDeps,
  run: CompareRun,
  page: readonly ContractReading[],
): Promise<ContractNumber[]> {
  const { shopId } = run.store;
  const contracts = page.map(({ contract }) => contract);
  const snapshots = new Map(
    (await deps.snapshots.readMany(shopId, contracts)).map((one) => [one?.contract, one]),
  );
  const known = page.filter(({ contract }) => snapshots.has(contract));
  const readings = await withSchedules(deps, run, { readings: known, which: 'next' });
  const differing = readings.filter((reading) => differs(deps, snapshots.get(reading.contract), reading));
  const fresh = page.filter(({ contract }) => !snapshots.has(contract));
  const whole = await withSchedules(deps, run, { readings: [...differing, ...fresh], which: 'all' });
  const outcomes = await compareReadings(deps, run, whole);
  const compared = await deps.snapshots.readMany(
    shopId,
    whole.map(({ contract }) => contract),
  );
  for (const one of compared) snapshots.set(one?.contract, one);
  const all = new Map([...readings, ...whole].map((reading) => [reading.contract, reading]));
  await tellComing(deps, run.store, { readings: [...all.values()], snapshots });
  return thatWait(whole, outcomes).map(({ contract }) => contract);
}

type Compared = {
  readonly readings: readonly ContractReading[];
  readonly snapshots: ReadonlyMap<ContractNumber | undefined, ContractSnapshot | undefined>;
};

async function tellComing(
  deps: CompareDeps,
  store: StoreRecord,
  { readings, snapshots }: Compared,
): Promise<void> {
  for (const reading of readings) {
    const snapshot = snapshots.get(reading.contract);
    if (snapshot?.isForgotten) continue;
    const ahead = snapshot && tellAhead({ ...deps, store, reading, snapshot, nowMs: deps.now() });
    if (snapshot === undefined || ahead === undefined || snapshot.telling.length > 0) continue;
    const next = { ...snapshot, ...ahead };
    const outcome = await deps.snapshots.replace(snapshot, next);
    if (outcome === 'done') await tellFound(deps, { ...next, version: snapshot.version + 1 });
  }
}

function differs(
  { now }: CompareDeps,
  snapshot: ContractSnapshot | undefined,
  reading: ContractReading | undefined,
): boolean {
  if (snapshot === undefined || reading === undefined || snapshot.telling.length > 0) return true;
  if (snapshot.isForgotten) return true;
  if (snapshot.customerId !== reading.customerId) return true;
  // Changed and changed back: the platform counts both.
  if (snapshot.revisionId !== reading.revisionId) return true;
  if (isReplaced(snapshot.paymentMethod, reading.paymentMethod)) return true;
  const isOld = now() - snapshot.readAtMs > FRESH_DAYS * DAY_MS && !isEnded(reading.facts);
  return isOld || compareContract({ before: snapshot, now: reading }, []).length > 0;
}
