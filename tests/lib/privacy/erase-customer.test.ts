import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { ITEM_FAMILIES } from '../../../infra/definition/rights.ts';
import type { CustomerId } from '../../../lib/domain/customer-id.ts';
import type { SessionId } from '../../../lib/domain/session-id.ts';
import { raiseAlarmsForOldDataRequests } from '../../../lib/privacy/data-requests.ts';
import { exportCustomer } from '../../../lib/privacy/export-customer.ts';
import { handleComplianceRequests } from '../../../lib/privacy/handle-compliance-requests.ts';
import { ERASURE_RULES_BY_KIND } from '../../../lib/privacy/item-erasure.ts';
import { reapplyErasures } from '../../../lib/privacy/reapply-erasures.ts';
import { exchangeCodeForTokens } from '../../../lib/sign-in/exchange/exchange-code-for-tokens.ts';
import type { TokenPair } from '../../../lib/sign-in/sessions/token-pair.ts';
import type { SignInDeps } from '../../../lib/sign-in/sign-in-deps.ts';
import type { TopicGroup } from '../../../lib/storage/inbox/inbox.ts';
import { createTombstoneRepository } from '../../../lib/storage/privacy/tombstones.ts';
import { readDueTasks, type ScheduledTask } from '../../../lib/storage/scheduled-tasks.ts';
import { createSessionLinkRepository } from '../../../lib/storage/sessions/session-links.ts';
import { sessionKey } from '../../../lib/storage/sessions/session-record.ts';
import { createSessionRepository } from '../../../lib/storage/sessions/sessions.ts';
import { createSignInRepository } from '../../../lib/storage/sessions/sign-ins.ts';
import { snapshotKey } from '../../../lib/storage/stream/snapshot-key.ts';
import type { Item, Table } from '../../../lib/storage/table.ts';
import { parseLoggedChanges } from '../../../lib/stores/restore/logged-change.ts';
import { type ContractNumber, formatEventNumber, toEventItem } from '../../../lib/timeline/event-record.ts';
import { readStreamAsWebhooks } from '../../../lib/webhooks/deliver/read-stream-as-webhooks.ts';
import { appendingOver, appendNow } from '../../appending.ts';
import { observe, readingWith, recordedOf } from '../../contract/world/observe.ts';
import { gid } from '../../contract/world/operation-world.ts';
import { holdsRights, tableOf } from '../../rights/guarded-table.ts';
import { HOUR_MS, WEEKLY } from '../../world/store-world.ts';
import { ADA, outcome, refreshWith, signedIn, signInToCode, use } from '../sign-in/world/journey.ts';
import { TOMBSTONE_KEY } from '../sign-in/world/world.ts';
import { createErasureWorld, type ErasureWorld, everything, PERSON, restore } from './erasure-world.ts';
import {
  cardOf,
  KINDS_OF_PERSON,
  liveToTheFull,
  MONTHLY,
  make,
  person,
  searchTextsOf,
  type Texts,
} from './full-history.ts';

const worlds: ErasureWorld[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

async function newWorld(): Promise<ErasureWorld> {
  const world = await createErasureWorld();
  worlds.push(world);
  return world;
}

/** A world in which the person has done everything, with the texts that must not be found afterwards. */
async function lived(texts: Texts) {
  const world = await newWorld();
  await liveToTheFull(world, texts);
  return { world, searchTexts: searchTextsOf(world, texts) };
}

const CONTRACTS = [WEEKLY, MONTHLY].map(String);
const [ZOE] = fc.sample(person, { seed: 3, numRuns: 1 }) as [Texts];

describe('after the erasure of a customer', () => {
  test('keeps what happened to the contracts in the timeline, without the actor', async () => {
    const { world } = await lived(ZOE);
    const before = [await world.timeline(WEEKLY), await world.timeline(MONTHLY)];
    await world.erase(CONTRACTS);
    expect([await world.timeline(WEEKLY), await world.timeline(MONTHLY)]).toEqual(before);
    expect((await world.entries(MONTHLY)).at(-1)).toMatchObject({
      actor: { kind: 'CUSTOMER' },
      action: 'subscription_cancelled',
    });
  });

  test('a pause stays, and does not end by itself any more', async () => {
    const { world } = await lived(ZOE);
    await world.erase(CONTRACTS);
    const pause = await world.pauseOf(WEEKLY);
    expect(pause).toMatchObject({ pausedBy: { kind: 'CUSTOMER' } });
    expect(pause).not.toHaveProperty('resumesAtMs');
    world.later(41 * 24 * HOUR_MS);
    await world.work();
    expect(world.status(WEEKLY)).toBe('PAUSED');
  });
});

/** Items that only the sweep can erase: no key leads to them, or a request that is in progress needs them. */
const LEFT_TO_THE_SWEEP = [
  ...[/^SIGN_IN#/, /^REPEAT#/, /^COOLDOWN#/, /^SHARE#/, /^MARK#/, /^STREAM#/],
  ...[/^DUE#intent#/, /^TIMELINE#\S+ \/ ~charging:/],
];

test('an immediate erasure leaves only what waits for the sweep: add other items of contracts to readContractItems in lib/privacy/read-items-of-customer.ts', async () => {
  const { world, searchTexts } = await lived(ZOE);
  await world.erase(CONTRACTS);
  const found = await world.found(searchTexts);
  expect(found.filter((item) => !LEFT_TO_THE_SWEEP.some((pattern) => pattern.test(item)))).toEqual([]);
});

test('webhooks name no customer once they are erased, whoever reads the contracts', async () => {
  const { world } = await lived(ZOE);
  const { shopId } = PERSON;
  const named = { shopId, observedFromMs: world.now(), version: 1, v: 2 };
  // Waits until interrupted changes have expired.
  world.later(16 * 60_000);
  await recordOf(world, `${MONTHLY}`, ADA);
  // The platform still returns this contract: its snapshot contains the person's text, but not the customer.
  await world.table.put({ ...snapshotKey(shopId, `${WEEKLY}`), ...named, facts: { note: ZOE.note } });
  const number = formatEventNumber({
    createdAtMs: world.now(),
    sequence: 0,
    contract: `${MONTHLY}` as ContractNumber,
  });
  const ofAKey = {
    ...{
      number,
      shopId,
      contract: `${MONTHLY}` as ContractNumber,
      action: 'subscription_paused',
      requestId: 'r',
      id: 'r',
    },
    ...{ actor: { kind: 'MERCHANT', label: 'ERP' } as const, details: {}, changes: [] },
    ...({ createdAtMs: world.now(), outcome: 'DONE' } as const),
  };
  await world.table.put(toEventItem(ofAKey));
  const place = appendingOver(world);
  await place({
    shopId,
    id: 'of-a-key',
    contract: `${MONTHLY}`,
    entry: { number, action: 'subscription_paused', type: 'subscription.paused' },
  });
  const naming = async () => {
    const all = await readStreamAsWebhooks({ ...world, gidNamespace: 'platform' }, shopId, {
      fromNumber: 0,
      limit: 1000,
    });
    return all.filter(({ webhook }) => webhook?.body.includes(`/${ADA}"`)).map(({ webhook }) => webhook?.id);
  };
  expect(await naming()).toEqual(expect.arrayContaining(['upcoming-1', 'of-a-key']));
  await world.erase([`${WEEKLY}`]);
  expect(await naming()).toEqual([]);
  expect(await world.table.get(snapshotKey(shopId, `${WEEKLY}`))).toMatchObject({ facts: {}, version: 2 });
});

const HAPPENINGS = [
  'event',
  'by a key',
  'observe',
  'remove the snapshot',
  'erase',
  'sign in',
  'sweep',
] as const;

test('what is older than an erasure names no customer, even after a new sign-in and a resend', async () => {
  const world = await newWorld();
  const [{ shopId }, contract] = [PERSON, `${MONTHLY}` as ContractNumber];
  const { tombstones } = world.eraser();
  const place = appendingOver(world);
  const order = { cycleIndex: 1, date: '2026-07-01T00:00:00Z' };
  let [erasedAtMs, named, nextId] = [0, 0, 0];
  const happenings: Record<(typeof HAPPENINGS)[number], () => Promise<unknown>> = {
    async event() {
      // The nightly reconciliation appends it, with the customer of the snapshot.
      const { customerId } = await recordedOf(world, shopId, contract);
      const event = { type: 'order.upcoming' as const, atMs: world.now(), order };
      await place({
        shopId,
        contract,
        id: `event-${nextId++}`,
        event: { ...event, ...(customerId !== undefined && { customerId }) },
      });
    },
    async 'by a key'() {
      const number = formatEventNumber({ createdAtMs: world.now(), sequence: nextId, contract });
      const of = { number, shopId, contract, id: 'r', requestId: 'r', details: {}, changes: [] };
      const actor = { kind: 'MERCHANT', label: 'ERP' } as const;
      const done = { actor, action: 'subscription_paused', outcome: 'DONE' as const };
      await world.table.put(toEventItem({ ...of, ...done, createdAtMs: world.now() }));
      await place({
        shopId,
        contract,
        id: `entry-${nextId++}`,
        entry: { number, action: 'subscription_paused', type: 'subscription.paused' },
      });
    },
    observe: () => recordOf({ ...world, tombstones }, contract, ADA),
    'remove the snapshot': () => world.table.delete(snapshotKey(shopId, contract)),
    erase: async () => {
      erasedAtMs = world.now();
      await world.erase([contract]);
    },
    'sign in': () => signedIn(world.signIns),
    sweep: () => world.sweep(),
  };
  const step = fc.record({
    name: fc.constantFrom(...HAPPENINGS),
    afterMs: fc.integer({ min: 1, max: HOUR_MS }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 12 }), async (steps) => {
      for (const { name, afterMs } of steps) {
        world.later(afterMs);
        await happenings[name]();
        const deps = { ...world, gidNamespace: 'platform' };
        const all = await readStreamAsWebhooks(deps, shopId, { fromNumber: 0, limit: 1000 });
        const naming = all.filter(({ webhook }) => webhook?.body.includes(`/${ADA}"`));
        named += naming.length;
        const knownContracts = naming.map(({ webhook }) => JSON.parse(webhook?.body ?? '{}'));
        const isWrong = ({ type, timestamp }: { type: string; timestamp: string }) =>
          type === 'customer.erased' || Date.parse(timestamp) < erasedAtMs;
        expect([name, knownContracts.filter(isWrong)]).toEqual([name, []]);
      }
    }),
    { seed: 7, numRuns: 12 },
  );
  expect(named).toBeGreaterThan(0);
});

type Recording = Pick<ErasureWorld, 'table' | 'now'> &
  Partial<Pick<ReturnType<ErasureWorld['eraser']>, 'tombstones'>>;

/** The contract is observed, and is this customer's. */
function recordOf(world: Recording, contract: string, customerId: number): Promise<void> {
  const of = { contract: contract as ContractNumber, customerId: customerId as CustomerId };
  return observe(world, PERSON.shopId, readingWith({ ...of, facts: { note: ZOE.note } }, world.now()));
}

test('finds the customer’s contracts by snapshots, and reads no other customer’s', async () => {
  const world = await newWorld();
  for (let other = 1; other <= 30; other++) await recordOf(world, `${800 + other}`, 9_000_000 + other);
  world.later(1_000);
  for (const contract of ['801', '802', '901']) await recordOf(world, contract, ADA);
  world.later(1_000);
  // This contract has another customer since.
  await recordOf(world, '802', 9_000_002);
  let read = 0;
  const counting: typeof world.table = {
    ...world.table,
    async query(selection) {
      const { condition: _condition, ...unfiltered } = selection;
      const { items } = await world.table.query(unfiltered);
      read += items.filter(({ pk }) => pk.startsWith('SNAPSHOT#')).length;
      return world.table.query(selection);
    },
  };
  const { contracts } = await world.erase([], counting);
  expect([contracts, read]).toEqual([['801', '901'], 3]);
  expect(await world.found([`${ADA}`])).toEqual([]);
  const left = (contract: string) => recordedOf(world, PERSON.shopId, contract as ContractNumber);
  expect([(await left('901')).facts, (await left('802')).customerId]).toEqual([{}, 9_000_002]);
});

test('stores nothing of a contract while its customer’s tombstone exists', async () => {
  const world = await newWorld();
  const { tombstones } = world.eraser();
  await world.erase();
  const left = () => recordedOf(world, PERSON.shopId, '31' as ContractNumber);
  await recordOf({ ...world, tombstones }, '31', ADA);
  expect(await left()).toMatchObject({ facts: {}, isForgotten: true });
  expect(await left()).not.toHaveProperty('customerId');
  world.later(60_000);
  await recordOf({ ...world, tombstones }, '31', 7001002);
  expect(await left()).toMatchObject({ customerId: 7001002 });
});

describe('what the platform asks for by its webhooks', () => {
  const turn = (world: ErasureWorld) => ({
    shopId: PERSON.shopId,
    endAtMs: world.now() + HOUR_MS,
    signal: new AbortController().signal,
  });
  const inboxItem = (topicGroup: TopicGroup, object: string) => ({
    topicGroup,
    object,
    customerId: `${ADA}`,
  });
  const functionOf = (world: ErasureWorld) => world.eraser([], tableOf('store-events', world.table));

  test('is done once, however often it comes: the request is open, then the customer is erased', async () => {
    const { world, searchTexts } = await lived(ZOE);
    const deps = functionOf(world);
    for (let times = 0; times < 2; times++) {
      await world.eraser().inbox.put(PERSON.shopId, inboxItem('customer-redact', `${ADA}`));
      await world.eraser().inbox.put(PERSON.shopId, inboxItem('data-request', '99'));
      expect(await handleComplianceRequests(deps, turn(world))).toBeUndefined();
    }
    const open = await deps.complianceRequests.listOf(PERSON.shopId);
    expect(open.map(({ kind }) => kind).sort()).toEqual(['data request', 'data request', 'erasure']);
    world.later(7 * HOUR_MS);
    await world.work();
    await world.sweep();
    expect(await world.found(searchTexts)).toEqual([]);
  });

  test('repeats an erasure for a customer with a new sign-in, and warns operators that it may be a copy', async () => {
    const world = await newWorld();
    const deps = functionOf(world);
    const redact = async () => {
      world.later(1000);
      await world.eraser().inbox.put(PERSON.shopId, inboxItem('customer-redact', `${ADA}`));
      await handleComplianceRequests(deps, turn(world));
    };
    const knownContracts = () =>
      world.logs.filter(({ message }) => message === 'customer.erased_after_new_sign_in');
    await redact();
    await redact();
    expect(knownContracts()).toEqual([]);
    world.later(1000);
    await signedIn(world.signIns);
    await redact();
    await redact();
    const { hash } = await deps.tombstones.hashOf(PERSON);
    expect(knownContracts().map(({ fields }) => fields)).toEqual([
      { shopId: PERSON.shopId, hash, signedInAtMs: expect.any(Number) },
    ]);
    expect(await world.signIns.deps.sessions.listOf(PERSON.shopId, ADA)).toEqual([]);
  });

  test('lists a redaction of a store among the requests, and rings each day once it has waited for 20 days', async () => {
    const world = await newWorld();
    const deps = functionOf(world);
    const rung: object[] = [];
    const logger = {
      error: (message: string, fields: object = {}) => void rung.push({ message, ...fields }),
    };
    await world.eraser().inbox.put(PERSON.shopId, { topicGroup: 'shop-redact', object: '1' });
    await handleComplianceRequests(deps, turn(world));
    const ring = () => raiseAlarmsForOldDataRequests({ ...deps, logger });
    world.later(19 * 24 * HOUR_MS);
    expect(await ring()).toBe(0);
    world.later(25 * HOUR_MS);
    expect([await ring(), await ring()]).toEqual([1, 0]);
    expect(rung).toMatchObject([{ alarm: 'data_request', dataRequestId: 'SHOP', daysLeft: 9 }]);
    const { complianceRequests } = world.eraser();
    const shop = { shopId: PERSON.shopId, id: 'SHOP', kind: 'store redact' } as const;
    await complianceRequests.closeDataRequest(shop, world.now());
    world.later(25 * HOUR_MS);
    expect(await ring()).toBe(0);
  });

  test('a request that was closed stays closed when its webhook comes again; a store may go twice', async () => {
    const world = await newWorld();
    const deps = functionOf(world);
    const { complianceRequests, inbox } = world.eraser();
    const { shopId } = PERSON;
    const come = async () => {
      await inbox.put(shopId, inboxItem('data-request', '99'));
      await inbox.put(shopId, { topicGroup: 'shop-redact', object: '1' });
      await handleComplianceRequests(deps, turn(world));
    };
    await come();
    const closedAtMs = world.now();
    await complianceRequests.closeDataRequest({ shopId, id: '99', kind: 'data request' }, closedAtMs);
    await complianceRequests.closeDataRequest({ shopId, id: 'SHOP', kind: 'store redact' }, closedAtMs);
    expect(await complianceRequests.listOf(shopId)).toEqual([]);
    world.later(HOUR_MS);
    await come();
    expect(await complianceRequests.listOf(shopId)).toMatchObject([{ id: 'SHOP' }]);
    expect(world.logs).toContainEqual({
      message: 'data_request.redelivered',
      fields: { shopId, dataRequestId: '99', closedAtMs },
    });
    expect(await world.found([`${ADA}`])).toEqual([]);
  });
});

test('returns all stored data of a customer in the export, without secrets', async () => {
  const { world, searchTexts } = await lived(ZOE);
  const exported = await exportCustomer(world.eraser().scan, PERSON, []);
  const text = JSON.stringify(exported);
  const plain = (await everything(world)).map((item) => JSON.stringify(item)).join();
  const isPresent = (one: string) => plain.includes(JSON.stringify(one).slice(1, -1));
  const remaining = searchTexts.filter((one) => one !== cardOf(world) && isPresent(one));
  expect(remaining.filter((one) => !text.includes(JSON.stringify(one).slice(1, -1)))).toEqual([]);
  // A kind of item is exported by a field `customerId`, or by its contract (isAboutCustomer in lib/privacy/export-customer.ts).
  const exportedKinds = KINDS_OF_PERSON.filter((kind) => kind !== 'COOLDOWN' && kind !== 'SHARE');
  expect(Object.keys(exported.held).sort()).toEqual(exportedKinds);
  expect(text).not.toMatch(/"(?:salt|linkTokens|grant|challenge)"/);
});

test('sends the erasure to merchants’ servers by contract, with no number of the customer', async () => {
  const { world } = await lived(ZOE);
  await world.erase(CONTRACTS);
  world.later(HOUR_MS);
  await world.sweep();
  await appendNow(world);
  const typeOf = ({ event }: Item) => (event as { readonly type?: string } | undefined)?.type;
  const events = (await everything(world)).filter((item) => typeOf(item) === 'customer.erased');
  expect(events.map(({ contract }) => contract).sort()).toEqual(
    [WEEKLY, MONTHLY, 9_101_003].map(String).sort(),
  );
  expect(JSON.stringify(events)).not.toContain(`${ADA}`);
});

test('sends nothing about an unknown customer, and one event about a known one without contracts, however often erased', async () => {
  const world = await newWorld();
  const typeOf = ({ event }: Item) => (event as { readonly type?: string } | undefined)?.type;
  const knownContracts = async () => {
    await appendNow(world);
    return (await everything(world)).filter((one) => typeOf(one) === 'customer.erased').length;
  };
  const { shopId } = PERSON;
  // Expired items are deleted regardless of their customer.
  await world.table.put({ pk: `COOLDOWN#${shopId}#card-1`, sk: 'COOLDOWN', shopId, expiresAt: 1 });
  await world.erase();
  world.later(HOUR_MS);
  expect([await world.sweep(), await knownContracts()]).toEqual([1, 0]);
  const session = { ...PERSON, sessionId: 'known' as SessionId, createdAtMs: 0 };
  await world.table.put({ ...sessionKey(session), ...session, status: 'active' });
  await world.erase();
  world.later(1);
  await world.erase();
  world.later(7 * HOUR_MS);
  expect([await world.sweep(), await knownContracts()]).toEqual([1, 1]);
});

test('sends one event about repeated erasures, an hour after the last request at the earliest', async () => {
  const world = await newWorld();
  const knownContracts = async () => {
    await appendNow(world);
    return (await everything(world)).flatMap(({ event, id }) => {
      const { type } = (event ?? {}) as { readonly type?: string };
      return type === 'customer.erased' ? [id] : [];
    });
  };
  const session = { ...PERSON, sessionId: 'known' as SessionId, createdAtMs: 0 };
  await world.table.put({ ...sessionKey(session), ...session, status: 'active' });
  await world.erase();
  world.later(5 * HOUR_MS);
  await world.erase();
  world.later(47 * 60_000);
  expect([await world.sweep(), await knownContracts()]).toEqual([0, []]);
  world.later(HOUR_MS);
  const { scheduledTasks } = world.eraser();
  const [due] = await readDueTasks(scheduledTasks, { kind: 'erasure', nowMs: world.now(), maxCount: 1 });
  expect([await world.sweep(), (await knownContracts()).length]).toEqual([1, 1]);
  // A run that crashed before this was removed.
  await scheduledTasks.put(due as ScheduledTask);
  world.later(7 * HOUR_MS);
  expect([await world.sweep(), (await knownContracts()).length]).toEqual([0, 1]);
});

test('a table that is restored to before the erasure is erased again, by what the log has', async () => {
  const { world, searchTexts } = await lived(ZOE);
  const before = await everything(world);
  await world.erase(CONTRACTS);
  const text = world.logs.map(({ message, fields }) =>
    JSON.stringify({ message, at: new Date(), ...fields }),
  );
  expect(text.join()).not.toMatch(new RegExp(searchTexts.map((one) => one.replaceAll(/\W/g, '.')).join('|')));
  await restore(world, before);
  world.later(HOUR_MS);
  await world.work();
  const erased = parseLoggedChanges(text.join('\n'), 0).filter((one) => one.message === 'customer.erased');
  expect(await reapplyErasures(world.eraser(), erased)).toBeGreaterThan(10);
  expect(await world.found(searchTexts)).toEqual([]);
  world.later(HOUR_MS);
  expect(await world.sweep()).toBe(1);
});

describe('sign-ins of a customer who was erased', () => {
  test('rejects completed sign-ins, and creates no session for one under way', async () => {
    const world = await newWorld();
    const { signIns } = world;
    const tokens = await signedIn(signIns);
    const underWay = await signInToCode(signIns);
    await world.erase();
    expect(await outcome(refreshWith(signIns.deps, tokens))).toBe('TOKEN_NOT_FOUND');
    expect(await outcome(use(signIns.deps, tokens))).toBe('UNAUTHENTICATED');
    expect(await outcome(exchangeCodeForTokens(signIns.deps, underWay))).toBe('INVALID_NONCE');
    expect(await signIns.deps.sessions.listOf(PERSON.shopId, ADA)).toEqual([]);
  });

  test('lifts the tombstone at a later sign-in, and the sweep keeps what is new', async () => {
    const world = await newWorld();
    const { signIns } = world;
    await signedIn(signIns);
    await world.erase();
    world.later(1000);
    const tokens = await signedIn(signIns);
    world.later(1000);
    await make(world, [
      'customer',
      '($id: ID!) { subscriptionContractPause(subscriptionContractId: $id, reason: "holidays") { userErrors { code } } }',
      { id: gid('SubscriptionContract', WEEKLY) },
    ]);
    world.later(HOUR_MS);
    expect(await world.sweep()).toBe(1);
    expect(await world.pauseOf(WEEKLY)).toMatchObject({ reason: 'holidays', setBy: { customerId: ADA } });
    expect(await outcome(refreshWith(signIns.deps, tokens))).toBe('ok');
  });

  /** The table; before its request with this number something else happens, whole. */
  function interrupted(table: Table, at: number, happening: () => Promise<unknown>) {
    const seen = { requests: 0 };
    const wrap =
      (operation: keyof Table) =>
      async (...parameters: unknown[]) => {
        if (seen.requests++ === at) await happening();
        return (table[operation] as (...all: unknown[]) => Promise<unknown>)(...parameters);
      };
    const operations = ['get', 'batchGet', 'put', 'update', 'delete', 'query'] as const;
    const over = Object.fromEntries(operations.map((one) => [one, wrap(one)])) as unknown as Table;
    return { over, seen };
  }

  /** Runs the erasure with a concurrent change before each request in turn, until no request is left. */
  async function atEachRequest(happenings: (at: number) => Promise<number>): Promise<number> {
    let at = 0;
    while ((await happenings(at)) > at) at++;
    return at;
  }

  function containerOver({ signIns }: ErasureWorld, table: Table): SignInDeps {
    const deps = signIns.createContainer();
    const own = { table: tableOf('headless-auth', table), now: signIns.now };
    return {
      ...deps,
      sessions: createSessionRepository(own),
      signIns: createSignInRepository(own),
      sessionLinks: createSessionLinkRepository(own),
      tombstones: createTombstoneRepository({ ...own, readKey: async () => TOMBSTONE_KEY }),
    };
  }

  const STEPS = {
    exchange: (deps: SignInDeps, { code }: StartedSignIns) => exchangeCodeForTokens(deps, code),
    refresh: (deps: SignInDeps, { tokens }: StartedSignIns) => refreshWith(deps, tokens),
    use: (deps: SignInDeps, { tokens }: StartedSignIns) => use(deps, tokens),
  };
  type StartedSignIns = {
    readonly code: Awaited<ReturnType<typeof signInToCode>>;
    readonly tokens: TokenPair;
  };

  test.each(Object.entries(STEPS))(
    'keeps no session and lifts no tombstone for a sign-in that is at %s during the erasure',
    async (_name, step) => {
      const steps = await atEachRequest(async (at) => {
        const world = await newWorld();
        const { signIns } = world;
        // The platform's access token has run out, so that a refresh renews it, too.
        const started = { tokens: await signedIn(signIns), code: await signInToCode(signIns) };
        if (step === STEPS.refresh) world.later(2 * HOUR_MS);
        const { over, seen } = interrupted(world.table, at, () => world.erase());
        const done = await outcome(step(containerOver(world, over), started));
        if (seen.requests <= at) return seen.requests;
        expect([at, done]).toEqual([
          at,
          expect.stringMatching(/^(ok|INVALID_NONCE|INVALID_REFRESH_TOKEN|TOKEN_NOT_FOUND|UNAUTHENTICATED)$/),
        ]);
        expect(await signIns.deps.sessions.listOf(PERSON.shopId, ADA)).toEqual([]);
        expect(await outcome(exchangeCodeForTokens(signIns.deps, started.code))).toBe('INVALID_NONCE');
        const items = await everything(world);
        expect(items.filter(({ liftedAtMs }) => liftedAtMs !== undefined)).toEqual([]);
        return seen.requests;
      });
      expect(steps).toBeGreaterThan(0);
    },
  );

  test('keeps sign-ins that start during an erasure, and ends earlier ones', async () => {
    const steps = await atEachRequest(async (at) => {
      const world = await newWorld();
      const { signIns } = world;
      const before = await signedIn(signIns);
      let after: TokenPair | undefined;
      const { over, seen } = interrupted(world.table, at, async () => {
        world.later(1000);
        after = await signedIn(signIns);
      });
      await world.erase(CONTRACTS.slice(0, 1), over);
      if (after === undefined) return seen.requests;
      const [stone] = (await everything(world)).filter(({ pk }) => pk.startsWith('TOMBSTONE#'));
      const isKnown = stone?.liftedAtMs !== undefined;
      world.later(HOUR_MS);
      await world.sweep();
      expect([at, await outcome(refreshWith(signIns.deps, before))]).toEqual([
        at,
        isKnown ? 'INVALID_REFRESH_TOKEN' : 'TOKEN_NOT_FOUND',
      ]);
      expect([at, await outcome(refreshWith(signIns.deps, after))]).toEqual([
        at,
        isKnown ? 'ok' : 'TOKEN_NOT_FOUND',
      ]);
      return seen.requests;
    });
    expect(steps).toBeGreaterThan(10);
  });
});

test('every item carries the number of its store, by which a purge finds it', async () => {
  const { world } = await lived(ZOE);
  await world.erase();
  const without = (await everything(world)).filter(({ shopId }) => shopId !== PERSON.shopId);
  expect(without.map(({ pk, sk }) => `${pk} / ${sk}`).filter((key) => !key.endsWith(' / OLDEST'))).toEqual(
    [],
  );
});

test('every item type has a rule, and a row in docs/privacy.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/privacy.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  for (const family of Object.keys(ITEM_FAMILIES))
    expect([family, rows.join()]).toEqual([family, expect.stringContaining(`\`${family}#\``)]);
  expect(Object.keys(ERASURE_RULES_BY_KIND)).toEqual(expect.arrayContaining(Object.keys(ITEM_FAMILIES)));
});

holdsRights();
