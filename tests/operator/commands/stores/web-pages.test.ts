/** `store update` for web pages that sign customers in, and what `store check` and `store show` say about them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createOperatorWorld, type OperatorWorld } from '../../operator-world.ts';

const HARBOR = 'harbor-coffee.myshopify.com';
const PAGE = 'https://shop.example.com/account';
const OTHER = 'https://subscriptions.example/';
type Finding = { name: string; state: string; found: string; fix?: string };

let world: OperatorWorld;
let webClientId: string;
const register = async (...webRedirectUris: readonly string[]) =>
  `${(await world.control('client', { shop: HARBOR, webRedirectUris })).webClientId}`;
const update = (...options: readonly string[]) => world.run(['store', 'update', HARBOR, ...options]);
const show = () => world.json(['store', 'show', HARBOR]);

beforeAll(async () => {
  world = await createOperatorWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.control('reset', {});
  await world.install(HARBOR);
  webClientId = await register(PAGE, OTHER);
});

describe('store update', () => {
  test('refuses the first page without the client id of web pages', async () => {
    expect(await update('--add-redirect-uri', PAGE)).toMatchObject({
      ...{ exitCode: 2, err: expect.stringContaining('Add --web-client-id') },
    });
    expect((await show()).redirectUris).toBeUndefined();
  });

  test('enters pages one by one, and removes them', async () => {
    expect(await update('--add-redirect-uri', PAGE, '--web-client-id', webClientId)).toMatchObject({
      ...{ exitCode: 0, out: expect.stringContaining('Changed: webSignIn.') },
    });
    expect(await show()).toMatchObject({ redirectUris: PAGE, webClientId });
    await world.json(['store', 'update', HARBOR, '--add-redirect-uri', OTHER]);
    expect((await show()).redirectUris).toBe(`${PAGE} ${OTHER}`);
    expect(await update('--add-redirect-uri', OTHER)).toMatchObject({
      ...{ exitCode: 1, err: expect.stringContaining('already entered') },
    });
    expect(await update('--remove-redirect-uri', `${PAGE}/`)).toMatchObject({
      ...{ exitCode: 1, err: expect.stringContaining(`Entered: ${PAGE}, ${OTHER}.`) },
    });
    await world.json(['store', 'update', HARBOR, '--remove-redirect-uri', PAGE]);
    expect((await show()).redirectUris).toBe(OTHER);
    await world.json(['store', 'update', HARBOR, '--remove-redirect-uri', OTHER]);
    expect((await show()).redirectUris).toBeUndefined();
    expect((await show()).webClientId).toBe(webClientId);
  });

  test.each([
    ['a page that the platform does not know', ['--add-redirect-uri', 'https://evil.example/account']],
    ['a client that the platform does not know', ['--add-redirect-uri', PAGE, '--web-client-id', 'other']],
  ])('refuses %s, and changes nothing', async (_what, options) => {
    await update('--web-client-id', webClientId);
    const ran = await update(...options);
    expect(ran).toMatchObject({ exitCode: 1, err: expect.stringContaining('Nothing was changed.') });
    expect(await show()).toMatchObject({ webClientId });
    expect((await show()).redirectUris).toBeUndefined();
  });

  test.each([
    'http://shop.example.com/',
    'https://shop.example.com',
    'https://shop.example.com/a?b',
    'nowhere',
  ])('refuses %s as an address', async (address) => {
    const ran = await update('--add-redirect-uri', address, '--web-client-id', webClientId);
    expect(ran).toMatchObject({ exitCode: 2, err: expect.stringContaining('must be the address of a page') });
  });

  test('enters at most ten pages', async () => {
    const pages = Array.from({ length: 11 }, (_, index) => `https://shop-${index}.example.com/`);
    await register(...pages);
    for (const page of pages.slice(0, 10))
      await world.json([
        'store',
        'update',
        HARBOR,
        '--add-redirect-uri',
        page,
        '--web-client-id',
        webClientId,
      ]);
    expect(await update('--add-redirect-uri', pages[10] ?? '')).toMatchObject({
      ...{ exitCode: 1, err: expect.stringContaining('at most 10 pages') },
    });
    for (const page of pages.slice(0, 10))
      await world.json(['store', 'update', HARBOR, '--remove-redirect-uri', page]);
  });

  test('changes nothing with --dry-run', async () => {
    const ran = await update('--add-redirect-uri', PAGE, '--web-client-id', webClientId, '--dry-run');
    expect(ran).toMatchObject({ exitCode: 0, out: expect.stringContaining('Would change webSignIn') });
    expect((await show()).redirectUris).toBeUndefined();
  });

  test('forgets the pages when the store is installed again after an uninstall', async () => {
    await world.json(['store', 'update', HARBOR, '--add-redirect-uri', PAGE, '--web-client-id', webClientId]);
    await world.json(['store', 'uninstall', HARBOR, '--yes']);
    const credentials = world.file('again.json', world.credentials());
    await world.json(['store', 'install', HARBOR, '--credentials', credentials]);
    expect((await show()).redirectUris).toBeUndefined();
    expect((await show()).webClientId).toBeUndefined();
  });
});

describe('store check', () => {
  const check = async () => {
    const { out } = await world.run(['store', 'check', HARBOR, '--json']);
    const { findings } = JSON.parse(out) as { findings: Finding[] };
    return findings.filter(({ name }) => name.startsWith('Web '));
  };

  test('has no line about pages for a store without one', async () => {
    expect(await check()).toEqual([]);
  });

  test('says which page the platform accepts, and how to register one that it refuses', async () => {
    await world.json(['store', 'update', HARBOR, '--add-redirect-uri', PAGE, '--web-client-id', webClientId]);
    await world.json(['store', 'update', HARBOR, '--add-redirect-uri', OTHER]);
    expect(await check()).toEqual([
      { name: 'Web client id', state: 'ok', found: 'the platform knows it' },
      { name: 'Web page', state: 'ok', found: PAGE },
      { name: 'Web page', state: 'ok', found: OTHER },
    ]);
    await register(PAGE);
    expect((await check())[2]).toMatchObject({
      state: 'missing',
      found: expect.stringContaining(OTHER),
      fix: expect.stringContaining(
        'the callback URI https://subscriptions.example/ and the JavaScript origin',
      ),
    });
    await register('https://elsewhere.example/');
    expect((await check())[0]).toMatchObject({
      ...{
        state: 'unknown',
        fix: expect.stringContaining('the JavaScript origin https://shop.example.com.'),
      },
    });
  });
});
