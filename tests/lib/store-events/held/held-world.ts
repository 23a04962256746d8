/**
 * A store that the service, its merchant and other apps change; its webhooks are lost, doubled and late, and whoever works
 * on them dies. What was done at the platform, and by whom, is watched at the platform itself.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { cycleAt } from '../../../../infra/emulators/platform/state/billing-cycles.ts';
import { eventsBetween, pictureOf } from '../../../../infra/emulators/platform/webhooks/notice-events.ts';
import { UTC } from '../../../../lib/domain/time-zone.ts';
import { type StoreRecord, shopDomainKey, toStoreItems } from '../../../../lib/storage/stores.ts';
import { createWakeMarks } from '../../../../lib/storage/wakes/wake-marks.ts';
import type { Entry } from '../../../../lib/timeline/end-intent.ts';
import type { ContractNumber } from '../../../../lib/timeline/event-number.ts';
import { createOperationWorld } from '../../../contract/world/operation-world.ts';
import { store as aStore } from '../../../graphql/world/harness.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { Crash } from '../../stores/world/faults.ts';
import { type AskedChange, addCards, createChanges, DOERS, isSameChange } from './held-changes.ts';
import { createHeldEndpoints } from './held-endpoints.ts';
import { factsOf } from './held-facts.ts';
import type { Doer, Made, Night, Told } from './held-model.ts';
import { beginProcess } from './held-processes.ts';
import { CONTRACTS, type Death, luckOf, type OwnChange, type Step } from './held-script.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
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
  const store = {
    ...aStore,
    timeZone: UTC,
    keyClaims: {},
    platformVersionId: 'v1',
    webhooksVersionId: 'v1',
  } as unknown as StoreRecord;
  for (const item of toStoreItems(store)) await base.put(item);
  await base.put({ ...shopDomainKey(store.domain), shopId: store.shopId });
  const { wake } = createWakeMarks({ table: base, now, newId });
  let draw = luckOf(1);
  let isKind = false;
  const endpoints = await createHeldEndpoints({ base, store, now, newId, mood: () => (isKind ? 1 : draw()) });
  const app = { isUninstalled: false };
  const shared = { world, base, store, newId, app, ...endpoints };

  const history: (Made | Night)[] = [];
  const doing = new AsyncLocalStorage<{ readonly doer: Doer; readonly made: Made[] }>();
  const firstCard = world.contract(CONTRACTS[0]).content.paymentMethodId ?? '';
  addCards(platform.store(), firstCard);
  const changes = createChanges(firstCard);
  const first = new Map(CONTRACTS.map((id) => [id, (cycleAt(world.contract(id), now())?.index ?? 0) + 5]));
  const factsNow = () => CONTRACTS.map((id) => factsOf(world.contract(id), first.get(id) ?? 0));
  let seen = factsNow();
  const fields = new Set<string>();
  let picture = pictureOf(platform.store());
  let late: Late[] = [];
  let settlesAtMs = now();
  let died: { readonly step: OwnChange; readonly atMs: number } | undefined;

  /** Called after whatever may have changed the store. */
  function watch(): void {
    const facts = factsNow();
    for (const [index, contract] of CONTRACTS.entries()) {
      const [own = {}, last = {}] = [facts[index], seen[index]];
      for (const field of new Set([...Object.keys(last), ...Object.keys(own)])) {
        fields.add(`${contract} ${field}`);
        const [before, after] = [last[field] ?? '', own[field] ?? ''];
        if (before === after) continue;
        const { doer, made: all } = doing.getStore() ?? {};
        const made = { contract, field, before, after, doer, isUncertain: false };
        history.push(made);
        all?.push(made);
      }
    }
    seen = facts;
    tellWebhooks();
  }

  function tellWebhooks(): void {
    const next = pictureOf(platform.store());
    for (const { topic, payload } of eventsBetween({ before: picture, now: next }, platform.store())) {
      const copies = draw() < 0.05 ? 0 : draw() < 0.1 ? 2 : 1;
      const body = JSON.stringify(payload);
      for (let copy = 0; copy < copies; copy++)
        late.push({ topic, body, dueAtMs: now() + draw() * draw() * 10 * MINUTE_MS });
    }
    picture = next;
  }

  const { send: sendToPlatform } = platform;
  platform.send = async (body, ...more) => {
    try {
      return await sendToPlatform(body, ...more);
    } finally {
      watch();
    }
  };

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

  const atNow = ({ contract }: AskedChange) => ({ first: first.get(contract) ?? 0, nowMs: now() });

  async function changeHere(step: OwnChange): Promise<void> {
    const surface = step.as === 'customer' ? 'customer-graphql' : 'admin-graphql';
    const process = beginProcess(shared, surface, step.dies);
    const { as, text } = changes.asked(world.contract(step.contract), step, atNow(step));
    const own = { doer: DOERS[as], made: [] as Made[] };
    const query = `mutation { ${text} { userErrors { code message } } }`;
    await doing.run(own, () => world.run({ as, query, ...process.asFunction }).catch(mourn));
    if (process.life.isDead) died = { step, atMs: now() };
    if (process.life.isDead) for (const made of own.made) Object.assign(made, { isUncertain: true });
  }

  function changeElsewhere(step: AskedChange): void {
    if (changes.atPlatform(world.contract(step.contract), step, atNow(step))) watch();
  }

  async function work(kind: Exclude<Step['kind'], 'own' | 'elsewhere'>, death: Death): Promise<void> {
    const process = beginProcess(shared, kind, death);
    const run = {
      'store-events': process.runStoreEvents,
      'scheduled-work': process.runScheduledWork,
      'webhook-deliveries': () => process.runDeliveries(draw),
    }[kind];
    const own = { doer: { kind: 'SERVICE' }, made: [] as Made[] };
    await doing.run(own, () =>
      run().catch((error: unknown) => {
        if (!process.life.isDead) throw error;
      }),
    );
    if (process.life.isDead) for (const made of own.made) Object.assign(made, { isUncertain: true });
  }

  /** The timetable goes on, whoever died. */
  async function pass(ms: number): Promise<void> {
    const untilMs = now() + ms;
    for (; settlesAtMs <= untilMs; settlesAtMs += SETTLED_EACH_MS) {
      holder.nowMs = Math.max(now(), settlesAtMs);
      await work('scheduled-work', undefined);
    }
    holder.nowMs = Math.max(now(), untilMs);
  }

  async function runAll(): Promise<void> {
    await deliverWebhooks();
    for (const kind of ['scheduled-work', 'store-events', 'webhook-deliveries'] as const)
      await work(kind, undefined);
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
    async play(step: Step): Promise<void> {
      draw = luckOf(step.luck);
      await pass(step.seconds * 1000);
      if (step.kind === 'elsewhere' && isSameChange(step, died?.step))
        await pass(Math.max(0, (died?.atMs ?? 0) + DOUBTFUL_MS - now()));
      await deliverWebhooks();
      if (step.kind === 'own') await changeHere(step);
      else if (step.kind === 'elsewhere') changeElsewhere(step);
      else await work(step.kind, step.dies);
    },
    /** Nothing is done any more, and a night goes by; endpoints accept all. */
    async night(): Promise<void> {
      isKind = true;
      for (let turn = 0; turn < 10; turn++) {
        await pass(3 * MINUTE_MS);
        await runAll();
      }
      for (let turn = 0; turn < 26; turn++) {
        holder.nowMs += HOUR_MS;
        settlesAtMs = now();
        await runAll();
      }
      isKind = false;
      history.push({ nightAtMs: now() });
      holder.nowMs += 1;
    },
    /** All entries, those of a contract in the order of their numbers. */
    async told(): Promise<Told[]> {
      const { readEvents } = beginProcess(shared, 'scheduled-work', undefined).asFunction.timeline(base);
      const contracts = CONTRACTS.map((id) => String(id) as ContractNumber);
      const pages = await readEvents({ shopId: store.shopId, contracts, args: { first: 250 } });
      return pages.flatMap(({ edges }) => edges.map(({ record }) => toTold(record as Entry)));
    },
    receipts: endpoints.receipts,
  };
}

function mourn(error: unknown): void {
  if (!(error instanceof Crash)) throw error;
}

function toTold({ id, contract, number, action, createdAtMs, outcome, actor, changes }: Entry): Told {
  const doer = { kind: actor.kind, ...('label' in actor && { label: actor.label }) };
  return { id, contract: Number(contract), number, action, createdAtMs, outcome, actor: doer, changes };
}
