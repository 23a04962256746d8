/**
 * Expiring grants: one process at a time renews them, they are stored before they are used, and revoked ones are not
 * requested again.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PlatformGrant } from '../../../../lib/platform/grants/platform-grant.ts';
import type { PostForm } from '../../../../lib/platform/grants/post-form.ts';
import type { StoreRecord } from '../../../../lib/storage/stores.ts';
import { holdsRights } from '../../../rights/guarded-table.ts';
import { createWorld, type World } from '../../stores/world/world.ts';
import { openEndingGrant } from './ending-grant.ts';

const MINUTE_MS = 60_000;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

type Form = Readonly<Record<string, string>>;

const setUp = (minutes: number, postForm: PostForm, renewal?: Partial<PlatformGrant>) =>
  openEndingGrant(world, { minutes, postForm, ...(renewal && { renewal }) });

function renewing(requests: Form[]): PostForm {
  return async (url, fields) => {
    requests.push({ url, ...fields });
    const number = requests.length + 1;
    const body = { access_token: `access-${number}`, refresh_token: `refresh-${number}`, expires_in: 3600 };
    return { status: 200, body: JSON.stringify(body) };
  };
}

describe('a grant', () => {
  test('uses a valid grant without renewing it', async () => {
    const requests: Form[] = [];
    const { open, store } = await setUp(30, renewing(requests));
    expect((await open().read(store)).accessToken).toBe('access-1');
    expect(requests).toEqual([]);
  });

  test('renews and stores a grant that is about to end before using it', async () => {
    const requests: Form[] = [];
    const { open, store, reread } = await setUp(1, renewing(requests));
    expect((await open().read(store)).accessToken).toBe('access-2');
    expect(requests).toEqual([
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
    expect(requests).toHaveLength(1);
  });

  test.each(['customer-graphql', 'admin-graphql', 'scheduled-work', 'store-events', 'billing'] as const)(
    'renews a grant that is about to end by %s with its own rights',
    async (name) => {
      const { open, store } = await setUp(1, renewing([]));
      expect((await open(name).read(store)).accessToken).toBe('access-2');
    },
  );

  test('renews a grant that the platform refuses once, for concurrent callers too', async () => {
    const requests: Form[] = [];
    const { open, store } = await setUp(30, renewing(requests));
    const { versionId } = await open().read(store);
    const tokens = await Promise.all([open().renew(store, versionId), open().renew(store, versionId)]);
    expect(tokens.map(({ accessToken }) => accessToken)).toEqual(['access-2', 'access-2']);
    expect(requests).toHaveLength(1);
  });

  test.each<[string, Awaited<ReturnType<PostForm>>]>([
    ['no answer', undefined],
    ['503', { status: 503, body: '' }],
    ['HTML', { status: 200, body: '<html>' }],
  ])(
    'is still used while it lasts if its renewal meets %s; then it is tried again',
    async (_name, answer) => {
      let isDown = true;
      const requests: Form[] = [];
      const { open, store } = await setUp(1, (...form) =>
        isDown ? Promise.resolve(answer) : renewing(requests)(...form),
      );
      expect((await open().read(store)).accessToken).toBe('access-1');
      isDown = false;
      expect((await open().read(store)).accessToken).toBe('access-2');
      expect(requests[0]?.refresh_token).toBe('refresh-1');
    },
  );

  test('does not renew a refused grant that never expires', async () => {
    const { open, store } = await setUp(30, renewing([]), {});
    const { versionId } = await open().read(store);
    await expect(open().renew(store, versionId)).rejects.toMatchObject({ code: 'STORE_DISCONNECTED' });
  });
});

const credentials = { renewedBy: 'client_credentials' } as const;

describe('a grant of client credentials', () => {
  test('requests a new grant with the app’s credentials once, however many callers need it, and stores nothing else', async () => {
    const requests: Form[] = [];
    const { open, store, reread } = await setUp(1, renewing(requests), credentials);
    const { versionId } = await open().read(await reread());
    const tokens = await Promise.all([open().renew(store, versionId), open().renew(store, versionId)]);
    expect(new Set(tokens.map(({ accessToken }) => accessToken)).size).toBe(1);
    for (const { url: _url, ...fields } of requests)
      expect(fields).toEqual({
        client_id: 'client',
        client_secret: 'secret',
        grant_type: 'client_credentials',
      });
  });

  test.each([
    ['names no end', {}, 23],
    ['names an end that is none', { expires_in: 'soon' }, 23],
    ['names an end before now', { expires_in: -5 }, 23],
    ['names an end', { expires_in: 7200 }, 1],
  ])('does not request a grant again with each request when its response %s', async (_what, end, hours) => {
    let count = 0;
    const postForm: PostForm = async () => {
      count++;
      return { status: 200, body: JSON.stringify({ access_token: `access-${count + 1}`, ...end }) };
    };
    const { open, reread } = await setUp(1, postForm, credentials);
    await open().read(await reread());
    world.advance(hours * 60 * MINUTE_MS);
    expect((await open().read(await reread())).accessToken).toBe('access-2');
    expect(count).toBe(1);
  });

  test('uses a renewed grant with less access than before, and logs the loss', async () => {
    const postForm: PostForm = async () => ({
      status: 200,
      body: '{"access_token":"access-2","expires_in":86399,"scope":"write_customers,read_orders"}',
    });
    const scopes = ['read_customers', 'read_orders', 'write_products'];
    const { open, reread, store } = await setUp(1, postForm, { ...credentials, scopes });
    expect((await open().read(await reread())).accessToken).toBe('access-2');
    expect(alarmsOf(store)).toEqual([expect.objectContaining({ lost: ['write_products'] })]);
  });
});

const alarmsOf = ({ shopId }: StoreRecord) =>
  world.logs.filter(({ fields }) => fields.shopId === shopId && fields.alarm).map(({ fields }) => fields);

type Refused = [string, { status: number; body: string }, string];
const refusals: Refused[] = [
  ['401 invalid_client', { status: 401, body: '{"error":"invalid_client"}' }, 'invalid_client'],
  [
    '400 invalid_subject_token',
    { status: 400, body: '{"error":"invalid_subject_token"}' },
    'invalid_subject_token',
  ],
  ['400 in HTML', { status: 400, body: '<h1>Oauth error shpss_secret</h1>' }, 'status 400'],
  ['403 with a text for an error', { status: 403, body: '{"error":"See shpss_secret"}' }, 'status 403'],
  ['404', { status: 404, body: '' }, 'status 404'],
  ['422', { status: 422, body: '[]' }, 'status 422'],
];

describe.each([
  ['refreshed', { refreshToken: 'refresh-1' }],
  ['of client credentials', credentials],
])('a grant, %s, that the platform refuses to renew', (_form, renewal) => {
  /** Creates a platform that gives this response until the test fixes it. */
  async function refusing(minutes: number, answer: { status: number; body: string }) {
    const state = { requests: 0, answer };
    const postForm: PostForm = async () => {
      state.requests++;
      return state.answer;
    };
    const made = await setUp(minutes, postForm, renewal);
    return { ...made, state, read: async () => (await made.open().read(await made.reread())).accessToken };
  }

  test.each(refusals)(
    'with %s, refuses once the grant has ended, logs it, sends no more requests, and accepts a new grant',
    async (_what, answer, reason) => {
      const { state, read, reread, store, give } = await refusing(1, answer);
      world.advance(2 * MINUTE_MS);
      for (let times = 0; times < 3; times++) {
        await expect(read()).rejects.toMatchObject({ code: 'STORE_DISCONNECTED' });
        world.advance(10 * MINUTE_MS);
      }
      expect(state.requests).toBe(1);
      expect((await reread()).grantRefusal).toMatchObject({ reason, isFinal: true });
      expect(alarmsOf(store)).toEqual([expect.objectContaining({ alarm: 'store-disconnected', reason })]);
      expect(JSON.stringify([alarmsOf(store), await reread()])).not.toContain('shpss_');
      await give('access-new', 60);
      expect(await read()).toBe('access-new');
    },
  );

  test.each(refusals)(
    'with %s, uses the grant as long as it lasts, logs the refusal, and retries a minute later',
    async (_what, answer, reason) => {
      const { state, read, reread, store } = await refusing(1.9, answer);
      for (let times = 0; times < 3; times++) expect(await read()).toBe('access-1');
      expect(state.requests).toBe(1);
      expect(alarmsOf(store)).toEqual([expect.objectContaining({ alarm: 'store-disconnected', reason })]);
      expect((await reread()).grantRefusal).toMatchObject({ isFinal: false });
      world.advance(MINUTE_MS + 1000);
      state.answer = { status: 200, body: '{"access_token":"access-2","expires_in":3600}' };
      expect(await read()).toBe('access-2');
    },
  );

  test.each([408, 429, 500, 503])(
    'with %i, reports the platform as unavailable and tries again',
    async (status) => {
      const { state, read, reread, store } = await refusing(1, {
        status,
        body: '{"error":"invalid_client"}',
      });
      world.advance(2 * MINUTE_MS);
      await expect(read()).rejects.toMatchObject({ code: 'PLATFORM_UNAVAILABLE' });
      expect([(await reread()).grantRefusal, alarmsOf(store)]).toEqual([undefined, []]);
      state.answer = { status: 200, body: '{"access_token":"access-2","expires_in":3600}' };
      expect(await read()).toBe('access-2');
    },
  );

  test('with invalid_grant, stops renewing at once, and uses the grant to its end', async () => {
    const { state, read } = await refusing(1, { status: 400, body: '{"error":"invalid_grant"}' });
    expect([await read(), await read()]).toEqual(['access-1', 'access-1']);
    world.advance(2 * MINUTE_MS);
    await expect(read()).rejects.toMatchObject({ code: 'STORE_DISCONNECTED' });
    expect(state.requests).toBe(1);
  });

  test('returns one refusal to all concurrent callers with a single request to the platform', async () => {
    const { state, open, reread } = await refusing(1, { status: 401, body: '{"error":"invalid_client"}' });
    world.advance(2 * MINUTE_MS);
    const store = await reread();
    const reading = [1, 2, 3].map(() => open().read(store));
    const codes = (await Promise.allSettled(reading)).map(
      (one) => one.status === 'rejected' && one.reason.code,
    );
    expect(codes).toEqual(['STORE_DISCONNECTED', 'STORE_DISCONNECTED', 'STORE_DISCONNECTED']);
    expect(state.requests).toBe(1);
  });

  test('uses another grant that is installed during the renewal, and logs nothing', async () => {
    let put: (() => Promise<unknown>) | undefined;
    const postForm: PostForm = async () => {
      await put?.();
      return { status: 401, body: '{"error":"invalid_client"}' };
    };
    const { open, give, reread, store } = await setUp(1, postForm, renewal);
    put = () => give('access-new', 60);
    world.advance(2 * MINUTE_MS);
    expect((await open().read(store)).accessToken).toBe('access-new');
    expect([(await reread()).grantRefusal, alarmsOf(store)]).toEqual([undefined, []]);
  });
});

holdsRights();
