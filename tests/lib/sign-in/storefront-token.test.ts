import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import type { AdminAnswer } from '../../../lib/platform/admin-api/admin-answer.ts';
import { type StorefrontTokenDeps, storefrontToken } from '../../../lib/sign-in/storefront-token.ts';
import { createStorefrontTokens } from '../../../lib/storage/storefront-tokens.ts';
import { outcome } from './world/journey.ts';
import { createWorld, SHOP, SHOP_ID, type World } from './world/world.ts';

let world: World;
/** The platform's list of tokens of a store. */
let tokens: { title: string; accessToken: string }[];
let requests: string[];
let failure: ServiceError | undefined;
/** What the platform answers in place of a token or the list. */
const refused: { list?: object | undefined; create?: object | undefined } = {};
const CREATE = 'storefrontAccessTokenCreate';
let deps: StorefrontTokenDeps;

beforeEach(async () => {
  world = await createWorld();
  tokens = [{ title: "Somebody else's", accessToken: 'other' }];
  requests = [];
  failure = undefined;
  Object.assign(refused, { list: undefined, create: undefined });
  deps = {
    ...world.deps,
    storefrontTokens: createStorefrontTokens({ table: world.table }),
    async sendAdminOperation({ document, variables, mutates }) {
      requests.push(mutates ? 'create' : 'list');
      if (failure) throw failure;
      const refusal = mutates ? refused.create : refused.list;
      if (refusal instanceof ServiceError) throw refusal;
      if (refusal !== undefined) return { cost: undefined, ...refusal } as AdminAnswer;
      const made = { title: String(variables.title), accessToken: `token-${tokens.length}` };
      if (document.startsWith('mutation')) tokens.push(made);
      const data = mutates
        ? { storefrontAccessTokenCreate: { storefrontAccessToken: made, userErrors: [] } }
        : { shop: { storefrontAccessTokens: { nodes: [...tokens] } } };
      return { data, errors: [], cost: undefined };
    },
  };
});
afterEach(() => world.close());

const ask = () => storefrontToken(deps, { shop: SHOP });
const stored = () => world.deps.stores.find(SHOP_ID);

describe('the storefront token', () => {
  test('of a store where the service is not installed', async () => {
    await world.putStore({ status: 'uninstalled' });
    expect(await outcome(ask())).toBe('SHOP_NOT_INSTALLED');
  });

  test.each([
    ['THROTTLED', 'THROTTLED'],
    ['STORE_DISCONNECTED', 'STORE_DISCONNECTED'],
    ['PLATFORM_UNAVAILABLE', 'TEMPORARILY_UNAVAILABLE'],
    ['OUTCOME_UNKNOWN', 'TEMPORARILY_UNAVAILABLE'],
  ] as const)('the platform says %s; afterwards it is made', async (code, answered) => {
    failure = new ServiceError(code);
    expect(await outcome(ask())).toBe(answered);
    failure = undefined;
    expect(await outcome(ask())).toBe('ok');
  });

  describe('that the platform does not give', () => {
    const DENIED = { message: 'Access denied.', extensions: { code: 'ACCESS_DENIED' } };
    const refusals: readonly (readonly [string, () => void])[] = [
      [
        'denies the mutation',
        () => Object.assign(refused, { create: new ServiceError('STORE_ACCESS_MISSING') }),
      ],
      [
        'denies the field',
        () =>
          Object.assign(refused, {
            create: { errors: [{ ...DENIED, path: [CREATE] }], data: { [CREATE]: null } },
          }),
      ],
      [
        'denies the list',
        () =>
          Object.assign(refused, { list: { errors: [{ ...DENIED, path: ['shop'] }], data: { shop: null } } }),
      ],
      [
        'denies the list as a whole',
        () => Object.assign(refused, { list: { errors: [DENIED], data: null } }),
      ],
      [
        'refuses one more',
        () =>
          Object.assign(refused, {
            create: {
              errors: [],
              data: {
                [CREATE]: { storefrontAccessToken: null, userErrors: [{ message: 'A maximum of 100' }] },
              },
            },
          }),
      ],
    ];

    test.each(refusals)(
      'because it %s: final, told once in 15 minutes, and made when it may be',
      async (_how, refuse) => {
        refuse();
        for (let times = 0; times < 3; times++)
          expect(await outcome(ask())).toBe('STOREFRONT_TOKEN_UNAVAILABLE');
        const asked = requests.length;
        expect(asked).toBeLessThanOrEqual(2);
        expect((await stored())?.storefrontRefusal).toMatchObject({ reason: expect.any(String) });
        Object.assign(refused, { list: undefined, create: undefined });
        expect(await outcome(ask())).toBe('STOREFRONT_TOKEN_UNAVAILABLE');
        expect(requests).toHaveLength(asked);
        world.advance(15 * 60 + 1);
        expect((await ask()).storefrontAccessToken).toBe('token-1');
        expect((await stored())?.storefrontRefusal).toBeUndefined();
      },
    );

    test('by 20 that ask at the same time: the platform is asked by one', async () => {
      refusals[0]?.[1]();
      const answers = await Promise.all(Array.from({ length: 20 }, () => outcome(ask())));
      expect(new Set(answers)).toEqual(new Set(['STOREFRONT_TOKEN_UNAVAILABLE']));
      expect(requests).toEqual(['list', 'create']);
    });

    test('an error that may pass is none of these', async () => {
      const passing = { message: 'Down.', extensions: { code: 'INTERNAL_SERVER_ERROR' } };
      Object.assign(refused, { list: { errors: [DENIED, passing], data: { shop: null } } });
      expect(await outcome(ask())).toBe('TEMPORARILY_UNAVAILABLE');
    });
  });

  test('is made once, and kept', async () => {
    expect(await ask()).toEqual({ storefrontAccessToken: 'token-1', shop: SHOP });
    expect(await ask()).toEqual({ storefrontAccessToken: 'token-1', shop: SHOP });
    expect(requests).toEqual(['list', 'create']);
  });

  test('is made once by 20 that ask at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    expect(new Set(answers.map(({ storefrontAccessToken }) => storefrontAccessToken)).size).toBe(1);
    expect(requests).toEqual(['list', 'create']);
  });

  test('one that was made before a crash, or an earlier installation, is found by its title', async () => {
    await ask();
    await world.putStore({ installedAtMs: world.now() });
    expect((await ask()).storefrontAccessToken).toBe('token-1');
    expect(requests).toEqual(['list', 'create', 'list']);
  });

  test('the lease of a dead container: 503, and after 15 s it is made', async () => {
    const store = await world.deps.stores.find((await world.deps.stores.findShopId(SHOP)) ?? (0 as never));
    if (!store) throw new Error('no store');
    await deps.storefrontTokens.lease({ store, untilMs: world.now() + 15_000 }, world.now());
    expect(await outcome(ask())).toBe('TEMPORARILY_UNAVAILABLE');
    world.advance(16);
    expect(await outcome(ask())).toBe('ok');
  });
});
