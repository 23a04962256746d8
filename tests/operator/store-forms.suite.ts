/**
 * A store's lifecycle for each form of its app, with real dependencies against the emulated platform: installed,
 * renewed by the scheduled work and on demand, reported and disconnected when the app's secret changes, and reconnected
 * by the reported fix.
 */
import { describe, expect, test } from '@jest/globals';
import { agreeAsMerchant, consentAddress } from './agree-as-merchant.ts';
import { type GrantContainer, withinContainer } from './grant-container.ts';
import type { OperatorWorld } from './operator-world.ts';

const HARBOR = 'harbor-coffee.myshopify.com';
const HOUR = 3600;

type App = { client_id: string; client_secret: string; customer_client_id: string };
type Form = 'own-store' | 'custom' | 'public';

/** On a world whose platform is reset before each test. */
export function storeFormsSuite(worldOf: () => OperatorWorld): void {
  const setApp = async (change: object) =>
    (await worldOf().control('app', { shop: HARBOR, ...change })) as App;
  const advance = (seconds: number) => worldOf().control('clock', { advance: seconds });

  const credentials = ({ client_id, client_secret, customer_client_id }: App, secret = client_secret) =>
    worldOf().file('app.json', {
      app: { clientId: client_id, clientSecret: secret },
      clientId: customer_client_id,
    });

  const command = (command: 'install' | 'update', file: string, form: Form, ...more: string[]) =>
    worldOf().run(
      [
        ...['store', command, HARBOR, '--credentials', file, ...more],
        ...(form === 'own-store' ? ['--client-credentials'] : ['--oauth']),
      ],
      { pastes: agreeAsMerchant },
    );

  async function check() {
    const { out } = await worldOf().run(['store', 'check', HARBOR, '--json']);
    const { findings } = JSON.parse(out) as {
      findings: { name: string; state: string; found: string; fix?: string }[];
    };
    const bad = findings.filter(({ state }) => state === 'missing' || state === 'unknown');
    return { bad, findings, renewal: findings.find(({ name }) => name === 'Grant renewal') };
  }

  /** Returns the number of token requests that the platform has received. */
  async function countRequests(): Promise<number> {
    const answer = await fetch(`${worldOf().platform.url}/_control/requests`);
    const requests = (await answer.json()) as { path: string }[];
    return requests.filter(({ path }) => path.endsWith('/access_token')).length;
  }

  const within = <T>(work: (it: GrantContainer) => Promise<T>) => withinContainer(worldOf(), work);
  const token = () => within((it) => it.token());

  describe.each<[Form, number]>([
    ['own-store', 24 * HOUR],
    ['custom', HOUR],
    ['public', HOUR],
  ])('a store whose app is of the form %s', (form, fixture) => {
    test('lives: installed, renewed ahead and on need, dead after a change of the secret, mended', async () => {
      const app = await setApp({ form });
      const installed = await command('install', credentials(app), form);
      expect(installed).toMatchObject({ exitCode: 0, out: expect.stringContaining(`Installed ${HARBOR}`) });
      for (const text of [installed.out, installed.err]) expect(text).not.toMatch(/shp[a-z]{2}_/);
      expect((await check()).bad).toEqual([]);
      const first = await token();

      await advance(fixture - 15 * 60);
      expect(await within((it) => it.schedule())).toBe(1);
      const second = await token();
      expect(second).not.toBe(first);
      await advance(fixture + 60);
      expect(await token()).not.toBe(second);

      const { client_secret } = await setApp({ newSecret: true });
      // The platform has had no request since, as the list states.
      const list = await worldOf().run(['store', 'list']);
      expect(list.out).toMatch(/the platform's last response\. Run store check for the current state\.$/);
      // A trial would consume the refresh token; an app with client credentials has no token to consume.
      if (form === 'own-store')
        expect((await check()).bad).toMatchObject([
          { name: 'Grant renewal', found: expect.stringMatching(/invalid_client.*is valid until/) },
        ]);
      await advance(fixture - 10 * 60);
      const good = await token();
      await within(async (it) => {
        expect(await it.schedule()).toBe(0);
        expect(it.alarms()).toMatchObject([{ alarm: 'store-disconnected', reason: 'invalid_client' }]);
        expect(await it.token()).toBe(good);
      });
      const { renewal } = await check();
      expect(renewal).toMatchObject({
        state: 'missing',
        found: expect.stringMatching(/invalid_client.*is valid until/),
      });

      await advance(15 * 60);
      const before = await countRequests();
      for (let times = 0; times < 3; times++)
        await expect(token()).rejects.toMatchObject({ code: 'STORE_DISCONNECTED' });
      expect(await within((it) => it.schedule())).toBe(0);
      expect((await countRequests()) - before).toBe(1);
      expect(await worldOf().json(['store', 'show', HARBOR])).toMatchObject({
        grantRefused: 'invalid_client',
      });
      expect((await worldOf().run(['store', 'list'])).out).toMatch(/invalid_client/);
      const dead = await check();
      expect(dead.bad.map(({ name }) => name)).toEqual(['Grant', 'Grant renewal']);
      expect(dead.renewal).toMatchObject({
        found: expect.stringContaining('the service does not retry'),
        fix: expect.stringContaining(
          `secret was changed. Put the new one into FILE, and run store update ${HARBOR} ${form === 'own-store' ? '--client-credentials' : '--oauth'}`,
        ),
      });

      const old = await command('update', credentials(app), form);
      expect(old).toMatchObject({ exitCode: 1, err: expect.stringContaining('secret') });
      const fixed = await command('update', credentials(app, client_secret), form);
      expect(fixed).toMatchObject({ exitCode: 0, out: expect.stringContaining('Changed: ') });
      expect((await check()).bad).toEqual([]);
      expect(await worldOf().json(['store', 'show', HARBOR])).not.toHaveProperty('grantRefused');
      expect(await token()).not.toBe(good);
    });
  });

  /** Runs the command of a fix exactly as displayed. */
  async function follow(fix: string | undefined, file: string) {
    const line = /store update .* --credentials FILE/.exec(fix ?? '')?.[0] ?? `no command in ${fix}`;
    return worldOf().run(line.replace('FILE', file).split(' '), { pastes: agreeAsMerchant });
  }

  test.each<Form>(['own-store', 'custom', 'public'])(
    'scopes that a store with an app of the form %s lacks: what is told can be followed as it stands',
    async (form) => {
      const app = await setApp({ form });
      expect(await command('install', credentials(app), form)).toMatchObject({ exitCode: 0 });
      const withheld = ['write_customers', 'write_products'];
      await worldOf().control('scopes', { shop: HARBOR, withheld });
      const { findings } = await check();
      for (const handle of withheld) {
        const { fix } = findings.find(({ name }) => name === `Scope ${handle}`) ?? {};
        expect(fix).toContain(`Add ${handle} to a version of the app and release it`);
        expect(await follow(fix, credentials(app))).toMatchObject({ exitCode: 0 });
        if (form === 'own-store') continue;
        // A new grant contains only the requested scopes, so `--also` lists the granted ones as well.
        const also = /--also (\S+)/.exec(fix ?? '')?.[1]?.split(',') ?? [];
        expect(also).toContain('read_locations');
        expect(also.includes('write_products')).toBe(handle === 'write_products');
      }
    },
  );

  test('an app of one’s own that was removed: one remedy, which begins with the app and tells what is at stake', async () => {
    const app = await setApp({ form: 'own-store' });
    expect(await command('install', credentials(app), 'own-store')).toMatchObject({ exitCode: 0 });
    await setApp({ isInstalled: false });
    const { bad, renewal } = await check();
    expect(bad.filter(({ fix }) => fix !== undefined)).toEqual([renewal]);
    expect(renewal?.fix).toMatch(/48 hours.*Install app.*Then run store update/);
    expect(await follow(renewal?.fix, credentials(app))).toMatchObject({ exitCode: 1 });
    await setApp({ isInstalled: true });
    expect(await follow(renewal?.fix, credentials(app))).toMatchObject({ exitCode: 0 });
    expect((await check()).bad).toEqual([]);
    // The store has gone to another organization.
    await setApp({ form: 'custom' });
    const moved = await check();
    expect(moved.renewal).toMatchObject({
      found: expect.stringContaining('shop_not_permitted'),
      fix: expect.stringContaining('--oauth'),
    });
  });

  test('a platform on which each token of the day voids the one before: what is refused asks for its own', async () => {
    await worldOf().control('settings', { shop: HARBOR, dayTokens: 'void' });
    const app = await setApp({ form: 'own-store' });
    expect(await command('install', credentials(app), 'own-store')).toMatchObject({ exitCode: 0 });
    // Each check requests a token that it does not store.
    for (let times = 0; times < 2; times++) expect((await check()).bad).toEqual([]);
  });

  test('custom distribution without end: it lasts; the merchant removes the app and lets it in again', async () => {
    const app = await setApp({ form: 'custom' });
    expect(await command('install', credentials(app), 'custom', '--no-expiring')).toMatchObject({
      exitCode: 0,
    });
    await advance(400 * 24 * HOUR);
    expect((await check()).bad).toEqual([]);
    await setApp({ isInstalled: false });
    const [grant, ...others] = (await check()).bad;
    expect(others).toEqual([]);
    expect(grant).toMatchObject({ name: 'Grant', fix: expect.stringMatching(/48 hours.*--oauth/) });
    expect(await command('update', credentials(app), 'custom')).toMatchObject({ exitCode: 0 });
    expect((await check()).bad).toEqual([]);
  });

  describe('store install --oauth', () => {
    const install = (app: App, pastes: (displayed: string) => Promise<string>) =>
      worldOf().run(['store', 'update', HARBOR, '--credentials', credentials(app), '--oauth'], { pastes });

    test('an address of another run, of another store, or spent, is refused; the store goes on as it was', async () => {
      const app = await setApp({});
      let spent = '';
      expect(
        await install(app, async (displayed) => (spent = await agreeAsMerchant(displayed))),
      ).toMatchObject({
        exitCode: 0,
      });
      const other = spent.replace(HARBOR, 'juniper-tea.myshopify.com');
      for (const [pasted, message] of [
        [spent, 'another question'],
        [other, 'did not sign'],
        ['', 'begins with'],
      ] as const) {
        const ran = await install(app, async () => pasted);
        expect(ran).toMatchObject({ exitCode: 1, out: '', err: expect.stringContaining(message) });
      }
      expect((await check()).bad).toEqual([]);
    });

    test('asks for the required scopes of the table, and for those of --also', async () => {
      const app = await setApp({});
      let scopes: string[] = [];
      await worldOf().run(
        ['store', 'update', HARBOR, '--credentials', credentials(app), '--oauth', '--also', 'read_locations'],
        {
          pastes: async (displayed) => {
            scopes = (consentAddress(displayed).searchParams.get('scope') ?? '').split(',');
            return '';
          },
        },
      );
      expect(scopes).toEqual(expect.arrayContaining(['read_own_subscription_contracts', 'read_locations']));
      expect(scopes).not.toContain('read_all_orders');
      expect(scopes.join()).not.toMatch(/level/);
    });
  });

  test.each<[string, object, readonly string[], string]>([
    ['no form', { app: { clientId: 'a', clientSecret: 'b' } }, [], 'public app'],
    [
      'two forms',
      { app: { clientId: 'a', clientSecret: 'b' } },
      ['--oauth', '--client-credentials'],
      'not both',
    ],
    ['a form without an app', { grant: { accessToken: 'shpat_secret' } }, ['--oauth'], '"app"'],
    ['an app without its secret', { app: { clientId: 'a' } }, ['--oauth'], 'app.clientSecret is missing'],
    [
      'an address that is none',
      { app: { clientId: 'a', clientSecret: 'b' } },
      ['--oauth', '--redirect-uri', 'http://a.example/'],
      'https',
    ],
    [
      'a scope of nobody’s',
      { app: { clientId: 'a', clientSecret: 'b' } },
      ['--oauth', '--also', 'read_all'],
      '--also must be',
    ],
    [
      'a token that ends, and nothing to renew it',
      { grant: { accessToken: 'shpat_secret', expiresAt: '2030-01-01T00:00:00Z' } },
      [],
      'there is nothing to renew it with',
    ],
  ])('%s is refused before the platform is asked', async (_what, content, more, message) => {
    for (const command of ['install', 'update']) {
      const file = worldOf().file('wrong.json', content);
      const ran = await worldOf().run(['store', command, HARBOR, '--credentials', file, ...more]);
      expect(ran).toMatchObject({ out: '', err: expect.stringContaining(message) });
      expect(ran.exitCode).not.toBe(0);
      expect(ran.err).not.toContain('shpat_secret');
    }
  });

  test('a dry run with --oauth asks nobody; with client credentials it tries them and writes nothing', async () => {
    const app = await setApp({ form: 'own-store' });
    const before = await worldOf().json(['store', 'show', HARBOR]);
    const dry = await command('update', credentials(app), 'public', '--dry-run');
    expect(dry).toMatchObject({ exitCode: 0, out: expect.stringContaining('Would ask the merchant') });
    expect(await command('update', credentials(app), 'own-store', '--dry-run')).toMatchObject({
      exitCode: 0,
    });
    const wrong = await command('update', credentials(app, 'shpss_wrong'), 'own-store', '--dry-run');
    expect(wrong).toMatchObject({ exitCode: 1, err: expect.stringContaining('client secret') });
    expect(wrong.err).not.toContain('shpss_wrong');
    expect(await worldOf().json(['store', 'show', HARBOR])).toEqual(before);
  });
}
