/** Draws what the merchant and the operators of a store do, at random moments, often in the middle of a run, and does it. */
import type { BillingSettings } from '../../../lib/billing/records/settings-record.ts';
import {
  confirmRun,
  resumeAllStores,
  resumeBilling,
  type SettingsOutcome,
  type StopOfAllDeps,
  type StoppingParty,
  stopAllStores,
  stopBilling,
  updateSettings,
} from '../../../lib/billing/settings/change-settings.ts';
import type { SettingsInput } from '../../../lib/billing/settings/decide-settings-change.ts';
import { externalAttemptsFromMs } from '../../../lib/billing/settings/external-attempts.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import { purgeStore } from '../../../lib/stores/lifecycle/purge-store.ts';
import { uninstallStore } from '../../../lib/stores/lifecycle/uninstall-store.ts';
import { findCycleAt } from '../../../sandbox/platform/state/billing-cycles.ts';
import type { ContractRecord } from '../../../sandbox/platform/state/contract-records.ts';
import type { Description } from '../oracle/description.ts';
import type { Draw } from '../oracle/random/draw.ts';
import { runContractEvent } from '../oracle/random/replay.ts';
import { addDays, DAY_MS, dayAt, HOUR_MS, instantAt } from '../oracle/zone-time.ts';
import { installStore } from '../run/service-processes.ts';
import type { World } from '../run/simulate.ts';
import { ZONES } from './draw-store.ts';
import { createExpectedSwitches } from './expected-switches.ts';
import { copyTable, restoreTable } from './restore-table.ts';

const MINUTE_MS = 60_000;
/** A sequence ends so long before its store: then the service has to deal with everything. */
const QUIET_END_MS = 3.5 * DAY_MS;
const MAX_RESTORE_MINUTES = 120;
const SWITCHES = [
  ...['off', 'off', 'off', 'stop', 'stop', 'stop', 'operator stop', 'operator stop', 'stop all', 'stop all'],
  ...['hour', 'hour', 'hour', 'zone', 'zone', 'restore', 'restore', 'restore', 'uninstall', 'purge'],
  ...['own job', 'own job', 'own job', 'external job', 'external job', 'confirm', 'confirm', 'confirm'],
] as const;
type Switch = (typeof SWITCHES)[number];

type Options = {
  readonly draw: Draw;
  readonly description: Description;
  /** Whether the platform accepts a second payment of an order: then no other server races with the service. */
  readonly isPermissive: boolean;
};

/** Arranges the switches of a store. Returns what is expected, and what went wrong with the switches themselves. */
export function arrangeSwitches(world: World, { draw, description, isPermissive }: Options) {
  const { agenda, base, emulated, service } = world;
  const { deps } = service;
  const { now } = deps;
  const { fromMs, untilMs } = description;
  const endMs = untilMs - QUIET_END_MS;
  const expected = createExpectedSwitches(fromMs, description.store.timeZone);
  const faults: string[] = [];
  const counts: Record<string, number> = {};
  const changeDeps = {
    ...deps,
    logChange: (settings: BillingSettings) =>
      deps.logger.info('billing.changed', { shopId: service.store().shopId, settings }),
  };
  const ofAll: StopOfAllDeps = {
    ...{
      settings: deps.settings,
      enqueueAllStores: () => deps.workQueue.enqueue('billing', service.store().shopId),
    },
    logChange: (changed) => deps.logger.info('billing.changed', changed),
  };
  /** The data of a store that was installed or purged at this time is not restored from before. */
  let installedAtMs = fromMs - 2 * DAY_MS;

  let isPurging = false;
  let isReadingZone = false;

  const note = (kind: string) => {
    counts[kind] = (counts[kind] ?? 0) + 1;
  };
  const { change } = expected;
  const later = (hours: readonly number[]) => now() + draw.pick(hours) * HOUR_MS + draw.int(0, 600) * 1000;
  const soonOrLater = () =>
    now() + draw.pick([20_000, 5 * MINUTE_MS, 3 * HOUR_MS, 20 * HOUR_MS, 40 * HOUR_MS]);

  /** The next run's first minutes, or any moment. */
  function drawTime(): number {
    const atMs = now() + draw.int(1, 30 * 60) * MINUTE_MS + draw.int(0, 59_999);
    if (draw.chance(0.35)) return atMs;
    const { hour, timeZone } = expected.state();
    const runMs =
      instantAt(dayAt(atMs, timeZone), hour, timeZone) + (service.store().shopId % 30) * MINUTE_MS;
    return Math.max(now() + 1_000, runMs + draw.int(-5_000, 75_000));
  }

  function scheduleNext(): void {
    const kind = draw.pick(SWITCHES);
    const atMs = drawTime();
    if (atMs >= endMs) return;
    if (kind === 'restore') scheduleRestore(atMs);
    else agenda.add(atMs, () => use(kind));
    agenda.add(atMs + 1, scheduleNext);
  }

  function scheduleRestore(atMs: number): void {
    const copyMs = Math.max(now(), atMs - draw.int(1, MAX_RESTORE_MINUTES) * MINUTE_MS);
    agenda.add(copyMs, async () => {
      const copy = await copyTable(world);
      agenda.add(atMs, async () => {
        if (installedAtMs > copy.atMs || !expected.state().isInstalled) return;
        note('restore');
        await restoreTable(world, copy);
        change(now(), { waitsAfterRestore: expected.state().wasEverOn });
        // As each day: the table may lack a change of the time zone.
        await readTimeZone();
        agenda.add(soonOrLater(), () => resume('OPERATOR'));
      });
    });
  }

  async function use(kind: Exclude<Switch, 'restore'>): Promise<void> {
    const { isInstalled, isOn } = expected.state();
    if (kind === 'own job' || kind === 'external job') return runJob(kind);
    if (!isInstalled) return;
    if (kind === 'stop all') return stopAll();
    if (kind === 'operator stop') return stop('OPERATOR');
    if (kind === 'uninstall' || kind === 'purge') return uninstall(kind);
    if (kind === 'zone') return changeZone();
    if (kind === 'confirm') return confirmHolds();
    if (!isOn) return;
    if (kind === 'off') return switchOff();
    if (kind === 'stop') return stop('STORE');
    await update(kind, { hour: draw.int(0, 23) });
  }

  async function update(kind: string, input: SettingsInput): Promise<void> {
    note(kind);
    const store = await findStore();
    apply(await updateSettings(changeDeps, store, { input, obstacles: [] }));
  }

  function apply(outcome: SettingsOutcome): void {
    if (outcome.refusal !== undefined) {
      faults.push(`a switch was refused: ${JSON.stringify(outcome)}`);
      return;
    }
    const { enabled: isOn, startsOn = '9999-12-31', hour } = outcome.settings;
    const { isOn: wasOn, startsOn: startedOn, wasEverOn, isStoppedByStore, timeZone } = expected.state();
    const hadStarted = wasOn && dayAt(now(), timeZone) >= startedOn;
    change(now(), {
      ...{ isOn, startsOn, hour, wasEverOn: wasEverOn || isOn },
      ...(hadStarted && !isOn && { lastChargingAtMs: now() }),
      // Switching on ends the store's own stop.
      isStoppedByStore: isStoppedByStore && !(isOn && !wasOn),
    });
  }

  async function switchOn(): Promise<void> {
    const { isInstalled, isOn, timeZone } = expected.state();
    if (!isInstalled || isOn) return;
    const day = draw.int(-2, 1);
    const startsOn = day < 0 ? undefined : addDays(dayAt(now(), timeZone), day);
    await update('on', { enabled: true, startsOn });
  }

  async function switchOff(): Promise<void> {
    await update('off', { enabled: false });
    agenda.add(soonOrLater(), switchOn);
  }

  async function stop(by: StoppingParty): Promise<void> {
    note(`stop by ${by}`);
    const outcome = await stopBilling(changeDeps, await findStore(), by);
    if (outcome.refusal !== undefined) faults.push(`a stop was refused: ${outcome.refusal}`);
    const { isOn } = expected.state();
    if (by === 'OPERATOR') change(now(), { isStoppedByOperator: true });
    else if (isOn) change(now(), { isStoppedByStore: true });
    agenda.add(soonOrLater(), () => resume(by));
  }

  async function resume(by: StoppingParty): Promise<void> {
    const { isInstalled, isStoppedByOperator, areAllStopped, waitsAfterRestore, isOn } = expected.state();
    if (!isInstalled) return;
    note(`resume by ${by}`);
    const { refusal } = await resumeBilling(changeDeps, await findStore(), by);
    const isForOperators =
      by === 'STORE' && isOn && (isStoppedByOperator || areAllStopped || waitsAfterRestore);
    if ((refusal === 'STOPPED_BY_OPERATOR') !== isForOperators) faults.push(`resume by ${by}: ${refusal}`);
    if (refusal !== undefined) {
      agenda.add(later([1, 5]), () => resume(by));
    } else if (by === 'STORE') change(now(), { isStoppedByStore: false });
    else change(now(), { isStoppedByOperator: false, waitsAfterRestore: false });
  }

  async function stopAll(): Promise<void> {
    note('stop all');
    await stopAllStores(ofAll);
    change(now(), { areAllStopped: true });
    agenda.add(soonOrLater(), async () => {
      note('resume all');
      await resumeAllStores(ofAll);
      change(now(), { areAllStopped: false });
    });
  }

  async function confirmHolds(): Promise<void> {
    const { shopId } = service.store();
    for await (const { date, status } of deps.runs.list(shopId))
      if (status === 'ON_HOLD' && (await confirmRun(deps, shopId, date)).refusal === undefined)
        note('confirm');
  }

  async function changeZone(): Promise<void> {
    if (isReadingZone) return;
    note('zone');
    const timeZone = draw.pick(ZONES);
    emulated.state.ianaTimezone = timeZone;
    await readTimeZone();
    change(now(), { timeZone });
  }

  async function readTimeZone(): Promise<void> {
    isReadingZone = true;
    await service.refreshTimeZone();
    isReadingZone = false;
  }

  async function uninstall(kind: 'purge' | 'uninstall'): Promise<void> {
    note(kind);
    const { shopId, domain } = await findStore();
    await uninstallStore({ table: base, logger: deps.logger, now }, shopId);
    change(now(), { isInstalled: false });
    agenda.add(soonOrLater(), kind === 'uninstall' ? install : () => purge(shopId, domain));
  }

  async function purge(shopId: StoreRecord['shopId'], domain: StoreRecord['domain']): Promise<void> {
    if (expected.state().isInstalled) return;
    isPurging = true;
    const ends = { progress: () => undefined, removeSecret: async () => true, secretsPrefix: 'test' };
    await purgeStore({ ...deps, ...ends, table: base, scan: base.scan }, { shopId, domain });
    isPurging = false;
    change(now(), { purgedAtMs: now(), isStoppedByOperator: false, lastChargingAtMs: 0 });
    agenda.add(soonOrLater(), install);
  }

  /** A new installation: billing is off. An operator's stop outlasts an installation. */
  async function install(): Promise<void> {
    if (expected.state().isInstalled || isPurging) return;
    note('install');
    const { timeZone } = expected.state();
    await installStore(base, timeZone, now());
    installedAtMs = now();
    await deps.workQueue.enqueue('store-events', service.store().shopId);
    change(now(), {
      ...{ isInstalled: true, isOn: false, startsOn: '9999-12-31', hour: 10, isStoppedByStore: false },
      ...{ waitsAfterRestore: false, wasEverOn: false, lastChargingAtMs: 0 },
    });
    agenda.add(soonOrLater(), switchOn);
  }

  /** The merchant's server charges an order through the service, or past it as another server of the app. */
  async function runJob(kind: 'external job' | 'own job'): Promise<void> {
    const isExternal = kind === 'external job';
    if (isPermissive && isExternal && !world.isIdle()) {
      agenda.add(now() + 5 * MINUTE_MS, () => runJob(kind));
      return;
    }
    const { record } = draw.pick(emulated.contracts);
    const current = findCycleAt(record, now())?.index ?? 1;
    const index = Math.max(1, current - draw.int(0, 1));
    if (isPermissive && isTaken(record, index)) return;
    if (!isExternal && (await isJobRefused())) return;
    note(kind);
    const isNamed = isPermissive || draw.chance(0.5);
    await runContractEvent(emulated.platform, record, {
      kind: 'charge',
      atMs: now(),
      index: isNamed ? index : null,
    });
    emulated.noticeAttempts();
  }

  function isTaken({ id, billedCycles }: ContractRecord, index: number): boolean {
    emulated.settle();
    const attempts = emulated.state.attempts.ofContract(id);
    const isOpen = attempts.some((each) => each.cycleIndex === index && each.completedAt === null);
    return isOpen || billedCycles.includes(index);
  }

  async function isJobRefused(): Promise<boolean> {
    const isRefused = expected.refusesJob(now());
    const { shopId } = service.store();
    const store = await deps.stores.find(shopId);
    const isBlocked =
      store?.status !== 'installed' ||
      (externalAttemptsFromMs(await deps.settings.read(shopId), store, now()) ?? 0) > now();
    if (isBlocked !== isRefused && !isReadingZone)
      faults.push(`a job's attempt was refused: ${isBlocked}, expected ${isRefused}`);
    note(isBlocked ? 'own job refused' : 'own job accepted');
    return isBlocked;
  }

  async function findStore(): Promise<StoreRecord> {
    const store = await deps.stores.find(service.store().shopId);
    if (store === undefined) throw new Error('The store is not there.');
    return store;
  }

  /** Everything goes on, and each run that is on hold is confirmed. */
  async function settleDown(): Promise<void> {
    if (isPurging) {
      agenda.add(now() + HOUR_MS, settleDown);
      return;
    }
    const { isInstalled, areAllStopped } = expected.state();
    if (!isInstalled) await install();
    if (areAllStopped) {
      await resumeAllStores(ofAll);
      change(now(), { areAllStopped: false });
    }
    await resume('OPERATOR');
    await switchOn();
    await resume('STORE');
    for (let atMs = now(); atMs < untilMs; atMs += 6 * HOUR_MS) agenda.add(atMs, confirmHolds);
  }

  agenda.add(fromMs + draw.int(0, 30) * HOUR_MS, switchOn);
  agenda.add(fromMs + HOUR_MS, scheduleNext);
  if (draw.chance(0.5)) agenda.add(fromMs + 2 * HOUR_MS, scheduleNext);
  agenda.add(endMs, settleDown);
  return { expected, faults, counts };
}
