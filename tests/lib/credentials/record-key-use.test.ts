/** The hour of a key's last use: written once for a key and an hour, beside the request, and never in its way. */
import { setImmediate as tick } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { StoreActor } from '../../../lib/credentials/actor.ts';
import { verifyCredential } from '../../../lib/credentials/verify-credential.ts';
import { storeItemKey } from '../../../lib/storage/stores.ts';
import { issueAdminKey } from '../../../lib/stores/admin-keys/issue-admin-key.ts';
import { revokeAdminKey } from '../../../lib/stores/admin-keys/revoke-admin-key.ts';
import type { Call } from '../stores/world/faults.ts';
import { FACTS, open, tryKey } from '../stores/world/merchant.ts';
import { createWorld, type Deps, type World } from '../stores/world/world.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** A claimed key at the beginning of an hour. */
async function keyAtFullHour(facts: object = {}) {
  const shop = await world.installed();
  const deps = world.container();
  const issued = await issueAdminKey(deps, { shopId: shop.shopId, ...FACTS, ...facts });
  const key = await open(deps, issued, shop.domain);
  world.advance(HOUR_MS - (world.now() % HOUR_MS) + MINUTE_MS);
  return { ...shop, keyId: issued.keyId, key };
}
type Key = Awaited<ReturnType<typeof keyAtFullHour>>;

function hour(): number {
  const nowMs = world.now();
  return nowMs - (nowMs % HOUR_MS);
}
const lastUse = async ({ shopId, keyId }: Key) =>
  (await world.container().stores.find(shopId))?.keyLastUses?.[keyId];

/** Uses the key, and waits for what is noted beside the request. */
async function use(deps: Deps, { key }: Pick<Key, 'key'>): Promise<void> {
  await (await deps.verify(`Bearer ${key}`)).usageWrite;
}

const isWrite = ({ at, operation }: Call) => at === 'table' && ['put', 'update'].includes(operation);

/** A container whose writes are counted. */
function counted() {
  const deps = world.container();
  const writes = { attempts: 0 };
  deps.faults.plan = (call) => {
    if (isWrite(call)) writes.attempts += 1;
    return undefined;
  };
  return { deps, writes };
}

describe('the last use', () => {
  test('is stored by the hour, and written once for any number of requests', async () => {
    const key = await keyAtFullHour();
    expect(await lastUse(key)).toBeUndefined();
    const containers = [counted(), counted(), counted()];
    await Promise.all(containers.flatMap(({ deps }) => [1, 2, 3].map(() => use(deps, key))));
    expect(await lastUse(key)).toBe(hour());
    for (let times = 0; times < 5; times++) {
      world.advance(10 * MINUTE_MS);
      for (const { deps } of containers) await use(deps, key);
    }
    expect(await lastUse(key)).toBe(hour());
    // Containers that read at the same moment may each try; one write holds.
    for (const { writes } of containers) expect(writes.attempts).toBeLessThanOrEqual(1);

    world.advance(HOUR_MS);
    await use(containers[0]?.deps as Deps, key);
    expect(await lastUse(key)).toBe(hour());
    expect(containers.reduce((sum, { writes }) => sum + writes.attempts, 0)).toBeLessThanOrEqual(4);
  });

  test('is never set back', async () => {
    const key = await keyAtFullHour();
    const late = world.container();
    const actor = await late.verify(`Bearer ${key.key}`);
    await actor.usageWrite;
    const noted = await lastUse(key);
    world.advance(-HOUR_MS);
    await use(world.container(), key);
    world.advance(HOUR_MS);
    expect(await lastUse(key)).toBe(noted);
  });

  test('is that of the key alone', async () => {
    const [one, other] = [await keyAtFullHour(), await keyAtFullHour()];
    await use(world.container(), one);
    expect([await lastUse(one), await lastUse(other)]).toEqual([hour(), undefined]);
  });

  test('records no use of a refused key, and writes nothing', async () => {
    const walled = await keyAtFullHour({ networks: ['203.0.113.0/24'] });
    const revoked = await keyAtFullHour();
    await revokeAdminKey(world.container(), revoked);
    const { deps, writes } = counted();
    expect(await tryKey(deps, revoked.key)).toMatch(/revoked/);
    expect(await tryKey(deps, walled.key)).toMatch(/may not be used from/);
    const unknown = revoked.key.replace(/.$/, (last) => (last === 'A' ? 'w' : 'A'));
    expect(await tryKey(deps, unknown)).toMatch(/UNAUTHENTICATED/);
    expect(writes.attempts).toBe(0);
    expect([await lastUse(walled), await lastUse(revoked)]).toEqual([undefined, undefined]);
  });

  test('is noted where the store is from before there was an item for it', async () => {
    const key = await keyAtFullHour();
    const { table } = world.container();
    await table.delete({ pk: `KEYS#${key.shopId}`, sk: 'KEYS' });
    const claims = { [key.keyId]: world.now() };
    await table.update({
      key: storeItemKey(key.shopId),
      update: 'SET keyClaims = :c',
      values: { ':c': claims },
    });
    await use(world.container(), key);
    expect(await lastUse(key)).toBe(hour());
    expect(await tryKey(world.container(), key.key)).toBe('ok');
  });
});

describe('a write that fails', () => {
  test('fails nothing, and is tried again a minute later, not before', async () => {
    const key = await keyAtFullHour();
    const { deps, writes } = counted();
    const { plan } = deps.faults;
    deps.faults.plan = (call) => (isWrite(call) ? 'down' : plan(call));
    for (let times = 0; times < 10; times++) await use(deps, key);
    expect(deps.faults.calls.filter(isWrite).length).toBe(1);
    expect(writes.attempts).toBe(0);
    expect(await lastUse(key)).toBeUndefined();
    deps.faults.plan = plan;
    world.advance(MINUTE_MS);
    await use(deps, key);
    expect(await lastUse(key)).toBe(hour());
  });
});

describe('the answer', () => {
  const answer = async (usageWrite: Promise<void>, hook: 'after' | 'onError') => {
    const actor = { kind: 'store', usageWrite } as unknown as StoreActor;
    const step = verifyCredential(async () => actor);
    await step[hook]?.({ event: { exchange: { actor } } } as never);
  };

  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

  test.each(['after', 'onError'] as const)(
    'leaves when the write has ended, with no time limit of its own: %s',
    async (hook) => {
      const timersBefore = timers();
      const steps: string[] = [];
      const write = Promise.withResolvers<void>();
      const answered = answer(write.promise, hook).then(() => steps.push('answered'));
      expect(timers()).toBe(timersBefore);
      for (let turn = 0; turn < 20; turn++) await tick();
      steps.push('written');
      write.resolve();
      await answered;
      expect(steps).toEqual(['written', 'answered']);
    },
  );
});
