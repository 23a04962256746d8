/**
 * A store's item as it was written before it was parted, and the requests with which that code changed it. Frozen: while
 * a deploy is under way, and until `store resync` has run, this is what the service meets.
 */
import { randomBytes } from 'node:crypto';
import type { ShopDomain } from '../../../../lib/domain/shop-domain.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { createAdminKey, hashAdminKey } from '../../../../lib/domain/tokens/admin-key.ts';
import type { GrantRefusal } from '../../../../lib/storage/stores.ts';
import type { Item, Table } from '../../../../lib/storage/table.ts';
import type { World } from '../world/world.ts';

const ITEM = {
  sk: 'STORE',
  displayName: 'Harbor Coffee',
  storefrontUrl: 'https://harbor.example',
  timeZone: 'America/New_York',
  clientId: 'client-1',
  signIn: {
    issuer: 'https://accounts.example/authentication/1',
    authorizationEndpoint: 'https://accounts.example/authorize',
    tokenEndpoint: 'https://accounts.example/token',
    jwksUri: 'https://accounts.example/jwks',
    endSessionEndpoint: 'https://accounts.example/logout',
    customerApiUrl: 'https://accounts.example/graphql',
  },
  status: 'installed',
  portalPageId: null,
  storefrontAccessToken: 'storefront-1',
};

let shops = 0;

export type StoreBefore = Awaited<ReturnType<typeof putStoreBefore>>;

/** Creates a store with a grant that expires `minutes` from now, an active key, and a key with an unopened link. */
export async function putStoreBefore(world: World, { minutes = 30 } = {}) {
  const shopId = (82000000000 + ++shops) as ShopId;
  const domain = `before-${shops}.myshopify.com` as ShopDomain;
  const { secrets, secretsPrefix, stores, table } = world.container();
  const [claimed, unclaimed] = [createAdminKey(shopId, randomBytes), createAdminKey(shopId, randomBytes)];
  const nowMs = world.now();
  const put = async (secret: string, content: object) => {
    const name = `${secretsPrefix}/stores/${shopId}/${secret}`;
    const versionId = await secrets.addPending(name, content);
    await secrets.moveCurrent(name, { from: await secrets.currentVersionId(name), to: versionId });
    return versionId;
  };
  const platformVersionId = await put('platform', grantOf('access-1', nowMs + minutes * 60_000));
  const facts = {
    label: 'Back office',
    intendedUse: 'sync',
    state: 'active',
    createdAt: nowMs,
    createdBy: 'ops',
  };
  const adminKeysVersionId = await put('admin-keys', {
    keys: [claimed, unclaimed].map(({ keyId, text }) => ({ id: keyId, hash: hashAdminKey(text), ...facts })),
  });
  const item: Item = {
    ...ITEM,
    ...{ pk: `STORE#${shopId}`, shopId, domain, installedAtMs: nowMs - 1000 },
    ...{ platformVersionId, adminKeysVersionId, keyClaims: { [claimed.keyId]: nowMs } },
  };
  await stores.mapDomainToStore(domain, shopId);
  await table.put(item);
  return { shopId, domain, item, key: claimed.text, unclaimed, platformVersionId };
}

export function grantOf(accessToken: string, endsAtMs: number) {
  const client = { clientId: 'client', clientSecret: 'secret', refreshToken: `refresh of ${accessToken}` };
  return { accessToken, scopes: [], expiresAt: new Date(endsAtMs).toISOString(), ...client };
}

/** The reads and writes of the previous version, which knows only the store item. */
export function codeBefore(table: Table, { shopId }: Pick<StoreBefore, 'shopId'>) {
  const key = { pk: `STORE#${shopId}`, sk: 'STORE' };
  const outcome = async (change: Omit<Parameters<Table['update']>[0], 'key'>) =>
    (await table.update({ key, ...change })).outcome;
  return {
    read: async () =>
      (await table.get(key)) as Item & { readonly keyClaims: Readonly<Record<string, number>> },
    lease: (versionId: string, nowMs: number) =>
      outcome({
        update: 'SET grantLeaseUntilMs = :until',
        condition:
          'platformVersionId = :version AND (attribute_not_exists(grantLeaseUntilMs) OR grantLeaseUntilMs < :now)',
        values: { ':until': nowMs + 10_000, ':now': nowMs, ':version': versionId },
      }),
    decide: (before: string, after: string) =>
      outcome({
        update: 'SET #version = :after',
        condition: '#version = :before',
        names: { '#version': 'platformVersionId' },
        values: { ':after': after, ':before': before },
      }),
    refuse: (refusal: GrantRefusal) =>
      outcome({
        update: 'SET grantRefusal = :refusal',
        condition: 'platformVersionId = :version',
        values: { ':refusal': refusal, ':version': refusal.versionId },
      }),
    claim: (keyId: string, atMs: number) =>
      outcome({
        update: 'SET keyClaims.#key = if_not_exists(keyClaims.#key, :claimedAt)',
        condition: 'attribute_exists(pk)',
        names: { '#key': keyId },
        values: { ':claimedAt': atMs },
      }),
  };
}
