/**
 * Once a night all contracts of a store are read and compared, then its charges: that finds what lost webhooks would have
 * told. It can be ended after any page, and goes on there. The first pass, when a store is installed, makes the snapshots.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { type StoreRecord, type Stores, timeZoneOf } from '../../storage/stores.ts';
import { ATTEMPTS_AT_ONCE } from '../charges/read-attempts.ts';
import { type AttemptDeps, tellAttempts } from '../charges/tell-attempts.ts';
import { CONTRACTS_AT_ONCE } from '../contracts/contract-documents.ts';
import { readContractPage } from '../contracts/look-at-contracts.ts';
import { type ObserveDeps, type ObserveRun, observeContracts } from '../contracts/observe-contracts.ts';
import { comparePage } from './compare-page.ts';
import { nextNightAtMs, nightOf } from './night.ts';
import { type PassRecord, readPass, writePass } from './pass-record.ts';
import { renewRegistrations } from './renew-registrations.ts';
import { stillWaiting } from './still-waiting.ts';
import { chargesSinceMs, tellChargePage } from './tell-missed-charges.ts';

export type PassDeps = ObserveDeps &
  AttemptDeps & {
    readonly stores: Pick<Stores, 'find'>;
    readonly logger: Pick<Logger, 'info' | 'warn'>;
  };

type Turn = { readonly shopId: ShopId; readonly endAtMs: number; readonly signal: AbortSignal };

const WAIT_MS = 60_000;
/** Somebody has to act first; tonight there is nothing to be done. */
const LASTING: ReadonlySet<string> = new Set(['STORE_ACCESS_MISSING', 'STORE_DISCONNECTED']);

/** Goes on with the store's pass until `endAtMs`. Returns when to go on (epoch milliseconds); undefined: never by itself. */
export async function nightlyPass(deps: PassDeps, turn: Turn): Promise<number | undefined> {
  const { shopId, endAtMs } = turn;
  const store = await deps.stores.find(shopId);
  if (store?.status !== 'installed') return undefined;
  const zoned = { shopId, timeZone: timeZoneOf(store) };
  const pass = await beginPass(deps, store, nightOf(zoned, deps.now()));
  const nextAtMs = nextNightAtMs(zoned, deps.now());
  if (pass.state === 'done') return nextAtMs;
  const { baselineAtMs } = pass;
  const run = { store, endAtMs, baselineAtMs };
  try {
    const after = await goOn(deps, { ...run, signal: turn.signal }, pass);
    if (after.state === 'waiting') return deps.now() + WAIT_MS;
    if (after.state !== 'done') return deps.now();
    await renewRegistrations(deps, run);
    deps.logger.info('nightly pass done', { shopId, night: after.night });
    return nextAtMs;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'TEMPORARILY_UNAVAILABLE') throw error;
    deps.logger.warn('a nightly pass cannot go on yet', { shopId, code: error.code });
    return LASTING.has(error.code) ? nextAtMs : deps.now() + WAIT_MS;
  }
}

/** The pass of this night, at its beginning or where it was left. */
async function beginPass(deps: PassDeps, { shopId }: StoreRecord, night: string): Promise<PassRecord> {
  const before = await readPass(deps, shopId);
  // Contracts that were not all compared by the next night are gone on with all the same.
  if (before !== undefined && (before.night === night || before.state === 'pages')) return before;
  const beganAtMs = deps.now();
  const begin = { after: null, state: 'pages', waiting: [], waitingCharges: [], beganAtMs } as const;
  const sinceMs = before === undefined ? beganAtMs : chargesSinceMs(before);
  const pass = { baselineAtMs: beganAtMs, ...before, ...begin, chargesSinceMs: sinceMs, shopId, night };
  await writePass(deps, pass);
  return pass;
}

async function goOn(
  deps: PassDeps,
  run: ObserveRun & { readonly signal: AbortSignal },
  from: PassRecord,
): Promise<PassRecord> {
  let pass = from;
  while (pass.state === 'pages' || pass.state === 'charges') {
    if (run.signal.aborted || deps.now() >= run.endAtMs) return pass;
    const page = pass.state === 'pages' ? compareContractPage : tellChargePage;
    pass = await page(deps, run, pass);
    await writePass(deps, pass);
  }
  if (pass.state === 'waiting') {
    const waiting = await stillWaiting(pass.waiting, {
      atOnce: CONTRACTS_AT_ONCE,
      run: (some) => observeContracts(deps, run, some),
    });
    const waitingCharges = await stillWaiting(pass.waitingCharges, {
      atOnce: ATTEMPTS_AT_ONCE,
      run: (some) => tellAttempts(deps, run, some),
    });
    const isDone = waiting.length + waitingCharges.length === 0;
    const state = isDone ? 'done' : 'waiting';
    pass = { ...pass, waiting, waitingCharges, state };
    await writePass(deps, pass);
  }
  return pass;
}

async function compareContractPage(deps: PassDeps, run: ObserveRun, pass: PassRecord): Promise<PassRecord> {
  const { readings, next } = await readContractPage(deps, run, pass.after);
  const waiting = [...pass.waiting, ...(await comparePage(deps, run, readings))];
  if (next !== null) return { ...pass, after: next, waiting };
  return { ...pass, after: next, waiting, state: 'charges' };
}
