/**
 * Checks whether the time of a rejection reveals that a key's id exists. Verifies keys with a known id and keys with an
 * unknown one alternately; if the times overlap, they cannot be distinguished. Run it with node.
 */
import { randomBytes } from 'node:crypto';
import { createAdminKeyVerifier } from '../../lib/credentials/verify-admin-key.ts';
import type { ShopId } from '../../lib/domain/shop-id.ts';
import { createAdminKey, hashAdminKey } from '../../lib/domain/tokens/admin-key.ts';
import type { StoreRecord, Stores } from '../../lib/storage/stores.ts';

const SHOP_ID = 81234567001 as ShopId;
const SAMPLES = 20_000;
const WARM_UP = 5_000;
/** Returns the probability that a known id takes longer than an unknown one: 0.5 if the times do not differ. */
const [MIN_RATIO, MAX_RATIO] = [0.45, 0.55];

const keys = Array.from({ length: 5 }, () => createAdminKey(SHOP_ID, randomBytes));
const records = keys.map((key) => ({
  id: key.keyId,
  hash: hashAdminKey(key.text),
  label: 'bench',
  intendedUse: 'bench',
  state: 'active',
  createdAt: 1,
  createdBy: 'bench',
}));
const store = {
  shopId: SHOP_ID,
  status: 'installed',
  adminKeysVersionId: '1',
  installedAtMs: 0,
  keyClaims: {},
};
const verify = createAdminKeyVerifier({
  stores: { find: async () => store as unknown as StoreRecord } as unknown as Stores,
  readVersion: async () => ({ keys: records }),
  now: Date.now,
  logger: { warn: () => undefined },
  recordUse: async () => undefined,
});

/** A key with the id of a real one, and another secret. */
function withKnownId(): string {
  const id = Buffer.from((keys[4]?.keyId ?? '').slice('key_'.length), 'hex');
  return createAdminKey(SHOP_ID, () => Buffer.concat([id, randomBytes(24)])).text;
}

async function timeOf(key: string): Promise<number> {
  const startedAt = process.hrtime.bigint();
  await verify(`Bearer ${key}`).catch(() => undefined);
  return Number(process.hrtime.bigint() - startedAt);
}

const known: number[] = [];
const unknown: number[] = [];
for (let count = 0; count < SAMPLES + WARM_UP; count++) {
  const pair = [
    { key: withKnownId(), times: known },
    { key: createAdminKey(SHOP_ID, randomBytes).text, times: unknown },
  ];
  // Each kind runs first in half of the pairs, because the first one finds cold caches.
  if (count % 2 === 0) pair.reverse();
  for (const { key, times } of pair) {
    const time = await timeOf(key);
    if (count >= WARM_UP) times.push(time);
  }
}

let longer = 0;
for (let index = 0; index < SAMPLES; index++) {
  const other = unknown[(index * 7919) % SAMPLES] ?? 0;
  longer += (known[index] ?? 0) > other ? 1 : (known[index] ?? 0) === other ? 0.5 : 0;
}
const chance = longer / SAMPLES;
const median = (times: number[]) => times.toSorted((a, b) => a - b)[SAMPLES / 2];
console.log(`known id: median ${median(known)} ns; unknown id: median ${median(unknown)} ns`);
console.log(`chance that a known id takes longer: ${chance.toFixed(3)} (0.5: cannot be told)`);
if (chance < MIN_RATIO || chance > MAX_RATIO) process.exitCode = 1;
