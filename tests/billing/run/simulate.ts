/**
 * Lives the observed time of a description: the clock goes from one moment to the next at which something happens, at the
 * emulated platform or in the service. Each function of the service runs when its schedule would have it find work.
 */
import {
  confirmRun,
  resumeBilling,
  stopBilling,
  updateSettings,
} from '../../../lib/billing/settings/change-settings.ts';
import type { TimeZone } from '../../../lib/domain/time-zone.ts';
import type { Item } from '../../../lib/storage/table.ts';
import {
  diffStoreSnapshots,
  type StoreSnapshot,
  takeStoreSnapshot,
  takeTouchedRecords,
} from '../../../sandbox/platform/webhooks/diff-store-snapshots.ts';
import { createWebhookReceiver } from '../../lib/store-events/model/model-http.ts';
import { Crash } from '../../lib/stores/world/faults.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { tableOf } from '../../rights/guarded-table.ts';
import type { Description, StoreChange } from '../oracle/description.ts';
import { type Agenda, createEmulatedStore, type EmulatedStore } from './emulated-store.ts';
import type { RandomFaults } from './fault-profile.ts';
import { createPassTime, type Moment } from './pass-time.ts';
import {
  installStore,
  type LogLine,
  type Service,
  type ServiceProcess,
  startProcess,
} from './service-processes.ts';

const MINUTE_MS = 60_000;
const QUARTER_HOUR_MS = 15 * MINUTE_MS;
/** A store is connected some days before it is observed, so that the service knows its contracts. */
const LEAD_MS = 36 * 3_600_000;
/** In larger stores, nights are left out (`skipReconciliation`). */
const MAX_CONTRACTS_RECONCILED_DAILY = 100;

/** Each process has the rights of its function. */
const FUNCTIONS = {
  billing: 'billing',
  storeEvents: 'store-events',
  scheduledWork: 'scheduled-work',
  append: 'webhook-deliveries',
} as const;

export type Simulation = Awaited<ReturnType<typeof simulate>>;
/** The running world, for what a test itself does in it. */
export type World = {
  readonly agenda: Agenda;
  readonly base: WatchedTable;
  readonly emulated: EmulatedStore;
  readonly logs: readonly (LogLine & { readonly atMs: number })[];
  /** A process without faults. */
  readonly service: ReturnType<typeof startProcess>;
  /** Whether no function of the service is under way. */
  readonly isIdle: () => boolean;
  /** Ends all processes that are under way. */
  readonly crashProcesses: () => void;
  /** Starts a process beside those that the schedule starts. */
  readonly startWorker: () => ReturnType<typeof startProcess>;
};

/**
 * Runs the description to its end, and returns the world as it is then, and when contracts ended, by their ids. `arrange`
 * may put more on the agenda.
 */
export async function simulate(
  description: Description,
  faults: RandomFaults,
  arrange: (world: World) => void = () => undefined,
) {
  const moments: Moment[] = [];
  const agenda: Agenda = {
    add(atMs, act) {
      // Moments at the same time keep the order in which they were added.
      const later = moments.findLastIndex((moment) => moment.atMs <= atMs) + 1;
      moments.splice(later, 0, { atMs, act });
    },
  };
  const startMs = description.fromMs - LEAD_MS;
  const emulated = createEmulatedStore({ ...description, fromMs: startMs }, agenda, faults.behaviour);
  const { holder } = emulated.platform;
  const actsUnderWay = new Set<Promise<void>>();
  const passTime = createPassTime(holder, {
    isParallel: faults.requestMs !== undefined,
    moments,
    start: (moment) => void actsUnderWay.add(act(moment)),
  });
  const { table: base, scheduled } = watchSchedule(createMemoryTable());
  let store = await installStore(base, description.store.timeZone, startMs);
  const logs: (LogLine & { readonly atMs: number })[] = [];
  let ids = 0;
  const service: Service = {
    ...{ emulated, base, store: () => store },
    newId: () => `id-${++ids}`,
    log: (line) => void logs.push({ ...line, atMs: holder.nowMs }),
    passTime,
    requestMs: faults.requestMs ?? (() => 0),
    tableMs: faults.tableMs,
    skipsReconciliations: description.contracts.length > MAX_CONTRACTS_RECONCILED_DAILY,
  };
  const processes = new Set<ServiceProcess>();
  const calm = startProcess(service);
  const receiveWebhook = createWebhookReceiver(calm.deps);
  await calm.deps.workQueue.enqueue('store-events', store.shopId);

  for (const change of description.store.changes) agenda.add(change.atMs, () => applyChange(change));
  for (const { description: contract, record } of emulated.contracts)
    for (const event of contract.events)
      if (event.kind === 'retry')
        agenda.add(event.atMs, () => startProcess(service).requestRetry(String(record.id)));

  async function applyChange(change: StoreChange): Promise<void> {
    const { deps } = calm;
    const all = { ...deps, logChange: () => undefined };
    if (change.kind === 'settings') {
      const outcome = await updateSettings(all, store, { input: change.settings, obstacles: [] });
      if (outcome.refusal !== undefined)
        throw new Error(`The settings were refused: ${JSON.stringify(outcome)}`);
    } else if (change.kind === 'stop') await stopBilling(all, store, 'STORE');
    else if (change.kind === 'resume') await resumeBilling(all, store, 'STORE');
    else if (change.kind === 'confirm') await confirmRun(all, store.shopId, change.day);
    else if (change.kind === 'zone') {
      emulated.state.ianaTimezone = change.timeZone;
      await calm.refreshTimeZone();
      store = { ...store, timeZone: change.timeZone as TimeZone };
    }
  }

  arrange({
    ...{ agenda, emulated, base, logs, service: calm },
    isIdle: () => processes.size === 0,
    crashProcesses() {
      for (const process of processes) process.hasCrashed = true;
    },
    startWorker: () => startProcess({ ...service, base: tableOf(FUNCTIONS.billing, base) }),
  });

  const endTimes = new Map<number, number>();
  let snapshot: StoreSnapshot = takeStoreSnapshot(emulated.state);
  takeTouchedRecords(emulated.state);

  /** Sends the platform's webhooks for what has changed: some are lost, doubled or late. */
  async function noticeChanges(): Promise<void> {
    emulated.settle();
    emulated.noticeAttempts();
    const touched = takeTouchedRecords(emulated.state);
    const now = takeStoreSnapshot(touched);
    for (const { topic, payload } of diffStoreSnapshots({ before: snapshot, now }, touched))
      for (const delayMs of faults.webhookDelays())
        agenda.add(holder.nowMs + delayMs, () => deliver(topic, JSON.stringify(payload)));
    for (const [key, value] of now.contracts) {
      const hasEnded = value.status === 'CANCELLED' || value.status === 'EXPIRED';
      if (hasEnded && !endTimes.has(key)) endTimes.set(key, holder.nowMs);
      snapshot.contracts.set(key, value);
    }
    for (const [key, value] of now.attempts) snapshot.attempts.set(key, value);
    for (const [key, value] of now.paymentMethods) snapshot.paymentMethods.set(key, value);
    snapshot = { ...snapshot, shop: now.shop };
  }

  async function deliver(topic: string, body: string): Promise<void> {
    const status = await receiveWebhook({ topic, body, domain: store.domain, isForged: false });
    const isInstalled = (await calm.deps.stores.find(store.shopId))?.status === 'installed';
    if (isInstalled && status !== 200) throw new Error(`${topic} was answered ${status}`);
  }

  async function act(moment: Moment): Promise<void> {
    await moment.act();
    await noticeChanges();
  }

  async function awaitActs(): Promise<void> {
    for (const underWay of actsUnderWay) {
      await underWay;
      actsUnderWay.delete(underWay);
    }
  }

  /** Runs a function of the service; a process that crashes leaves its work to the next run. */
  async function run(name: keyof typeof RUNS, times = 1): Promise<void> {
    const ran = await Promise.allSettled(
      Array.from({ length: times }, () => {
        const table = tableOf(FUNCTIONS[name], base);
        const storeParts = name === 'append' ? [] : (['grant'] as const);
        const started = startProcess(
          { ...service, base: table, storeParts },
          faults.processFault(FUNCTIONS[name]),
        );
        processes.add(started.process);
        return RUNS[name](started);
      }),
    );
    await awaitActs();
    processes.clear();
    for (const result of ran)
      if (result.status === 'rejected' && !(result.reason instanceof Crash) && !faults.isFaulty)
        throw result.reason;
    await noticeChanges();
  }
  const RUNS = {
    billing: (process: ReturnType<typeof startProcess>) => process.runBilling(),
    storeEvents: (process: ReturnType<typeof startProcess>) => process.runStoreEvents(),
    scheduledWork: (process: ReturnType<typeof startProcess>) => process.runScheduledWork(),
    append: (process: ReturnType<typeof startProcess>) => process.appendEvents(),
  };

  const nextStart = (ms: number, intervalMs: number) =>
    Math.ceil(Math.max(ms, holder.nowMs) / intervalMs) * intervalMs;
  /** The workers over stores start every minute, the scheduled work every 15 minutes. */
  function nextWork() {
    const due = { billing: Infinity, storeEvents: Infinity, scheduledWork: Infinity };
    for (const { pk, sk, wokenAtMs, nextAtMs, lookAtMs, leaseUntilMs = 0 } of scheduled.values()) {
      const [family, kind] = pk.split('#');
      if (family === 'WAKE' && (kind === 'billing' || kind === 'store-events')) {
        const times = [wokenAtMs, nextAtMs, lookAtMs].map((time) => Number(time ?? Infinity));
        const atMs = Math.max(Math.min(...times), Number(leaseUntilMs));
        const name = kind === 'billing' ? 'billing' : 'storeEvents';
        due[name] = Math.min(due[name], nextStart(atMs, MINUTE_MS));
      }
      if (sk !== 'OLDEST' && family === 'DUE' && (kind === 'intent' || kind === 'charge')) {
        const atMs = nextStart(Number(sk.split('#')[0]), QUARTER_HOUR_MS);
        due.scheduledWork = Math.min(due.scheduledWork, atMs);
      }
    }
    return due;
  }

  const hasQueuedItems = () =>
    [...scheduled.values()].some(({ pk, sk }) => pk.startsWith('DUE#intent') && sk !== 'OLDEST');

  for (;;) {
    const due = nextWork();
    const [moment] = moments;
    const workMs = Math.min(due.billing, due.storeEvents, due.scheduledWork);
    const nextMs = Math.max(holder.nowMs, Math.min(moment?.atMs ?? Infinity, workMs));
    if (nextMs > description.untilMs) break;
    holder.nowMs = nextMs;
    if (moment !== undefined && moment.atMs <= nextMs) {
      moments.shift();
      await act(moment);
      await awaitActs();
      continue;
    }
    const isNew = faults.laterMs();
    if (due.storeEvents <= nextMs) await run('storeEvents');
    if (due.billing <= nextMs) await run('billing', faults.workerCount());
    if (due.scheduledWork <= nextMs) await run('scheduledWork');
    if (hasQueuedItems()) await run('append');
    // Work that cannot be done now is tried with the next start of its function.
    holder.nowMs = Math.max(holder.nowMs, nextMs + 1 + isNew);
  }
  holder.nowMs = Math.max(holder.nowMs, description.untilMs);
  return { emulated, base, endTimes, logs, service: calm, store: () => store };
}

type WatchedTable = ReturnType<typeof createMemoryTable>;

/** Returns the table, and its items that say when work is due, as the table's functions write them. */
function watchSchedule(table: WatchedTable) {
  const scheduled = new Map<string, Item>();
  const note = (item: Item) => {
    if (/^(?:DUE|WAKE)#/.test(item.pk)) scheduled.set(`${item.pk} ${item.sk}`, item);
  };
  const watched: WatchedTable = {
    ...table,
    async put(item, condition) {
      const outcome = await table.put(item, condition);
      if (outcome === 'done') note(item);
      return outcome;
    },
    async update(change) {
      const result = await table.update(change);
      if (result.outcome === 'done') note(result.item);
      return result;
    },
    async delete(key, condition) {
      const outcome = await table.delete(key, condition);
      if (outcome === 'done') scheduled.delete(`${key.pk} ${key.sk}`);
      return outcome;
    },
  };
  return { table: watched, scheduled };
}
