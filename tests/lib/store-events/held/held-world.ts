/**
 * A store that the service, its merchant and other apps change; its webhooks are lost, doubled and late, and whoever works
 * on them dies. What was done at the platform, and by whom, is watched at the platform itself.
 */
import { shopPayload } from '../../../../infra/emulators/platform/webhooks/payloads.ts';
import { createWakeMarks } from '../../../../lib/storage/wakes/wake-marks.ts';
import type { Entry } from '../../../../lib/timeline/end-intent.ts';
import type { ContractNumber } from '../../../../lib/timeline/event-number.ts';
import { createOperationWorld } from '../../../contract/world/operation-world.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { aheadOf } from './held-ahead.ts';
import {
  type AskedChange,
  addCards,
  createChanges,
  DOERS,
  forgetCharges,
  isOfOneSubject,
  isSameChange,
} from './held-changes.ts';
import type { Charge } from './held-charges.ts';
import { createHeldEndpoints } from './held-endpoints.ts';
import type { Told } from './held-model.ts';
import { beginProcess, installStore, mourn, toTold } from './held-processes.ts';
import { CONTRACTS, type Death, luckOf, type OwnChange, type Run, type Step } from './held-script.ts';
import { type AtWork, createWatch } from './held-watch.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** 27 hours at most. */
const NIGHT_MS = 27 * HOUR_MS;
/** Entries wait for older changes no longer than 15 minutes. */
const SETTLED_EACH_MS = 5 * MINUTE_MS;
/** Until a change whose process died is settled, nobody can tell it from the same by others. */
const DOUBTFUL_MS = 8 * MINUTE_MS;

type Late = { readonly topic: string; readonly body: string; readonly dueAtMs: number };

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
  const endpoints = await createHeldEndpoints({ base, store, now, newId, mood, later });
  const shared = { world, base, store, newId, app: { isUninstalled: false }, ...endpoints };

  const firstCard = world.contract(CONTRACTS[0]).content.paymentMethodId ?? '';
  addCards(platform.store(), firstCard);
  const changes = createChanges(firstCard);
  platform.store().chargeDelaySeconds = 90;
  forgetCharges(world);
  let late: Late[] = [];
  const { history, fields, first, attempts, contracts, doing, meanwhile, watch } = createWatch(
    world,
    ({ topic, payload }) => {
      const copies = draw() < 0.05 ? 0 : draw() < 0.1 ? 2 : 1;
      for (let copy = 0; copy < copies; copy++) {
        const dueAtMs = now() + draw() * draw() * 10 * MINUTE_MS;
        late.push({ topic, body: JSON.stringify(payload), dueAtMs });
      }
    },
  );
  const ahead = new Set<string>();
  let [settlesAtMs, eventsDiedAtMs] = [now(), 0];
  let died: { readonly step: OwnChange; readonly atMs: number } | undefined;

  /** What is due, in any order; what was not taken is sent again. */
  async function deliverWebhooks(): Promise<void> {
    const due = late.filter(({ dueAtMs }) => dueAtMs <= now());
    late = late.filter(({ dueAtMs }) => dueAtMs > now());
    for (const one of due.sort(() => draw() - 0.5)) {
      const death = { at: draw() < 0.5 ? 0 : 1, when: draw() < 0.5 ? 'before' : 'after' } as const;
      const process = beginProcess(shared, 'platform-webhooks', draw() < 0.1 ? death : undefined);
      const isForged = draw() < 0.02;
      const status = await process.take({ ...one, domain: store.domain, isForged });
      const must = isForged ? 401 : 200;
      if (status !== must && !process.life.isDead) throw new Error(`${one.topic} was answered ${status}`);
      if (status !== 200) late.push({ ...one, dueAtMs: now() + MINUTE_MS });
    }
  }

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
    const { as, text } = asked;
    const own: AtWork = { doer: DOERS[as], made: [] };
    const query = `mutation { ${text} { userErrors { code message } } }`;
    const other = step.dies === undefined ? step.meanwhile : undefined;
    const act = () => other && changeElsewhere({ ...other, contract: step.contract });
    if (other && !isOfOneSubject(step.name, other.name)) Object.assign(meanwhile, { left: other.at, act });
    await doing.run(own, () => world.run({ as, query, ...process.asFunction }).catch(mourn));
    meanwhile.left = -1;
    if (process.life.isDead) died = { step, atMs: now() };
    if (process.life.isDead) for (const made of own.made) Object.assign(made, { isUncertain: true });
    return process.life.isDead;
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
    const own: AtWork = { doer: { kind: 'SERVICE' }, made: [] };
    await doing.run(own, () =>
      run().catch((error: unknown) => {
        if (!process.life.isDead) throw error;
      }),
    );
    if (process.life.isDead) for (const made of own.made) Object.assign(made, { isUncertain: true });
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
    await deliverWebhooks();
    for (const kind of ['scheduled-work', 'store-events', 'webhook-deliveries'] as const)
      await work(kind, undefined);
  }

  /** Half an hour in which everybody works. */
  async function rest(): Promise<void> {
    for (let turn = 0; turn < 10; turn++) {
      await pass(3 * MINUTE_MS);
      await runAll();
    }
  }

  return {
    history,
    facts: () =>
      [...fields].map((name) => {
        const [contract, field = ''] = name.split(' ');
        return { contract: Number(contract), field };
      }),
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
      await deliverWebhooks();
      if (step.kind === 'own') return changeHere(step);
      if (step.kind === 'elsewhere') changeElsewhere(step);
      else if (step.kind === 'switch') await endpoints.turn(step.isOn);
      else return work(step.kind, step.dies);
      return false;
    },
    /** Nothing is done any more, and a night goes by; endpoints accept all. */
    async night(): Promise<void> {
      isKind = true;
      await endpoints.turn(true);
      const sinceMs = now();
      const before = aheadNow({ sinceMs, untilMs: sinceMs + NIGHT_MS });
      await rest();
      for (let turn = 0; turn < 26; turn++) {
        holder.nowMs += HOUR_MS;
        settlesAtMs = now();
        await runAll();
      }
      const after = new Set(aheadNow({ sinceMs, untilMs: sinceMs + NIGHT_MS }));
      for (const one of before) if (after.has(one)) ahead.add(one);
      isKind = false;
      history.push({ nightAtMs: now() });
      later(1);
    },
    /** The merchant removes the app, and whoever works on that dies. */
    async uninstall(step: Run & Pick<Step, 'luck'>): Promise<void> {
      shared.app.isUninstalled = true;
      isKind = true;
      ahead.add('store.uninstalled');
      const body = JSON.stringify(shopPayload(platform.store()));
      late.push({ topic: 'app/uninstalled', body, dueAtMs: now() });
      draw = luckOf(step.luck);
      await deliverWebhooks();
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
    /** All entries, those of a contract in the order of their numbers. */
    async told(): Promise<Told[]> {
      const { readEvents } = beginProcess(shared, 'scheduled-work', undefined).asFunction.timeline(base);
      const numbers = [...platform.store().contracts.keys()].map((id) => String(id) as ContractNumber);
      const args = { first: 250 };
      const pages = await readEvents({ shopId: store.shopId, contracts: numbers, args });
      return pages.flatMap(({ edges }) => edges.map(({ record }) => toTold(record as Entry)));
    },
    receipts: endpoints.receipts,
  };
}
