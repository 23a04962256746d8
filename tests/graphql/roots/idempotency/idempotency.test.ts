/** A change with a key (`@idempotent`): its retries, the key's owner, invalid keys, and the stored response. */
import { describe, expect } from '@jest/globals';
import type { CustomerId } from '../../../../lib/domain/customer-id.ts';
import { test, testInOwnOrder } from '../../../contract/world/contract-test.ts';
import { isInterleaved } from '../../../contract/world/interleaved.ts';
import { gid, type Outcome } from '../../../contract/world/operation-world.ts';
import { Crash, crashEverywhere } from '../../../lib/stores/world/faults.ts';
import { holdsRights } from '../../../rights/guarded-table.ts';
import { HOUR_MS, MINUTE_MS } from '../../../world/store-world.ts';
import { runPlan } from '../../world/harness.ts';
import {
  ALL_FIELDS,
  BANGOR,
  createIdempotencyWorld,
  FIELDS,
  type Field,
  type IdempotencyWorld,
  type Request,
} from './idempotency-world.ts';

const skip: Request = { as: 'customer', field: 'skip', choice: 0, key: 'k' };
const MISMATCH = 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH';
const CONCURRENT = 'IDEMPOTENCY_CONCURRENT_REQUEST';
const UUID = '0b8f7c1e-5d0b-4a39-9a8e-2f0d4f1c2b3a';

testInOwnOrder(
  'a concurrent request that reads the contract after the change returns the first response',
  async () => {
    const world = createIdempotencyWorld('add');
    const request: Request = { as: 'customer', field: 'add', choice: 0, key: UUID };
    const { send } = world.platform;
    const change = Promise.withResolvers<void>();
    world.platform.send = async (...parameters) => {
      world.platform.send = send;
      await change.promise;
      return send(...parameters);
    };
    // It has read the key, and its first platform request waits until the other one has made the change.
    const late = world.ask(request);
    const first = await world.ask(request);
    change.resolve();
    expect(first?.payload.userErrors).toEqual([]);
    expect((await late)?.payload).toEqual(first?.payload);
    expect(world.changes()).toBe(1);
  },
);

describe('a repeat', () => {
  test.each(ALL_FIELDS)(
    'returns the first response for %s, with the present state, and changes nothing',
    async (field) => {
      const world = createIdempotencyWorld(field);
      const request: Request = { as: 'customer', field, choice: 0, key: UUID };
      const first = await world.ask(request);
      const made = world.changes();
      expect([first?.payload.userErrors, made]).toEqual([[], 1]);
      const again = await world.ask(request);
      expect(again?.payload).toEqual(first?.payload);
      expect(
        again?.sent
          .flat()
          .some((root) => /^subscription.*(Edit|Pause|Commit|Create|Date|Update)$/.test(root)),
      ).toBe(false);
      expect(world.changes()).toBe(made);
      expect(world.model.broken).toEqual([]);
    },
  );

  test('shows what others have changed since, in whatever is selected', async () => {
    const world = createIdempotencyWorld();
    await world.ask(skip);
    await world.undo('skip');
    expect((await world.ask(skip))?.payload).toMatchObject({
      billingCycle: { skipped: false },
      userErrors: [],
    });
    const { name, args } = world.rootOf(skip);
    const { timeline, table } = world.process().asFunction;
    const query = `mutation { ${name}(${args}) @idempotent(key: "k") { __typename errors: userErrors { message } cycle: billingCycle { status ...C } } }
      fragment C on SubscriptionBillingCycle { skipped }`;
    const other = await world.run({ as: 'customer', query, table, timeline, now: world.now });
    expect(other.payload).toEqual({
      __typename: 'SubscriptionBillingCycleSkipPayload',
      errors: [],
      cycle: { status: 'UNBILLED', skipped: false },
    });
  });

  test('after a change that was already so changes nothing, either', async () => {
    const world = createIdempotencyWorld();
    await world.ask({ ...skip, key: 'before' });
    await world.ask(skip);
    await world.undo('skip');
    const made = world.changes();
    expect((await world.ask(skip))?.payload).toMatchObject({
      billingCycle: { skipped: false },
      userErrors: [],
    });
    expect(world.changes()).toBe(made);
  });

  test('rejects the key with other arguments, and accepts it with the same ones in another form', async () => {
    const world = createIdempotencyWorld();
    await world.ask(skip);
    expect(await world.ask({ ...skip, choice: 1 })).toMatchObject({
      code: MISMATCH,
      payload: null,
      sent: [],
    });
    const { name } = world.rootOf(skip);
    const { timeline, table } = world.process().asFunction;
    const query = `mutation ($i: Int!, $c: ID!, $k: String!) { ${name}(billingCycleIndex: $i, skip: true, contractId: $c) @idempotent(key: $k) { userErrors { code } } }`;
    const variables = { i: world.index + 3, c: gid('SubscriptionContract', 9101001), k: 'k' };
    const same = await world.run({ as: 'customer', query, variables, table, timeline, now: world.now });
    expect(same.payload).toEqual({ userErrors: [] });
  });

  test('after 24 hours is a change of its own', async () => {
    const world = createIdempotencyWorld();
    await world.ask(skip);
    await world.undo('skip');
    world.later(24 * HOUR_MS - 1);
    expect((await world.ask(skip))?.payload.billingCycle.skipped).toBe(false);
    world.later(1);
    expect((await world.ask(skip))?.payload.billingCycle.skipped).toBe(true);
  });

  test('runs a request again that was refused before any attempt, and returns the refusal of an attempted one', async () => {
    const world = createIdempotencyWorld();
    world.contract.content.status = 'CANCELLED';
    expect((await world.ask(skip))?.payload.userErrors).toHaveLength(1);
    world.contract.content.status = 'ACTIVE';
    expect((await world.ask({ ...skip, choice: 1 }))?.payload.userErrors).toEqual([]);
    const attempt: Request = { as: 'store', field: 'attempt', choice: 0, key: 'k' };
    world.contract.content.status = 'PAUSED';
    const refused = await world.ask(attempt);
    expect(refused?.payload.userErrors).toHaveLength(1);
    world.contract.content.status = 'ACTIVE';
    expect((await world.ask(attempt))?.payload).toEqual(refused?.payload);
  });

  test('says when to retry while the first request runs or is unsettled, then returns its result', async () => {
    const world = createIdempotencyWorld();
    expect(await world.ask(skip, { platform: 'lost before' })).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    world.clearFaults();
    expect(await world.ask(skip)).toMatchObject({ code: CONCURRENT, payload: null });
    world.later(2 * MINUTE_MS);
    expect((await world.ask(skip))?.payload).toMatchObject({
      billingCycle: { skipped: true },
      userErrors: [],
    });
    expect((await world.entries()).map(({ outcome }) => outcome)).toEqual(['DONE']);
    expect(world.model.broken).toEqual([]);
  });

  test('returns when to retry in the extensions of its error', async () => {
    const world = createIdempotencyWorld();
    await world.ask({ ...skip, as: 'store' }, { platform: 'lost before' });
    world.clearFaults();
    world.later(50_000);
    const { timeline, table } = world.process().asFunction;
    const { name, args } = world.rootOf(skip);
    const { result } = await runPlan({
      as: 'store',
      store: world.store,
      query: `mutation { ${name}(${args}) @idempotent(key: "k") { userErrors { code } } }`,
      standIn: () => ({}),
      table,
      timeline,
      now: world.now,
    });
    expect(result).toMatchObject({
      data: { [name]: null },
      errors: [{ path: [name], extensions: { code: CONCURRENT, retryAfterSeconds: 70 } }],
    });
  });
});

describe('a key', () => {
  test('is of one caller: customers, a server, and a server for a customer never meet', async () => {
    const world = createIdempotencyWorld();
    const { name } = world.rootOf(skip);
    const { timeline, table } = world.process().asFunction;
    const ask = (as: Request['as'], more: object = {}) =>
      world.run({
        as,
        query: `mutation { ${name}(contractId: "${gid('SubscriptionContract', 9101001)}", billingCycleIndex: ${world.index + 3}) @idempotent(key: "k") { userErrors { code } } }`,
        table,
        timeline,
        now: world.now,
        ...more,
      });
    for (const as of ['customer', 'store', 'store for a customer'] as const) {
      expect((await ask(as)).sent).not.toEqual([]);
      await world.undo('skip');
    }
    const other = {
      kind: 'store',
      shopId: world.store.shopId,
      store: world.store,
      keyId: 'key-2',
      keyLabel: 'Other',
      scopes: ['READ', 'WRITE'],
    } as never;
    expect((await ask('store', { actor: other })).payload).toEqual({ userErrors: [] });
    expect(world.contract.cycleEdits[world.index + 3]?.skipped).toBe(true);
    // Ben learns nothing about Ada's request: neither its outcome nor the existence of her key.
    const { store } = world;
    const ben = { kind: 'customer', shopId: store.shopId, store, customerId: 7001002 as CustomerId } as never;
    expect((await ask('customer', { actor: ben })).code).toBe('FORBIDDEN');
  });

  test('is of one store, and of one field', async () => {
    const world = createIdempotencyWorld();
    const { shopId: ownShopId } = world.store;
    await world.ask(skip);
    expect((await world.ask({ ...skip, field: 'pause' }))?.payload).toMatchObject({ userErrors: [] });
    const items = (await world.table.scan({ filter: 'runId > :low', values: { ':low': '' } })).items;
    expect(items).toHaveLength(2);
    expect(new Set(items.map(({ pk }) => pk)).size).toBe(2);
    for (const { pk, shopId, expiresAt } of items) {
      expect(pk.startsWith(`REPEAT#${ownShopId}#`)).toBe(true);
      expect([shopId, Number(expiresAt)]).toEqual([ownShopId, expect.any(Number)]);
    }
  });

  test('is nowhere in the table, and costs one write of a change; without one there is none', async () => {
    const secret = 'ada@example.com asks';
    const writes = async (key: string | undefined) => {
      const world = createIdempotencyWorld();
      const calls: string[] = [];
      await world.ask(
        { ...skip, key },
        {
          table: ({ operation }) => {
            calls.push(operation);
            return undefined;
          },
        },
      );
      const { items } = await world.table.scan({ filter: 'pk > :low', values: { ':low': '' } });
      expect(JSON.stringify(items)).not.toContain('ada@example.com');
      return calls.filter((call) => call !== 'get' && call !== 'query').length;
    };
    expect((await writes(secret)) - (await writes(undefined))).toBe(1);
  });

  test.each([
    ['empty', '""', '1 to 255 characters, not 0'],
    ['too long', JSON.stringify('k'.repeat(300)), '1 to 255 characters, not 300'],
    ['a line end', '"a\\nb"', 'no control characters'],
    ['no text', '5', 'String cannot represent a non string value'],
    ['null', 'null', 'found null'],
    ['an undeclared variable', '$nothing', 'not defined'],
  ])('rejects a key that is %s before anything runs', async (_name, key, message) => {
    expect(
      await refusalOf(`mutation { pause: ${PAUSE} @idempotent(key: ${key}) { userErrors { code } } }`),
    ).toContain(message);
  });

  test.each([
    ['', '1 to 255 characters, not 0'],
    ['k'.repeat(300), '1 to 255 characters, not 300'],
    ['a\u0007', 'no control characters'],
    [null, 'null'],
    [5, 'non string value'],
  ])('in a variable that is %j is refused', async (key, message) => {
    const query = `mutation ($key: String!) { ${PAUSE} @idempotent(key: $key) { userErrors { code } } }`;
    expect(await refusalOf(query, { key })).toContain(message);
  });

  test('in a variable with a default that is null is an error of the field', async () => {
    const query = `mutation ($key: String = "k") { ${PAUSE} @idempotent(key: $key) { userErrors { code } } }`;
    expect(await refusalOf(query, { key: null })).toMatch(/null|text/);
  });

  test.each(['🧺', 'ключ', 'e\u0301', '\u00e9', '\ud800', ' '])('may be %j, and is no other', async (key) => {
    const world = createIdempotencyWorld();
    await world.ask({ ...skip, key });
    await world.undo('skip');
    expect((await world.ask({ ...skip, key }))?.payload.billingCycle.skipped).toBe(false);
    for (const other of [
      `${key} `,
      key.normalize('NFD') === key ? key.normalize('NFC') : key.normalize('NFD'),
      '\ud801',
    ]) {
      if (other !== key)
        expect((await world.ask({ ...skip, key: other }))?.payload.billingCycle.skipped).toBe(true);
      await world.undo('skip');
    }
  });

  test.each([
    [
      'twice on a field',
      `mutation { ${'PAUSE'} @idempotent(key: "a") @idempotent(key: "b") { userErrors { code } } }`,
      'can only be used once',
    ],
    [
      'two on one change',
      `mutation { ${'PAUSE'} @idempotent(key: "a") { userErrors { code } } ${'PAUSE'} { userErrors { message } } }`,
      'are one change',
    ],
    [
      'on a query',
      'query { serviceInfo @idempotent(key: "a") { storeName } }',
      'stands on a field of the mutation itself',
    ],
    [
      'below',
      `mutation { ${'PAUSE'} { userErrors @idempotent(key: "a") { code } } }`,
      'stands on a field of the mutation itself',
    ],
    [
      'on the operation',
      `mutation @idempotent(key: "a") { ${'PAUSE'} { userErrors { code } } }`,
      'may not be used on MUTATION',
    ],
    ['without a key', `mutation { ${'PAUSE'} @idempotent { userErrors { code } } }`, 'argument "key"'],
  ])('%s is refused', async (_name, query, message) => {
    expect(await refusalOf(query.replaceAll('PAUSE', PAUSE))).toContain(message);
  });

  test.each([
    ['tagsAdd(id: "gid://platform/Customer/1", tags: ["a"])', 'no timeline entry records its change'],
    [
      'subscriptionBillingCycleEditsDelete(contractId: "gid://platform/SubscriptionContract/1", targetSelection: ALL)',
      'a repeat deletes nothing more',
    ],
  ])('rejects a key on %s with the reason', async (field, message) => {
    expect(
      await refusalOf(`mutation { ${field} @idempotent(key: "a") { userErrors { message } } }`, {}, 'store'),
    ).toContain(message);
  });

  test('twice for one field of a document: the second is a repeat, or has other arguments', async () => {
    const world = createIdempotencyWorld();
    const { timeline, table } = world.process().asFunction;
    const one = (choice: number) => {
      const { name, args } = world.rootOf({ field: 'skip', choice });
      return `${name}(${args}) @idempotent(key: "k") { userErrors { code } }`;
    };
    const standIn = (operation: unknown) => world.client(operation as never);
    const { result } = await runPlan({
      as: 'store',
      store: world.store,
      query: `mutation { a: ${one(0)} b: ${one(0)} c: ${one(1)} d: ${one(0)} }`,
      standIn,
      table,
      timeline,
      now: world.now,
    });
    expect(result.data).toEqual({ a: { userErrors: [] }, b: { userErrors: [] }, c: null, d: null });
    expect(result.errors?.map(({ extensions }) => extensions?.code)).toEqual([MISMATCH, 'NOT_RUN']);
  });
});

const PAUSE = `subscriptionContractPause(subscriptionContractId: "${gid('SubscriptionContract', 9101001)}")`;

/** Returns the error's message, and checks that nothing is sent or written. */
async function refusalOf(query: string, variables = {}, as: Request['as'] = 'customer'): Promise<string> {
  const { result, sent } = await runPlan({ as, query, variables, standIn: () => ({}) });
  expect(sent).toEqual([]);
  return result.errors?.map(({ message }) => message).join(' ') ?? '';
}

describe('a process that dies at any of its steps', () => {
  const ALL = FIELDS.filter((field) => field !== 'add');

  /** Crashes before and after each write; `check` retries three minutes later. */
  async function dyingAnywhere(
    field: Field,
    check: (world: IdempotencyWorld, again: Outcome | undefined, point: string) => Promise<void>,
    isSettledBefore = false,
  ): Promise<number> {
    const request: Request = { as: 'customer', field, choice: 0, key: UUID };
    let world = createIdempotencyWorld();
    return crashEverywhere(
      async (fault) => {
        world = createIdempotencyWorld();
        await world.ask(request, { table: fault });
        if (world.hasDied()) throw new Crash();
      },
      async (point) => {
        world.later(3 * MINUTE_MS);
        if (isSettledBefore) await world.work();
        const again = await world.ask(request);
        for (let runs = 0; runs < 2; runs++) {
          await world.work();
          world.later(3 * MINUTE_MS);
        }
        expect([point, ...world.model.broken]).toEqual([point]);
        await check(world, again, point);
      },
    );
  }

  const outcomesOf = async (world: IdempotencyWorld) => (await world.entries()).map(({ outcome }) => outcome);

  const expectOnceRecorded = async (world: IdempotencyWorld, again: Outcome | undefined, point: string) => {
    const seen = [point, again?.payload?.userErrors, world.changes(), await outcomesOf(world)];
    expect(seen).toEqual([point, [], 1, ['DONE']]);
  };

  test.each(ALL)('%s is done and recorded once, whoever retries', async (field) => {
    expect(await dyingAnywhere(field, expectOnceRecorded)).toBeGreaterThan(8);
  });

  test('returns the attempt to a retry of a charge that the scheduled work has settled', async () => {
    expect(await dyingAnywhere('charge', expectOnceRecorded, true)).toBeGreaterThan(8);
  });

  test('never adds a line twice, though its late id may leave the outcome unknown', async () => {
    await dyingAnywhere('add', async (world, again, point) => {
      const seen = [point, again?.code, world.changes(), await outcomesOf(world)];
      if (again?.code === undefined) expect(seen).toEqual([point, undefined, 1, ['DONE']]);
      else expect(seen).toEqual([point, 'OUTCOME_UNKNOWN', expect.any(Number), ['UNKNOWN']]);
      expect(world.changes()).toBeLessThan(2);
    });
  });
});

test('a code that was tried and refused is refused again, and not tried', async () => {
  const world = createIdempotencyWorld();
  const { timeline, table } = world.process().asFunction;
  const contractId = gid('SubscriptionContract', 9101001);
  const query = `mutation { subscriptionContractDiscountCodeApply(contractId: "${contractId}", redeemCode: "NOPE") @idempotent(key: "k") { contract { id } userErrors { field message code details { rejectionReason limit } } } }`;
  const ask = () => world.run({ as: 'customer', query, table, timeline, now: world.now });
  const first = await ask();
  const refusal = { code: 'DISCOUNT_REJECTED', details: { rejectionReason: 'NOT_FOUND', limit: null } };
  expect(first.payload).toMatchObject({ contract: null, userErrors: [refusal] });
  expect(await ask()).toMatchObject({ payload: first.payload, sent: [] });
  // The message is not stored as text, so that a retry gets it in its reader's language.
  const { items } = await world.table.scan({ filter: 'runId > :low', values: { ':low': '' } });
  expect(items).toMatchObject([{ told: { userErrors: [{ message: { messageKey: 'codeUnknown' } }] } }]);
});

test('returns the first refusal to a retry in the retry’s own language, with the same details', async () => {
  const world = createIdempotencyWorld('delivery');
  const { timeline, table } = world.process().asFunction;
  const contractId = gid('SubscriptionContract', 9101001);
  const ask = (context: string) => {
    const query = `mutation ${context} { subscriptionContractDeliveryUpdate(contractId: "${contractId}", deliveryMethod: { shipping: ${BANGOR} }) @idempotent(key: "k") { userErrors { message code details { limit } } deliveryOptions { code } } }`;
    return world.run({ as: 'customer', query, table, timeline, now: world.now });
  };
  const first = await ask('');
  expect(first.payload).toMatchObject({
    userErrors: [{ message: expect.stringContaining('Standard ($4.90) and Express ($9.90)') }],
  });
  const again = await ask('@inContext(language: DE)');
  expect([again.payload.deliveryOptions, again.sent]).toEqual([first.payload.deliveryOptions, []]);
  expect(again.payload.userErrors).toEqual([
    { ...first.payload.userErrors[0], message: expect.stringMatching(/Standard \(4,90\s\$\) und Express/) },
  ]);
});

test.each(['customer', 'store'] as const)('a sign-in that is not there uses no key of a %s', async (as) => {
  const { table, now, process } = createIdempotencyWorld();
  const { timeline } = process().asFunction;
  const id = gid('CustomerSession', `7001001.${'n'.repeat(22)}`);
  const query = `mutation { customerSessionRevoke(sessionId: "${id}") @idempotent(key: "k") { revokedSessionId userErrors { message } } }`;
  const { result } = await runPlan({ as, query, standIn: () => ({}), table, timeline, now });
  expect(result.data).toMatchObject({ customerSessionRevoke: { revokedSessionId: null, userErrors: [{}] } });
  const { items } = await table.scan({ filter: 'runId > :low', values: { ':low': '' } });
  expect(items).toEqual([]);
});

testInOwnOrder('records two attempts of one millisecond', async () => {
  // Lazy loading delays the first round and changes the interleaving, so the second round runs without it.
  for (let round = 0; round < 2; round++) {
    const world = createIdempotencyWorld();
    const attempt = { as: 'store', field: 'attempt' } as const;
    await Promise.all([
      world.ask({ ...attempt, choice: 1, key: 'one' }),
      world.ask({ ...attempt, choice: 0, key: 'two' }, { ticks: 17 }),
    ]);
    world.later(10 * MINUTE_MS);
    await world.work();
    expect([world.changes(), (await world.entries()).length]).toEqual([2, 2]);
  }
});

if (!isInterleaved) holdsRights();
