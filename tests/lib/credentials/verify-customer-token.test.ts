import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { verifyCustomerToken } from '../../../lib/credentials/verify-customer-token.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import { computeTokenPair } from '../../../lib/sign-in/sessions/token-pair.ts';
import type { SessionRecord } from '../../../lib/storage/sessions/session-record.ts';
import { ADA, refreshWith, revokeWith, signedIn, use } from '../sign-in/world/journey.ts';
import { createWorld, SHOP, SHOP_ID, type World } from '../sign-in/world/world.ts';

let world: World;
let calls: string[];
beforeEach(async () => {
  world = await createWorld();
  calls = [];
});
afterEach(() => world.close());

const OTHER_SHOP_ID = (SHOP_ID + 1) as ShopId;
const onlySession = async () => (await world.deps.sessions.listOf(SHOP_ID, ADA))[0];

function watchTable() {
  world.faults.plan = ({ operation }) => {
    calls.push(operation);
    return undefined;
  };
}

const verify = (header: string | undefined) => verifyCustomerToken(world.deps, header);
const refused = (details: string) => ({
  code: 'UNAUTHENTICATED',
  status: 401,
  publicMessage: 'Authentication required',
  details: expect.stringContaining(details),
});

describe('a customer token is refused', () => {
  test.each([
    ['nothing', undefined, 'missing'],
    ['another scheme', 'Basic abc', 'Bearer'],
    ['junk', 'Bearer junk', 'malformed'],
    ['junk with our prefix', 'Bearer SVC_CT_AAAA', 'malformed'],
    ['an admin key', `Bearer SVC_AT_${'0'.repeat(56)}`, 'malformed'],
  ])('refuses %s without any I/O', async (_what, header, details) => {
    watchTable();
    await expect(verify(header)).rejects.toMatchObject(refused(details));
    expect(calls).toEqual([]);
    expect(world.ring.reads).toBe(0);
  });

  test('refuses a refresh token, a forged and an expired one without reading the table', async () => {
    const { accessToken, refreshToken } = await signedIn(world);
    watchTable();
    await expect(verify(`Bearer ${refreshToken}`)).rejects.toMatchObject(refused('malformed'));
    const middle = accessToken.length - 10;
    const other = accessToken[middle] === 'A' ? 'B' : 'A';
    const forged = accessToken.slice(0, middle) + other + accessToken.slice(middle + 1);
    await expect(verify(`Bearer ${forged}`)).rejects.toMatchObject(refused('malformed'));
    world.advance(3600);
    await expect(verify(`Bearer ${accessToken}`)).rejects.toMatchObject(refused('expired'));
    expect(calls).toEqual([]);
  });

  test('returns the same error for a revoked session, an absent one, one of another store, and an uninstalled store', async () => {
    const pair = await signedIn(world);
    const messages: string[] = [];
    const note = ({ accessToken }: { readonly accessToken: string } = pair) =>
      verify(`Bearer ${accessToken}`).catch(({ details }) => messages.push(details));
    await world.putStore({ shopId: OTHER_SHOP_ID });
    const otherStore = await computeTokenPair(world.deps, {
      ...((await onlySession()) as SessionRecord),
      shopId: OTHER_SHOP_ID,
    });
    await note(otherStore);
    await world.putStore({ status: 'uninstalled' });
    await note();
    await world.putStore();
    await revokeWith(world.deps, pair);
    await note();
    const session = await onlySession();
    await world.table.delete({ pk: `SESSIONS#${SHOP_ID}#${ADA}`, sk: `SESSION#${session?.sessionId}` });
    await note();
    expect(messages).toHaveLength(4);
    expect([...new Set(messages)]).toEqual([expect.stringContaining('no longer valid')]);
  });

  test('the table is down: 503, not 401', async () => {
    const { accessToken } = await signedIn(world);
    world.faults.plan = () => 'before';
    await expect(verify(`Bearer ${accessToken}`)).rejects.toMatchObject({ status: 503 });
  });

  test.each([
    ['is another', { seed: 'a random string of another stack' }, 'malformed'],
    [
      'is gone',
      { keys: [{ kid: '1', secret: 'A'.repeat(43), use: 'sign', since: '2026-01-01T00:00:00Z' }] },
      'no longer valid',
    ],
  ])('a token that was good, once its key %s', async (_what, json, details) => {
    const { accessToken } = await signedIn(world);
    await verify(`Bearer ${accessToken}`);
    world.ring.json = json;
    world.advance(360);
    await expect(verify(`Bearer ${accessToken}`)).rejects.toMatchObject(refused(details));
  });

  test('refuses a token whose salt is not the session’s, though its MAC is good', async () => {
    const { accessToken } = await signedIn(world);
    const session = await onlySession();
    await world.table.update({
      key: { pk: `SESSIONS#${SHOP_ID}#${ADA}`, sk: `SESSION#${session?.sessionId}` },
      update: 'SET salt = :salt',
      values: { ':salt': 'AAAAAAAAAAA' },
    });
    await expect(verify(`Bearer ${accessToken}`)).rejects.toMatchObject(refused('no longer valid'));
  });
});

describe('a customer token', () => {
  test('names customer, session and store, with one read', async () => {
    const { accessToken } = await signedIn(world);
    watchTable();
    const actor = await verify(`Bearer ${accessToken}`);
    expect(actor).toMatchObject({
      kind: 'customer',
      shopId: SHOP_ID,
      customerId: ADA,
      session: { generation: 1 },
      store: { domain: SHOP },
    });
    await actor.session.confirmation;
    expect(calls).toEqual(['batchGet', 'update']);
  });

  test('writes the confirmation of a generation once, and of an older one afterwards not at all', async () => {
    const first = await signedIn(world);
    await use(world.deps, first);
    const second = await refreshWith(world.deps, first);
    await use(world.deps, second);
    watchTable();
    await use(world.deps, second);
    await use(world.deps, first);
    expect(calls).toEqual(['batchGet', 'batchGet']);
    expect(await onlySession()).toMatchObject({ confirmedGeneration: 2 });
  });

  test('a confirmation that fails is ignored, and made up for by the next call', async () => {
    const pair = await signedIn(world);
    world.faults.plan = ({ operation }) => (operation === 'update' ? 'before' : undefined);
    await use(world.deps, pair);
    expect(await onlySession()).toMatchObject({ confirmedGeneration: 0 });
    world.faults.plan = () => undefined;
    await use(world.deps, pair);
    expect(await onlySession()).toMatchObject({ confirmedGeneration: 1 });
  });

  test('keeps the time of first use', async () => {
    const pair = await signedIn(world);
    await use(world.deps, pair);
    const usedAt = (await onlySession())?.firstUsedAtMs;
    world.advance(100);
    await use(world.deps, await refreshWith(world.deps, pair));
    expect((await onlySession())?.firstUsedAtMs).toBe(usedAt);
  });
});

describe('the contracts that a session remembers', () => {
  const remembering = async (accessToken: string) =>
    (await verify(`Bearer ${accessToken}`)).session.rememberedContracts;

  test('are read with the session, and stay over a refresh', async () => {
    const pair = await signedIn(world);
    const contracts = await remembering(pair.accessToken);
    expect(contracts?.numbers).toEqual([]);
    await contracts?.replace(['9101001', '9101002']);
    const next = await refreshWith(world.deps, pair);
    watchTable();
    expect((await remembering(next.accessToken))?.numbers).toEqual(['9101001', '9101002']);
    expect(calls).toEqual(['batchGet', 'update']);
  });

  test('are written beside a refresh that started before, without stopping it', async () => {
    const pair = await signedIn(world);
    const contracts = await remembering(pair.accessToken);
    const from = await onlySession();
    if (from === undefined) throw new Error('There is no session.');
    await contracts?.replace(['9101001']);
    const { outcome } = await world.deps.sessions.rotate(from, {
      ...{ generation: from.generation + 1, kid: from.kid, mintedAtMs: from.mintedAtMs, replaced: [] },
      ...{ lateRepeats: 0, idleExpiresAtMs: from.idleExpiresAtMs, expiresAt: from.expiresAt },
    });
    expect(outcome).toBe('done');
    expect(await onlySession()).toMatchObject({ generation: 2, contractIds: ['9101001'] });
  });

  test('are removed with the revocation, and are not written to a session that has ended or was erased', async () => {
    const pair = await signedIn(world);
    const contracts = await remembering(pair.accessToken);
    await contracts?.replace(['9101001']);
    await revokeWith(world.deps, pair);
    expect((await onlySession())?.contractIds).toBeUndefined();
    await contracts?.replace(['9101001']);
    const session = await onlySession();
    expect(session?.contractIds).toBeUndefined();
    if (session !== undefined) await world.deps.sessions.remove(session);
    await contracts?.replace(['9101001']);
    expect(await onlySession()).toBeUndefined();
  });

  test('are not needed: a write that fails is ignored', async () => {
    const contracts = await remembering((await signedIn(world)).accessToken);
    world.faults.plan = ({ operation }) => (operation === 'update' ? 'before' : undefined);
    await expect(contracts?.replace(['9101001'])).resolves.toBeUndefined();
  });
});
