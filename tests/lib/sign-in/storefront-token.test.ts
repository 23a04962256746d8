import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import { type StorefrontTokenDeps, storefrontToken } from '../../../lib/sign-in/storefront-token.ts';
import { createStorefrontTokens } from '../../../lib/storage/storefront-tokens.ts';
import { outcome } from './world/journey.ts';
import { createWorld, SHOP, type World } from './world/world.ts';

let world: World;
/** The platform's list of tokens of a store. */
let tokens: { title: string; accessToken: string }[];
let requests: string[];
let failure: ServiceError | undefined;
let deps: StorefrontTokenDeps;

beforeEach(async () => {
  world = await createWorld();
  tokens = [{ title: "Somebody else's", accessToken: 'other' }];
  requests = [];
  failure = undefined;
  deps = {
    ...world.deps,
    storefrontTokens: createStorefrontTokens({ table: world.table }),
    async sendAdminOperation({ document, variables, mutates }) {
      requests.push(mutates ? 'create' : 'list');
      if (failure) throw failure;
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

describe('the storefront token', () => {
  test('of a store where the service is not installed', async () => {
    await world.putStore({ status: 'uninstalled' });
    expect(await outcome(ask())).toBe('SHOP_NOT_INSTALLED');
  });

  test.each([
    ['THROTTLED', 'THROTTLED'],
    ['STORE_DISCONNECTED', 'STORE_DISCONNECTED'],
    ['STORE_ACCESS_MISSING', 'STORE_ACCESS_MISSING'],
    ['PLATFORM_UNAVAILABLE', 'TEMPORARILY_UNAVAILABLE'],
    ['OUTCOME_UNKNOWN', 'TEMPORARILY_UNAVAILABLE'],
  ] as const)('the platform says %s; afterwards it is made', async (code, answered) => {
    failure = new ServiceError(code);
    expect(await outcome(ask())).toBe(answered);
    failure = undefined;
    expect(await outcome(ask())).toBe('ok');
  });

  test.each(['list', 'create'])(
    'the platform denies to %s it; once it is granted, it is made',
    async (step) => {
      const answering = deps.sendAdminOperation;
      let isDenied = true;
      const denial = { message: 'Access denied', extensions: { code: 'ACCESS_DENIED' } };
      const sendAdminOperation: typeof answering = async (operation) => {
        const isStep = operation.mutates === (step === 'create');
        return isDenied && isStep ? { data: null, errors: [denial], cost: undefined } : answering(operation);
      };
      deps = { ...deps, sendAdminOperation };
      expect(await outcome(ask())).toBe('STORE_ACCESS_MISSING');
      isDenied = false;
      expect(await outcome(ask())).toBe('ok');
    },
  );

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
