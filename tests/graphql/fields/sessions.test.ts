/** `Customer.sessions` and the mutations that revoke them: the visible sessions, the revocable ones, and the errors. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ActorRequest } from '../../../graphql/endpoint/execute-request.ts';
import type { CustomerId } from '../../../lib/domain/customer-id.ts';
import type { SessionId } from '../../../lib/domain/session-id.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import type { NonceHash } from '../../../lib/domain/tokens/nonce.ts';
import { createScheduledTaskRepository } from '../../../lib/storage/scheduled-tasks.ts';
import type { SessionRecord } from '../../../lib/storage/sessions/session-record.ts';
import { createSessionRepository, type Sessions } from '../../../lib/storage/sessions/sessions.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import type { Table } from '../../../lib/storage/table.ts';
import { createTimeline, type Timeline } from '../../../lib/timeline/timeline.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { holdsRights } from '../../rights/guarded-table.ts';
import {
  ADA,
  NOW_MS,
  neverCalled,
  type PlanRequest,
  runPlan,
  type StandIn,
  store,
} from '../world/harness.ts';

const BEN = 7001002 as CustomerId;
const OTHER_STORE = { ...store, shopId: 81234567002 } as StoreRecord;
const HOUR_MS = 3_600_000;
const FIELDS = 'sessions { id deviceLabel createdAt lastUsedAt isCurrent }';

let table: Table;
let sessions: Sessions;
beforeEach(() => {
  table = createMemoryTable();
  sessions = createSessionRepository({ table });
});

const sessionId = (name: string) => name.padEnd(22, '0') as SessionId;
const gidOf = (name: string, customerId: CustomerId = ADA) =>
  `gid://platform/CustomerSession/${customerId}.${sessionId(name)}`;

async function signIn(name: string, more: Partial<SessionRecord> = {}): Promise<void> {
  const session: Partial<SessionRecord> = {
    shopId: store.shopId as ShopId,
    customerId: ADA,
    sessionId: sessionId(name),
    signIn: name as NonceHash,
    createdAtMs: NOW_MS - 5 * HOUR_MS,
    mintedAtMs: NOW_MS - 5 * HOUR_MS,
    generation: 1,
    lateRepeats: 0,
    status: 'active',
    idleExpiresAtMs: NOW_MS + 24 * HOUR_MS,
    absoluteExpiresAtMs: NOW_MS + 48 * HOUR_MS,
    ...more,
  };
  await sessions.create(session as SessionRecord);
}

const actorOn = (current: string, customerId = ADA, of = store) =>
  ({
    kind: 'customer',
    shopId: of.shopId,
    customerId,
    store: of,
    session: { sessionId: sessionId(current), generation: 1, confirmation: Promise.resolve() },
  }) as unknown as ActorRequest['actor'];

/** Answers `customer`, `customers` and contracts' customers, as the platform would. */
const standIn: StandIn = ({ document, variables }) => {
  const ids = [7001001, 7001002, 7001003].map((id) => `gid://shopify/Customer/${id}`);
  const one = (id: unknown) => ({ id, _svcCustomer: id, _svcSelf: id });
  if (document.includes('customers(')) return { data: { customers: { nodes: ids.map(one) } } };
  return { data: { customer: one(Object.values(variables)[0]) } };
};

async function ask(query: string, more: Partial<PlanRequest> = {}) {
  const { result, sent } = await runPlan({ as: 'customer', query, standIn, table, ...more });
  // biome-ignore lint/suspicious/noExplicitAny: answers are read as the JSON they are.
  return { data: result.data as any, errors: result.errors ?? [], sent };
}

const timelineOver = (over: Table): Timeline => {
  const now = () => NOW_MS;
  const newId = () => crypto.randomUUID();
  return createTimeline({
    table: over,
    scheduledTasks: createScheduledTaskRepository({ table: over, now }),
    logger: { error: () => undefined },
    now,
    newId,
  });
};

const listOf = (id: CustomerId = ADA) => `{ customer(id: "gid://platform/Customer/${id}") { ${FIELDS} } }`;
const revoking = (id: string) =>
  `mutation { customerSessionRevoke(sessionId: "${id}") { revokedSessionId userErrors { field message } } }`;
const REVOKE_OTHERS =
  'mutation { customerSessionsRevokeOthers { revokedCount userErrors { field message } } }';

async function only(name: string): Promise<SessionRecord> {
  const found = await sessions.find({
    shopId: store.shopId as ShopId,
    customerId: ADA,
    sessionId: sessionId(name),
  });
  if (found === undefined) throw new Error(`nobody signed in on ${name}`);
  return found;
}

async function living(customerId: CustomerId = ADA, shopId = store.shopId as ShopId): Promise<string[]> {
  const found = await sessions.listOf(shopId, customerId);
  const active = found.filter(({ status }) => status === 'active');
  return active.map((one) => one.sessionId.replace(/0+$/, '')).sort();
}

describe('a customer', () => {
  test('sees the own sign-ins that live, the newest first, and which is this one', async () => {
    await signIn('phone', { deviceLabel: 'Shop/1.0 (Pixel 9)' });
    await signIn('tablet', {
      createdAtMs: NOW_MS - HOUR_MS,
      generation: 3,
      mintedAtMs: NOW_MS - 60_000,
    });
    await signIn('lost', { status: 'revoked' });
    await signIn('old', { idleExpiresAtMs: NOW_MS - 1 });
    await signIn('ben', { customerId: BEN });
    const { data, errors, sent } = await ask(listOf(), { actor: actorOn('phone') });
    expect(errors).toEqual([]);
    expect(data.customer.sessions).toEqual([
      {
        id: gidOf('tablet'),
        deviceLabel: null,
        createdAt: '2026-11-21T11:00:00Z',
        lastUsedAt: '2026-11-21T11:59:00Z',
        isCurrent: false,
      },
      {
        id: gidOf('phone'),
        deviceLabel: 'Shop/1.0 (Pixel 9)',
        createdAt: '2026-11-21T07:00:00Z',
        lastUsedAt: null,
        isCurrent: true,
      },
    ]);
    expect(sent.length).toBe(1);
  });

  test.each([
    ['Phone\u009b31m', 'Phone 31m'],
    ['', null],
  ])('sees the label %j of before as %j', async (deviceLabel, seen) => {
    await signIn('phone', { deviceLabel });
    const { data } = await ask(listOf(), { actor: actorOn('phone') });
    expect(data.customer.sessions[0].deviceLabel).toBe(seen);
  });

  test('sees none from before the store was installed again', async () => {
    await signIn('before');
    const of = { ...store, installedAtMs: NOW_MS - HOUR_MS };
    const { data } = await ask(listOf(), { actor: actorOn('phone', ADA, of) });
    expect(data.customer.sessions).toEqual([]);
  });

  test('counts a lost answer that was asked for again as a use', async () => {
    await signIn('phone', { lateRepeatAtMs: NOW_MS - 2 * HOUR_MS });
    const { data } = await ask(listOf(), { actor: actorOn('phone') });
    expect(data.customer.sessions[0].lastUsedAt).toBe('2026-11-21T10:00:00Z');
  });

  test('ends one of the own, and again, without a request to the platform', async () => {
    await signIn('phone');
    await signIn('tablet');
    for (const _ of ['first', 'answer lost']) {
      const { data, errors } = await ask(revoking(gidOf('tablet')), {
        actor: actorOn('phone'),
        standIn: neverCalled,
      });
      expect(errors).toEqual([]);
      expect(data.customerSessionRevoke).toEqual({ revokedSessionId: gidOf('tablet'), userErrors: [] });
    }
    expect(await living()).toEqual(['phone']);
  });

  test('ends all others, and sign-ins under way make none', async () => {
    for (const name of ['phone', 'tablet', 'laptop']) await signIn(name);
    await signIn('over', { idleExpiresAtMs: NOW_MS - 1 });
    await signIn('ben', { customerId: BEN });
    const { data } = await ask(REVOKE_OTHERS, { actor: actorOn('phone'), standIn: neverCalled });
    expect(data.customerSessionsRevokeOthers).toEqual({ revokedCount: 2, userErrors: [] });
    expect(await living()).toEqual(['over', 'phone']);
    expect(await living(BEN)).toEqual(['ben']);
    const { endedAtMs } = await sessions.readAll(store.shopId as ShopId, ADA);
    expect(endedAtMs).toBe(NOW_MS);
  });
});

test('a key with which one sign-in has ended all others is another request for another sign-in', async () => {
  for (const name of ['thief', 'phone']) await signIn(name);
  const once = REVOKE_OTHERS.replace('Others {', 'Others @idempotent(key: "k") {');
  const on = (name: string) =>
    ask(once, { actor: actorOn(name), standIn: neverCalled, timeline: timelineOver });
  expect((await on('thief')).data.customerSessionsRevokeOthers.revokedCount).toBe(1);
  await signIn('new');
  const { data, errors } = await on('new');
  expect(data?.customerSessionsRevokeOthers ?? null).toBeNull();
  expect(errors).toMatchObject([{ extensions: { code: 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH' } }]);
  expect((await on('thief')).data.customerSessionsRevokeOthers.revokedCount).toBe(1);
});

describe('a customer who ends sign-ins often', () => {
  test('is told when newer ones can be ended again, and older ones are ended all the same', async () => {
    await signIn('older', { createdAtMs: NOW_MS - 6 * HOUR_MS });
    await signIn('phone');
    await signIn('newer', { createdAtMs: NOW_MS - HOUR_MS });
    const send = (query: string) => ask(query, { actor: actorOn('phone'), standIn: neverCalled });
    const message =
      'A sign-in can end newer sign-ins three times an hour. Try again in 60 minutes, ' +
      'or sign in again: a new sign-in can end all older ones immediately.';
    await sessions.countRevocation(await only('phone'), [NOW_MS, NOW_MS, NOW_MS]);
    expect((await send(REVOKE_OTHERS)).data.customerSessionsRevokeOthers).toEqual({
      revokedCount: 0,
      userErrors: [{ field: null, message }],
    });
    expect((await send(revoking(gidOf('newer')))).data.customerSessionRevoke).toEqual({
      revokedSessionId: null,
      userErrors: [{ field: null, message }],
    });
    const { data } = await send(revoking(gidOf('older')));
    expect(data.customerSessionRevoke.revokedSessionId).toBe(gidOf('older'));
    expect(await living()).toEqual(['newer', 'phone']);
  });

  test('is told to use the new token', async () => {
    await signIn('phone', { generation: 2, confirmedGeneration: 2 });
    const { data } = await ask(REVOKE_OTHERS, { actor: actorOn('phone'), standIn: neverCalled });
    expect(data.customerSessionsRevokeOthers.userErrors).toEqual([
      {
        field: null,
        message: 'A refresh has replaced this access token. Try again with the new access token.',
      },
    ]);
  });
});

describe('what is not the customer’s', () => {
  /** Ids that differ from the own in owner, store, form, or that never were. */
  const foreign = fc.oneof(
    fc.constant(gidOf('ben', BEN)),
    fc.constant(gidOf('ben')),
    fc.constant(gidOf('elsewhere')),
    fc
      .string({ unit: fc.constantFrom(...'abc.-_0179'), minLength: 1, maxLength: 60 })
      .map((tail) => `gid://platform/CustomerSession/${tail}`),
    fc
      .bigInt({ min: 0n, max: 2n ** 60n })
      .map((id) => `gid://platform/CustomerSession/${id}.${sessionId('phone')}`),
  );

  test('is ended by nobody, and every refusal is the same', async () => {
    await signIn('phone');
    await signIn('ben', { customerId: BEN });
    await signIn('elsewhere', { shopId: OTHER_STORE.shopId });
    const answers = new Set<string>();
    const property = fc.asyncProperty(
      foreign,
      fc.constantFrom('customer', 'store for a customer'),
      async (id, as) => {
        const actor = as === 'customer' ? { actor: actorOn('phone') } : {};
        const request = { as: as as PlanRequest['as'], standIn: neverCalled, ...actor };
        const { data, errors } = await ask(revoking(id), request);
        answers.add(JSON.stringify({ data, errors }));
      },
    );
    await fc.assert(property, { seed: 17, numRuns: 60 });
    expect([...answers]).toEqual([
      JSON.stringify({
        data: {
          customerSessionRevoke: {
            revokedSessionId: null,
            userErrors: [
              {
                field: ['sessionId'],
                message: 'This sign-in was not found. List the sign-ins to see their IDs.',
              },
            ],
          },
        },
        errors: [],
      }),
    ]);
    expect([await living(), await living(BEN), await living(ADA, OTHER_STORE.shopId)]).toEqual([
      ['phone'],
      ['ben'],
      ['elsewhere'],
    ]);
  });

  test('is not shown on another customer, whoever leads there', async () => {
    await signIn('ben', { customerId: BEN });
    for (const as of ['customer', 'store for a customer'] as const) {
      const { data, errors } = await ask(listOf(BEN), { as });
      expect(data.customer).toBeNull();
      expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['FORBIDDEN']);
    }
  });

  test.each([
    ['an order', 'gid://platform/Order/1'],
    ['no id', 'tablet'],
  ])('%s is no id of a sign-in', async (_what, id) => {
    const acting = await ask(revoking(id), { actor: actorOn('phone'), standIn: neverCalled });
    expect(acting.errors.map(({ extensions }) => extensions?.code)).toEqual(['FORBIDDEN']);
    await expect(ask(revoking(id), { as: 'store', standIn: neverCalled })).resolves.toMatchObject({
      errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
    });
  });
});

describe('a store’s key', () => {
  test('sees and ends those of any customer of its own store, none is its own', async () => {
    await signIn('phone');
    await signIn('ben', { customerId: BEN });
    const { data, sent } = await ask(`{ customers(first: 3) { nodes { ${FIELDS} } } }`, { as: 'store' });
    const displayed = data.customers.nodes.map(({ sessions: list }: { sessions: { id: string }[] }) => list);
    expect(displayed).toMatchObject([
      [{ id: gidOf('phone'), isCurrent: false }],
      [{ id: gidOf('ben', BEN), isCurrent: false }],
      [],
    ]);
    expect(sent.length).toBe(1);
    const ended = await ask(revoking(gidOf('ben', BEN)), { as: 'store', standIn: neverCalled });
    expect(ended.data.customerSessionRevoke.revokedSessionId).toBe(gidOf('ben', BEN));
    expect(await living(BEN)).toEqual([]);
    const [tombstone] = await sessions.listOf(store.shopId as ShopId, BEN);
    expect(tombstone).toMatchObject({ revokedReason: 'store' });
  });

  test.each(['store', 'store for a customer'] as const)('has no others to end (%s)', async (as) => {
    await signIn('phone');
    const { data } = await ask(REVOKE_OTHERS, { as, standIn: neverCalled });
    expect(data.customerSessionsRevokeOthers).toEqual({
      revokedCount: 0,
      userErrors: [
        {
          field: null,
          message:
            'Only a signed-in customer can end all other sign-ins. End each sign-in with customerSessionRevoke.',
        },
      ],
    });
    expect(await living()).toEqual(['phone']);
  });

  test('is told the form of an id', async () => {
    const { errors } = await ask(revoking('x'), { as: 'store', standIn: neverCalled });
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/must look like gid:\/\/platform\/CustomerSession\/\d+\.[\w-]{22}\.$/),
    ]);
  });

  test.each(['CustomerSession/7001001.phone00000000000000000', 'AdminKey/key_1'])(
    'node(id:) knows no %s, and the platform is not told of it',
    async (tail) => {
      await signIn('phone');
      const query = `{ node(id: "gid://platform/${tail}") { id } nodes(ids: ["gid://platform/${tail}"]) { id } }`;
      const { data, errors, sent } = await ask(query, { as: 'store', standIn: () => ({ data: {} }) });
      expect([data, errors]).toEqual([{ node: null, nodes: [null] }, []]);
      expect(JSON.stringify(sent)).not.toContain(tail);
    },
  );

  test('asks for 25 customers at most', async () => {
    const many = Array.from({ length: 26 }, (_, index) => `gid://shopify/Customer/${index + 1}`);
    const nodes = many.map((id) => ({ _svcCustomer: id }));
    const crowd: StandIn = () => ({ data: { customers: { nodes } } });
    const { errors } = await ask('{ customers(first: 30) { nodes { sessions { id } } } }', {
      as: 'store',
      standIn: crowd,
    });
    expect(new Set(errors.map(({ extensions }) => extensions?.code))).toEqual(new Set(['QUERY_TOO_COMPLEX']));
  });
});

holdsRights();
