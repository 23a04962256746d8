/**
 * A store that the service, its merchant and other apps change; its webhooks are lost, doubled and late, and whoever works
 * on them dies. What was done at the platform, and by whom, is watched at the platform itself.
 */
import { Webhook } from 'standardwebhooks';
import {
  revised,
  touched,
} from '../../../../infra/emulators/platform/admin/resolvers/contracts/contract-changes.ts';
import { cycleAt, cycleByIndex } from '../../../../infra/emulators/platform/state/billing-cycles.ts';
import type { ContractRecord } from '../../../../infra/emulators/platform/state/contract-records.ts';
import { eventsBetween, pictureOf } from '../../../../infra/emulators/platform/webhooks/notice-events.ts';
import { createTokenKeys } from '../../../../lib/credentials/token-keys.ts';
import { UTC } from '../../../../lib/domain/time-zone.ts';
import type { MarkedObject } from '../../../../lib/storage/marks/marks.ts';
import { type StoreRecord, toStoreItems } from '../../../../lib/storage/stores.ts';
import { createWakeMarks } from '../../../../lib/storage/wakes/wake-marks.ts';
import type { Entry } from '../../../../lib/timeline/end-intent.ts';
import type { ContractNumber } from '../../../../lib/timeline/event-number.ts';
import { sealSecret, WEBHOOK_KEYS } from '../../../../lib/webhooks/endpoint-secrets.ts';
import { createEndpoints, type EndpointId } from '../../../../lib/webhooks/endpoints.ts';
import type { EndpointUrl } from '../../../../lib/webhooks/guard-address.ts';
import { readMarkedObject } from '../../../../lib/webhooks/in/read-marked-object.ts';
import type { WebhookAnswer, WebhookRequest } from '../../../../lib/webhooks/send-webhook.ts';
import { createWebhookSecret } from '../../../../lib/webhooks/webhook-secret.ts';
import { createOperationWorld, gid } from '../../../contract/world/operation-world.ts';
import { store as aStore, KEY_LABEL } from '../../../graphql/world/harness.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { Crash } from '../../stores/world/faults.ts';
import type { Doer, Made, Night, Receipt, Told } from './held-model.ts';
import { beginProcess } from './held-processes.ts';
import { CONTRACTS, type Death, type OwnChange, type Step } from './held-script.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Entries wait for older changes no longer than 15 minutes. */
const SETTLED_EACH_MS = 5 * MINUTE_MS;
/** Until a change whose process died is settled, nobody can tell it from the same by others. */
const DOUBTFUL_MS = 8 * MINUTE_MS;
const ENDPOINTS = ['one', 'two'] as const;
const ORDERS = 3;
const NOTES = ['ring', 'back door', 'leave it'];

const DOERS: Readonly<Record<OwnChange['as'], Doer>> = {
  customer: { kind: 'CUSTOMER' },
  store: { kind: 'MERCHANT', label: KEY_LABEL },
  'store for a customer': { kind: 'CUSTOMER', label: KEY_LABEL },
};

type Late = { readonly marked: MarkedObject; dueAtMs: number };

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
  } as unknown as StoreRecord;
  for (const item of toStoreItems(store)) await base.put(item);
  const { wake } = createWakeMarks({ table: base, now, newId });
  const tokenKeys = createTokenKeys({
    secrets: { read: async (name) => ({ versionId: '1', json: { seed: name.padEnd(64, '.') } }) },
    ...{ secretsPrefix: 'test', ring: WEBHOOK_KEYS, now, logger },
  });

  let draw = luckOf(1);
  const secrets = new Map<string, string>();
  const received = new Map<string, (Receipt & { readonly type: string })[]>();
  const wrong: string[] = [];
  let isKind = false;
  const shared = { world, base, store, tokenKeys, send, newId };

  for (const name of ENDPOINTS) {
    const secret = createWebhookSecret((bytes) => Buffer.alloc(bytes, name));
    const url = `https://${name}.example/` as EndpointUrl;
    secrets.set(url, secret);
    received.set(url, []);
    await createEndpoints({ table: base, now, newId }).create({
      ...{ id: `endpoint${name}`.padEnd(12, '0') as EndpointId, shopId: store.shopId, url },
      ...{ description: null, types: null, startsAt: 0 },
      sealFor: (place) =>
        sealSecret({ tokenKeys, random: (bytes) => Buffer.alloc(bytes, 5), now }, place, secret),
    });
  }

  async function send({ url, headers, body }: WebhookRequest): Promise<WebhookAnswer> {
    const { type, data } = readVerified(secrets.get(url) ?? '', { headers, body }, now);
    const mood = isKind ? 1 : draw();
    if (mood < 0.1) return { status: 503 };
    received.get(url)?.push({
      ...{ type, id: headers['webhook-id'] ?? '', changes: data.changes },
      contract: data.contractId,
    });
    // It has it, and the answer is lost.
    return mood < 0.15 ? { failed: 'TIMEOUT' } : { status: 200 };
  }

  const history: (Made | Night)[] = [];
  let doing: { readonly doer: Doer | undefined; readonly made: Made[] } | undefined;
  const first = new Map(CONTRACTS.map((id) => [id, (cycleAt(world.contract(id), now())?.index ?? 0) + 5]));
  const factsNow = () => CONTRACTS.map((id) => factsOf(world.contract(id), first.get(id) ?? 0));
  let seen = factsNow();
  let picture = pictureOf(platform.store());
  let late: Late[] = [];
  let settlesAtMs = now();
  let died: { readonly step: OwnChange; readonly atMs: number } | undefined;

  /** Called after whatever may have changed the store. */
  function watch(): void {
    const facts = factsNow();
    for (const [index, contract] of CONTRACTS.entries()) {
      for (const [field, after] of Object.entries(facts[index] ?? {})) {
        const before = seen[index]?.[field] ?? '';
        if (before === after) continue;
        const made = { contract, field, before, after, doer: doing?.doer, isUncertain: false };
        history.push(made);
        doing?.made.push(made);
      }
    }
    seen = facts;
    tellWebhooks();
  }

  function tellWebhooks(): void {
    const next = pictureOf(platform.store());
    for (const { topic, payload } of eventsBetween({ before: picture, now: next }, platform.store())) {
      const copies = draw() < 0.05 ? 0 : draw() < 0.1 ? 2 : 1;
      const body = JSON.parse(JSON.stringify(payload));
      const marked = readMarkedObject({ platformGidNamespace: 'shopify' }, { topic, body, store });
      if (marked === undefined || marked === 'unknown') throw new Error(`nobody knows ${topic}`);
      for (let copy = 0; copy < copies; copy++)
        late.push({ marked, dueAtMs: now() + draw() * draw() * 10 * MINUTE_MS });
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
      const death: Death = draw() < 0.1 ? { at: draw() < 0.5 ? 0 : 1, when: 'before' } : undefined;
      const process = beginProcess(shared, 'platform-webhooks', death);
      await process.take(one.marked).catch(mourn);
      if (process.life.isDead) late.push({ ...one, dueAtMs: now() + MINUTE_MS });
    }
  }

  async function changeHere(step: OwnChange): Promise<void> {
    const surface = step.as === 'customer' ? 'customer-graphql' : 'admin-graphql';
    const process = beginProcess(shared, surface, step.dies);
    const own = { doer: DOERS[step.as], made: [] as Made[] };
    doing = own;
    const as = step.name === 'note' ? 'store' : step.as;
    if (as !== step.as) doing = { ...own, doer: DOERS[as] };
    const query = `mutation { ${mutationOf(world.contract(step.contract), step, first.get(step.contract) ?? 0)} { userErrors { code message } } }`;
    await world.run({ as, query, ...process.asFunction }).catch(mourn);
    doing = undefined;
    if (process.life.isDead) died = { step, atMs: now() };
    if (process.life.isDead) for (const made of own.made) Object.assign(made, { isUncertain: true });
  }

  function changeElsewhere({ contract: id, name, choice }: Omit<OwnChange, 'kind' | 'as' | 'dies'>): void {
    const contract = world.contract(id);
    const index = String((first.get(id) ?? 0) + choice);
    const { content, cycleEdits } = contract;
    const before = JSON.stringify([content, cycleEdits]);
    if (name === 'pause') content.status = 'PAUSED';
    else if (name === 'resume') content.status = 'ACTIVE';
    else if (name === 'note') content.note = NOTES[choice] ?? '';
    else if (name === 'quantity') for (const line of content.lines) line.quantity = choice + 1;
    else if (name === 'skip') cycleEdits[index] = { skipped: true, billingDate: null, contract: null };
    else delete cycleEdits[index];
    if (before === JSON.stringify([content, cycleEdits])) return;
    if (/skip/.test(name)) touched(contract, now());
    else revised(contract, now());
    watch();
  }

  async function work(kind: Exclude<Step['kind'], 'own' | 'elsewhere'>, death: Death): Promise<void> {
    const process = beginProcess(shared, kind, death);
    const run = {
      'store-events': process.runStoreEvents,
      'scheduled-work': process.runScheduledWork,
      'webhook-deliveries': () => process.runDeliveries(draw),
    }[kind];
    await run().catch((error: unknown) => {
      if (!process.life.isDead) throw error;
    });
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
    wrong,
    facts: () =>
      CONTRACTS.flatMap((contract, index) =>
        Object.keys(seen[index] ?? {}).map((field) => ({ contract, field })),
      ),
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
      history.push('night');
    },
    /** All entries, those of a contract in the order of their numbers. */
    async told(): Promise<Told[]> {
      const { readEvents } = beginProcess(shared, 'scheduled-work', undefined).asFunction.timeline(base);
      const contracts = CONTRACTS.map((id) => String(id) as ContractNumber);
      const pages = await readEvents({ shopId: store.shopId, contracts, args: { first: 250 } });
      return pages.flatMap(({ edges }) => edges.map(({ record }) => toTold(record as Entry)));
    },
    receipts: () => [...received].map(([name, receipts]) => ({ name, receipts })),
  };
}

const logger = { debug() {}, info() {}, warn() {}, error() {} };

type Asked = Pick<OwnChange, 'contract' | 'name' | 'choice'>;

function isSameChange(one: Asked, other: Asked | undefined): boolean {
  const isStatus = /pause|resume/.test(one.name);
  return (
    one.contract === other?.contract && one.name === other.name && (isStatus || one.choice === other.choice)
  );
}

function mourn(error: unknown): void {
  if (!(error instanceof Crash)) throw error;
}

function toTold({ id, contract, number, outcome, actor, changes }: Entry): Told {
  const doer = { kind: actor.kind, ...('label' in actor && { label: actor.label }) };
  return { id, contract: Number(contract), number, outcome, actor: doer, changes };
}

/** Facts as the timeline names and writes them, from the platform's own records. */
function factsOf(contract: ContractRecord, first: number): Record<string, string> {
  const { status, note, lines } = contract.content;
  const quantities = lines.map(({ id, quantity }) => [`lines.${id}.quantity`, `${quantity}`]);
  const skips = Array.from({ length: ORDERS }, (_, order) => [
    `billingCycles.${first + order}.skipped`,
    String(cycleByIndex(contract, first + order)?.skipped ?? false),
  ]);
  return { status, note: note ?? '', ...Object.fromEntries([...quantities, ...skips]) };
}

function mutationOf({ id, content }: ContractRecord, { name, choice }: OwnChange, first: number): string {
  const own = `contractId: "${gid('SubscriptionContract', id)}"`;
  const named = `subscriptionContractId: "${gid('SubscriptionContract', id)}"`;
  const update = content.lines.map(
    (line) => `{ lineId: "${gid('SubscriptionLine', line.id)}", quantity: ${choice + 1} }`,
  );
  const skip = (isSkipped: boolean) =>
    `subscriptionBillingCycleSkip(${own}, billingCycleIndex: ${first + choice}, skip: ${isSkipped})`;
  const mutations = {
    pause: `subscriptionContractPause(${named})`,
    resume: `subscriptionContractActivate(${named})`,
    skip: skip(true),
    unskip: skip(false),
    quantity: `subscriptionContractLinesUpdate(${own}, update: [${update.join(' ')}])`,
    note: `subscriptionContractNoteUpdate(${own}, note: "${NOTES[choice]}")`,
  };
  return mutations[name];
}

type Sent = { readonly headers: WebhookRequest['headers']; readonly body: string };

/** The package looks at the real clock. */
function readVerified(secret: string, { headers, body }: Sent, now: () => number) {
  const { now: realNow } = Date;
  Date.now = now;
  try {
    return new Webhook(secret).verify(body, { ...headers }) as {
      readonly type: string;
      readonly data: Pick<Receipt, 'changes'> & { readonly contractId: string | null };
    };
  } finally {
    Date.now = realNow;
  }
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
function luckOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
