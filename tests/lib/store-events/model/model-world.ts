/**
 * A store that the service, its merchant and other apps change; its webhooks are lost, duplicated and late, and the
 * processes crash. The changes and their actors are observed at the platform itself.
 */

import type { AdminOperation } from '../../../../lib/platform/admin-api/admin-client.ts';
import { createWorkQueue } from '../../../../lib/storage/work-queue/work-queue.ts';
import { createShopPayload } from '../../../../sandbox/platform/webhooks/payloads.ts';
import { createOperationWorld } from '../../../contract/world/operation-world.ts';
import { runPlan, type StandIn } from '../../../graphql/world/harness.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { aheadOf } from './expected/expected-ahead.ts';
import type { Charge } from './expected/expected-charges.ts';
import type { Erasure } from './expected/expected-erased.ts';
import { ordersOf } from './expected/expected-facts.ts';
import {
  addCards,
  clearCharges,
  createChanges,
  DOERS,
  isSameChange,
  type RequestedChange,
} from './model-changes.ts';
import { createModelEndpoints } from './model-endpoints.ts';
import { createErasure } from './model-erasure.ts';
import { beginProcess, installStore, mourn, readRecordedEvents } from './model-processes.ts';
import {
  CONTRACTS,
  type ConcurrentStep,
  type Death,
  type OwnChange,
  type Run,
  randomOf,
  type Step,
} from './model-script.ts';
import { createTurns } from './model-turns.ts';
import { createWatch } from './model-watch.ts';
import { createWebhookQueue } from './model-webhook-queue.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** 27 hours at most. */
const AHEAD_PERIOD_MS = 27 * HOUR_MS;
/** Entries wait for older changes no longer than 15 minutes. */
const SETTLED_EACH_MS = 5 * MINUTE_MS;
/** Until a crashed process's change is settled, it cannot be distinguished from the same external change. */
const DOUBTFUL_MS = 8 * MINUTE_MS;

export async function createModelWorld() {
  const world = createOperationWorld();
  const { platform } = world;
  const { holder } = platform;
  const now = () => holder.nowMs;
  const base = createMemoryTable();
  let ids = 0;
  const newId = () => `id-${++ids}`;
  const store = await installStore(base);
  const { enqueue } = createWorkQueue({ table: base, now, newId });
  let draw = randomOf(1);
  let isKind = false;
  const later = (ms: number) => {
    holder.nowMs += ms;
  };
  const mood = () => (isKind ? 1 : draw());
  const ordersNow = (id: number) => {
    const known = CONTRACTS.find((one) => one === id);
    return known === undefined ? {} : ordersOf(world.contract(known), watched.first.get(known) ?? 0);
  };
  const endpoints = await createModelEndpoints({ base, store, now, newId, mood, later, ordersOf: ordersNow });
  /** Half a second at most, mostly far less. */
  const turns = createTurns(() => later(Math.floor(500 * draw() ** 3)));
  const shared = { world, base, store, newId, turns, app: { isUninstalled: false }, ...endpoints };

  const firstCard = world.contract(CONTRACTS[0]).content.paymentMethodId ?? '';
  addCards(platform.store(), firstCard);
  const changes = createChanges(firstCard);
  platform.store().chargeDelaySeconds = 90;
  clearCharges(world);
  const webhookQueue = createWebhookQueue({ shared, now, draw: () => draw() });
  const watched = createWatch(world, webhookQueue.send);
  const { history, first, attempts, contracts, as, externalChange, watch } = watched;
  const ahead = new Set<string>();
  let [settlesAtMs, eventsDiedAtMs] = [now(), 0];
  let lostResponses = 0;
  let died: { readonly step: OwnChange; readonly atMs: number } | undefined;

  const aheadNow = (aheadPeriod: Parameters<typeof aheadOf>[2]) =>
    CONTRACTS.flatMap((id) => aheadOf(world.contract(id), platform.store(), aheadPeriod));

  const atNow = ({ contract }: RequestedChange) => {
    return { first: first.get(contract) ?? 0, nowMs: now(), store: platform.store() };
  };

  async function changeHere(step: OwnChange): Promise<boolean> {
    const surface = step.as === 'customer' ? 'customer-graphql' : 'admin-graphql';
    const process = beginProcess(shared, surface, step.dies);
    const pendingRequest = changes.requested(world.contract(step.contract), step, atNow(step));
    if (pendingRequest === undefined) return false;
    const query = `mutation { ${pendingRequest.text} { userErrors { code message } } }`;
    const request = { as: pendingRequest.as, query, ...process.asFunction };
    const hasLost = await as(DOERS[pendingRequest.as], () => world.run(request).catch(mourn), {
      hasCrashed: () => process.process.hasCrashed,
      lost: step.lost,
    });
    if (hasLost) lostResponses++;
    if (hasLost || process.process.hasCrashed) died = { step, atMs: now() };
    return process.process.hasCrashed;
  }

  /** With what others do meanwhile, and the service beside. */
  async function changeConcurrently({ concurrent, ...step }: OwnChange): Promise<boolean> {
    const other = step.dies === undefined ? step.externalChange : undefined;
    const act = () => other && changeExternally({ ...other, contract: step.contract });
    if (other) Object.assign(externalChange, { left: other.at, act });
    let hasCrashed = false;
    const jobs = [
      async () => {
        hasCrashed = await changeHere(step);
      },
      ...(concurrent ? [() => workConcurrently(concurrent)] : []),
    ];
    await turns.run(jobs, draw);
    externalChange.left = -1;
    return hasCrashed;
  }

  function workConcurrently(concurrent: ConcurrentStep): Promise<unknown> {
    return concurrent.kind === 'own'
      ? changeHere({ ...concurrent, dies: undefined })
      : work(concurrent.kind, undefined);
  }

  function changeExternally(step: RequestedChange): void {
    if (changes.atPlatform(world.contract(step.contract), step, atNow(step))) watch();
  }

  async function work(kind: Run['kind'], death: Death): Promise<boolean> {
    const process = beginProcess(shared, kind, death);
    const run = {
      'store-events': process.runStoreEvents,
      'scheduled-work': process.runScheduledWork,
      'webhook-deliveries': () => process.runDeliveries(draw),
    }[kind];
    const running = () =>
      run().catch((error: unknown) => {
        if (!process.process.hasCrashed) throw error;
      });
    await as({ kind: 'SERVICE' }, running, { hasCrashed: () => process.process.hasCrashed });
    if (kind === 'store-events' && process.process.hasCrashed) eventsDiedAtMs = now();
    return process.process.hasCrashed;
  }

  /** Advances the time with the scheduled work, which continues after crashes. */
  async function pass(ms: number): Promise<void> {
    const untilMs = now() + ms;
    for (; settlesAtMs <= untilMs; settlesAtMs += SETTLED_EACH_MS) {
      holder.nowMs = Math.max(now(), settlesAtMs);
      await work('scheduled-work', undefined);
      // Reserved stream positions are released after 15 minutes.
      if (now() - eventsDiedAtMs < 16 * MINUTE_MS) await work('store-events', undefined);
    }
    holder.nowMs = Math.max(now(), untilMs);
  }

  async function runAll(): Promise<void> {
    await webhookQueue.deliver();
    for (const kind of ['scheduled-work', 'store-events', 'webhook-deliveries'] as const)
      await work(kind, undefined);
  }

  const erasure = createErasure({ base, store: platform.store, now, webhookQueue, pass, work });
  let known: number[] = [];

  /** Runs all workers for half an hour. */
  async function rest(): Promise<void> {
    for (let turn = 0; turn < 10; turn++) {
      await pass(3 * MINUTE_MS);
      await runAll();
    }
  }

  return {
    history,
    /** Returns the initial state of a mirror, and its expected final state. */
    facts: () => {
      const end = watched.factsNow();
      return CONTRACTS.map((contract, index) => ({
        contract,
        start: watched.start[index] ?? {},
        end: end[index] ?? {},
      }));
    },
    /** The first snapshots are made. */
    async install(): Promise<void> {
      await enqueue('store-events', store.shopId);
      await runAll();
    },
    /** Whether the process of the step crashed. */
    async runStep(step: Step): Promise<boolean> {
      draw = randomOf(step.seed);
      await pass(step.seconds * 1000);
      if (step.kind === 'elsewhere' && isSameChange(step, died?.step))
        await pass(Math.max(0, (died?.atMs ?? 0) + DOUBTFUL_MS - now()));
      await webhookQueue.deliver();
      if (step.kind === 'own') return changeConcurrently(step);
      if (step.kind === 'elsewhere') changeExternally(step);
      else if (step.kind === 'switch') await endpoints.turn(step.isOn);
      else if (step.kind === 'wish') await endpoints.requestReplay(step);
      else return work(step.kind, step.dies);
      return false;
    },
    /** Runs a night without further changes; endpoints accept all events. `everyHours`: the interval of all workers. */
    async reconcile(everyHours = 1): Promise<void> {
      isKind = true;
      await endpoints.turn(true);
      known = erasure.contracts();
      const sinceMs = now();
      const before = aheadNow({ sinceMs, untilMs: sinceMs + AHEAD_PERIOD_MS });
      await rest();
      for (let hours = 0; hours < 26; hours += everyHours) {
        holder.nowMs += everyHours * HOUR_MS;
        settlesAtMs = now();
        await runAll();
      }
      const after = new Set(aheadNow({ sinceMs, untilMs: sinceMs + AHEAD_PERIOD_MS }));
      for (const one of before) if (after.has(one)) ahead.add(one);
      isKind = false;
      history.push({ aheadPeriodAtMs: now() });
      later(1);
    },
    /** Erases the customer; the contracts are those known since the last reconciliation. */
    async erase({ dies, seed }: Pick<Run, 'dies'> & Pick<Step, 'seed'>): Promise<Erasure> {
      draw = randomOf(seed);
      return { ...(await erasure.erase(dies)), known };
    },
    named: erasure.named,
    /** Removes the app like the merchant; the processes that handle it crash. */
    async uninstall(step: Run & Pick<Step, 'seed'>): Promise<void> {
      shared.app.isUninstalled = true;
      isKind = true;
      ahead.add('store.uninstalled');
      webhookQueue.sendSurely({ topic: 'app/uninstalled', payload: createShopPayload(platform.store()) });
      draw = randomOf(step.seed);
      await webhookQueue.deliver();
      await work(step.kind, step.dies);
      await rest();
    },
    /** The expected events without a timeline entry. */
    ahead,
    wrong: endpoints.wrong,
    contracts,
    charges: (): Charge[] =>
      [...attempts].flatMap(([id, origin]) => {
        const attempt = platform.store().attempts.get(id);
        if (attempt === undefined) return [];
        return [{ attempt, ...origin }];
      }),
    recorded: () => readRecordedEvents(shared),
    /** The data of a query that the store's server sends to the admin endpoint. */
    async ask(query: string, variables: Readonly<Record<string, unknown>> = {}) {
      const { asFunction } = beginProcess(shared, 'admin-graphql', undefined);
      const standIn: StandIn = (operation) => world.client(operation as AdminOperation);
      const { result } = await runPlan({ ...asFunction, as: 'store', query, variables, standIn });
      if (result.errors) throw new Error(JSON.stringify(result.errors));
      return result.data;
    },
    receipts: endpoints.receipts,
    filtered: endpoints.filtered,
    lostResponses: () => lostResponses,
    replays: endpoints.replays,
  };
}
