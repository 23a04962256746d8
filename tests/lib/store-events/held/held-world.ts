/**
 * A store that the service, its merchant and other apps change; its webhooks are lost, doubled and late, and whoever works
 * on them dies. What was done at the platform, and by whom, is watched at the platform itself.
 */
import { shopPayload } from '../../../../infra/emulators/platform/webhooks/payloads.ts';
import type { AdminOperation } from '../../../../lib/platform/admin-api/admin-client.ts';
import { createWakeMarks } from '../../../../lib/storage/wakes/wake-marks.ts';
import { createOperationWorld } from '../../../contract/world/operation-world.ts';
import { runPlan, type StandIn } from '../../../graphql/world/harness.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import {
  type AskedChange,
  addCards,
  createChanges,
  DOERS,
  forgetCharges,
  isSameChange,
} from './held-changes.ts';
import { createHeldEndpoints } from './held-endpoints.ts';
import { createErasure } from './held-erasure.ts';
import { createPostbox } from './held-postbox.ts';
import { beginProcess, installStore, mourn, readTold } from './held-processes.ts';
import {
  type Beside,
  CONTRACTS,
  type Death,
  luckOf,
  type OwnChange,
  type Run,
  type Step,
} from './held-script.ts';
import { createTurns } from './held-turns.ts';
import { createWatch } from './held-watch.ts';
import { aheadOf } from './told/held-ahead.ts';
import type { Charge } from './told/held-charges.ts';
import type { Erasure } from './told/held-erased.ts';
import { ordersOf } from './told/held-facts.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** 27 hours at most. */
const NIGHT_MS = 27 * HOUR_MS;
/** Entries wait for older changes no longer than 15 minutes. */
const SETTLED_EACH_MS = 5 * MINUTE_MS;
/** Until a change whose process died is settled, nobody can tell it from the same by others. */
const DOUBTFUL_MS = 8 * MINUTE_MS;

export async function createHeldWorld() {
  const world = createOperationWorld();
  const { platform } = world;
  const { holder } = platform;
  const now = () => holder.nowMs;
  const base = createMemoryTable();
  let ids = 0;
  const newId = () => `id-${++ids}`;
  const store = await installStore(base);
  const { wake } = createWakeMarks({ table: base, now, newId });
  let draw = luckOf(1);
  let isKind = false;
  const later = (ms: number) => {
    holder.nowMs += ms;
  };
  const mood = () => (isKind ? 1 : draw());
  const ordersNow = (id: number) => {
    const known = CONTRACTS.find((one) => one === id);
    return known === undefined ? {} : ordersOf(world.contract(known), watched.first.get(known) ?? 0);
  };
  const endpoints = await createHeldEndpoints({ base, store, now, newId, mood, later, ordersOf: ordersNow });
  /** Half a second at most, mostly far less. */
  const turns = createTurns(() => later(Math.floor(500 * draw() ** 3)));
  const shared = { world, base, store, newId, turns, app: { isUninstalled: false }, ...endpoints };

  const firstCard = world.contract(CONTRACTS[0]).content.paymentMethodId ?? '';
  addCards(platform.store(), firstCard);
  const changes = createChanges(firstCard);
  platform.store().chargeDelaySeconds = 90;
  forgetCharges(world);
  const postbox = createPostbox({ shared, now, draw: () => draw() });
  const watched = createWatch(world, postbox.send);
  const { history, first, attempts, contracts, as, meanwhile, watch } = watched;
  const ahead = new Set<string>();
  let [settlesAtMs, eventsDiedAtMs] = [now(), 0];
  let lostResponses = 0;
  let died: { readonly step: OwnChange; readonly atMs: number } | undefined;

  const aheadNow = (night: Parameters<typeof aheadOf>[2]) =>
    CONTRACTS.flatMap((id) => aheadOf(world.contract(id), platform.store(), night));

  const atNow = ({ contract }: AskedChange) => {
    return { first: first.get(contract) ?? 0, nowMs: now(), store: platform.store() };
  };

  async function changeHere(step: OwnChange): Promise<boolean> {
    const surface = step.as === 'customer' ? 'customer-graphql' : 'admin-graphql';
    const process = beginProcess(shared, surface, step.dies);
    const asked = changes.asked(world.contract(step.contract), step, atNow(step));
    if (asked === undefined) return false;
    const query = `mutation { ${asked.text} { userErrors { code message } } }`;
    const request = { as: asked.as, query, ...process.asFunction };
    const hasLost = await as(DOERS[asked.as], () => world.run(request).catch(mourn), {
      isDead: () => process.life.isDead,
      lost: step.lost,
    });
    if (hasLost) lostResponses++;
    if (hasLost || process.life.isDead) died = { step, atMs: now() };
    return process.life.isDead;
  }

  /** With what others do meanwhile, and the service beside. */
  async function changeAtOnce({ beside, ...step }: OwnChange): Promise<boolean> {
    const other = step.dies === undefined ? step.meanwhile : undefined;
    const act = () => other && changeElsewhere({ ...other, contract: step.contract });
    if (other) Object.assign(meanwhile, { left: other.at, act });
    let isDead = false;
    const jobs = [
      async () => {
        isDead = await changeHere(step);
      },
      ...(beside ? [() => workBeside(beside)] : []),
    ];
    await turns.run(jobs, draw);
    meanwhile.left = -1;
    return isDead;
  }

  function workBeside(beside: Beside): Promise<unknown> {
    return beside.kind === 'own' ? changeHere({ ...beside, dies: undefined }) : work(beside.kind, undefined);
  }

  function changeElsewhere(step: AskedChange): void {
    if (changes.atPlatform(world.contract(step.contract), step, atNow(step))) watch();
  }

  async function work(kind: Run['kind'], death: Death): Promise<boolean> {
    const process = beginProcess(shared, kind, death);
    const run = {
      'store-events': process.runStoreEvents,
      'scheduled-work': process.runScheduledWork,
      'webhook-deliveries': () => process.runDeliveries(draw),
    }[kind];
    const alive = () =>
      run().catch((error: unknown) => {
        if (!process.life.isDead) throw error;
      });
    await as({ kind: 'SERVICE' }, alive, { isDead: () => process.life.isDead });
    if (kind === 'store-events' && process.life.isDead) eventsDiedAtMs = now();
    return process.life.isDead;
  }

  /** The timetable goes on, whoever died. */
  async function pass(ms: number): Promise<void> {
    const untilMs = now() + ms;
    for (; settlesAtMs <= untilMs; settlesAtMs += SETTLED_EACH_MS) {
      holder.nowMs = Math.max(now(), settlesAtMs);
      await work('scheduled-work', undefined);
      // Places that were held are given up after 15 minutes.
      if (now() - eventsDiedAtMs < 16 * MINUTE_MS) await work('store-events', undefined);
    }
    holder.nowMs = Math.max(now(), untilMs);
  }

  async function runAll(): Promise<void> {
    await postbox.deliver();
    for (const kind of ['scheduled-work', 'store-events', 'webhook-deliveries'] as const)
      await work(kind, undefined);
  }

  const erasure = createErasure({ base, store: platform.store, now, postbox, pass, work });
  let known: number[] = [];

  /** Half an hour in which everybody works. */
  async function rest(): Promise<void> {
    for (let turn = 0; turn < 10; turn++) {
      await pass(3 * MINUTE_MS);
      await runAll();
    }
  }

  return {
    history,
    /** What a mirror starts from, and what it has to be now. */
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
      await wake('store-events', store.shopId);
      await runAll();
    },
    /** Whether the process of the step died. */
    async play(step: Step): Promise<boolean> {
      draw = luckOf(step.luck);
      await pass(step.seconds * 1000);
      if (step.kind === 'elsewhere' && isSameChange(step, died?.step))
        await pass(Math.max(0, (died?.atMs ?? 0) + DOUBTFUL_MS - now()));
      await postbox.deliver();
      if (step.kind === 'own') return changeAtOnce(step);
      if (step.kind === 'elsewhere') changeElsewhere(step);
      else if (step.kind === 'switch') await endpoints.turn(step.isOn);
      else if (step.kind === 'wish') await endpoints.wish(step);
      else return work(step.kind, step.dies);
      return false;
    },
    /** Nothing is done any more, and a night goes by; endpoints accept all. `everyHours`: how often everybody works. */
    async night(everyHours = 1): Promise<void> {
      isKind = true;
      await endpoints.turn(true);
      known = erasure.contracts();
      const sinceMs = now();
      const before = aheadNow({ sinceMs, untilMs: sinceMs + NIGHT_MS });
      await rest();
      for (let hours = 0; hours < 26; hours += everyHours) {
        holder.nowMs += everyHours * HOUR_MS;
        settlesAtMs = now();
        await runAll();
      }
      const after = new Set(aheadNow({ sinceMs, untilMs: sinceMs + NIGHT_MS }));
      for (const one of before) if (after.has(one)) ahead.add(one);
      isKind = false;
      history.push({ nightAtMs: now() });
      later(1);
    },
    /** The customer is forgotten, whose contracts were known since the last night. */
    async erase({ dies, luck }: Pick<Run, 'dies'> & Pick<Step, 'luck'>): Promise<Erasure> {
      draw = luckOf(luck);
      return { ...(await erasure.erase(dies)), known };
    },
    named: erasure.named,
    /** The merchant removes the app, and whoever works on that dies. */
    async uninstall(step: Run & Pick<Step, 'luck'>): Promise<void> {
      shared.app.isUninstalled = true;
      isKind = true;
      ahead.add('store.uninstalled');
      postbox.sendSurely({ topic: 'app/uninstalled', payload: shopPayload(platform.store()) });
      draw = luckOf(step.luck);
      await postbox.deliver();
      await work(step.kind, step.dies);
      await rest();
    },
    /** What endpoints had to be told though no entry tells it. */
    ahead,
    wrong: endpoints.wrong,
    contracts,
    charges: (): Charge[] =>
      [...attempts].flatMap(([id, whose]) => {
        const attempt = platform.store().attempts.get(id);
        if (attempt === undefined) return [];
        return [{ attempt, ...whose }];
      }),
    told: () => readTold(shared),
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
