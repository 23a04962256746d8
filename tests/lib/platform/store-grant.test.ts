/** Grants that expire: renewed by one at a time, stored before they are used, ended only by `invalid_grant`. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import { createRefreshGrant, type PostForm } from '../../../lib/platform/refresh-grant.ts';
import { createStoreGrants } from '../../../lib/platform/store-grant.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import { changeVersionedSecret } from '../../../lib/storage/versioned-secret.ts';
import type { PlatformGrant } from '../../../lib/stores/change-grant.ts';
import { createWorld, type World } from '../stores/world/world.ts';

const MINUTE_MS = 60_000;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

type Asked = Readonly<Record<string, string>>;

/** A store whose grant ends in `minutes`, and a container that renews it with `postForm`. */
async function setUp(minutes: number, postForm: PostForm, refreshToken: string | null = 'refresh-1') {
  const { shopId } = await world.installed();
  const parts = world.container();
  const expiresAt = new Date(world.now() + minutes * MINUTE_MS).toISOString();
  await changeVersionedSecret<PlatformGrant>(parts, {
    shopId,
    secret: 'platform',
    change: () => ({
      accessToken: 'access-1',
      scopes: [],
      expiresAt,
      clientId: 'client',
      clientSecret: 'secret',
      ...(refreshToken !== null && { refreshToken }),
    }),
  });
  const open = () => {
    const deps = world.container();
    const refreshGrant = createRefreshGrant({ ...deps, postForm, platformOrigin: 'https://{shop}' });
    return createStoreGrants({ ...deps, refreshGrant });
  };
  const storeOf = async (id: ShopId) => (await parts.stores.find(id)) as StoreRecord;
  return { open, store: await storeOf(shopId), reread: () => storeOf(shopId) };
}

function renewing(asked: Asked[]): PostForm {
  return async (url, fields) => {
    asked.push({ url, ...fields });
    const number = asked.length + 1;
    const body = { access_token: `access-${number}`, refresh_token: `refresh-${number}`, expires_in: 3600 };
    return { status: 200, body: JSON.stringify(body) };
  };
}

describe('a grant', () => {
  test('that is good is used as it is', async () => {
    const asked: Asked[] = [];
    const { open, store } = await setUp(30, renewing(asked));
    expect((await open().read(store)).accessToken).toBe('access-1');
    expect(asked).toEqual([]);
  });

  test('that is about to end is renewed and stored before it is used', async () => {
    const asked: Asked[] = [];
    const { open, store, reread } = await setUp(1, renewing(asked));
    expect((await open().read(store)).accessToken).toBe('access-2');
    expect(asked).toEqual([
      {
        url: `https://${store.domain}/admin/oauth/access_token`,
        client_id: 'client',
        client_secret: 'secret',
        grant_type: 'refresh_token',
        refresh_token: 'refresh-1',
      },
    ]);
    // Another container sees the new one, and needs no renewal.
    expect((await open().read(await reread())).accessToken).toBe('access-2');
    expect(asked).toHaveLength(1);
  });

  test('that the platform refuses is renewed once, whoever else has done so already', async () => {
    const asked: Asked[] = [];
    const { open, store } = await setUp(30, renewing(asked));
    const { versionId } = await open().read(store);
    const tokens = await Promise.all([open().renew(store, versionId), open().renew(store, versionId)]);
    expect(tokens.map(({ accessToken }) => accessToken)).toEqual(['access-2', 'access-2']);
    expect(asked).toHaveLength(1);
  });

  test('ends with invalid_grant alone', async () => {
    const refused: PostForm = async () => ({ status: 400, body: '{"error":"invalid_grant"}' });
    const { open, store } = await setUp(1, refused);
    await expect(open().read(store)).rejects.toMatchObject({ code: 'STORE_DISCONNECTED' });
  });

  test.each<[string, Awaited<ReturnType<PostForm>>]>([
    ['no answer', undefined],
    ['503', { status: 503, body: '' }],
    ['HTML', { status: 200, body: '<html>' }],
  ])(
    'is still used while it lasts if its renewal meets %s; then it is tried again',
    async (_name, answer) => {
      let isDown = true;
      const asked: Asked[] = [];
      const { open, store } = await setUp(1, (...form) =>
        isDown ? Promise.resolve(answer) : renewing(asked)(...form),
      );
      expect((await open().read(store)).accessToken).toBe('access-1');
      isDown = false;
      expect((await open().read(store)).accessToken).toBe('access-2');
      expect(asked[0]?.refresh_token).toBe('refresh-1');
    },
  );

  test('that does not expire and is refused cannot be renewed', async () => {
    const { open, store } = await setUp(30, renewing([]), null);
    const { versionId } = await open().read(store);
    await expect(open().renew(store, versionId)).rejects.toMatchObject({ code: 'STORE_DISCONNECTED' });
  });
});
