/**
 * The checks of a new version before it receives requests, in order. The first ones need only the service; the later
 * ones need a store and its key, and send the platform a sign-in that it refuses.
 */
import type { SmokeRequest, VersionAnswer } from './version-answer.ts';

/** A store for this purpose, and an admin key of it. */
export type SmokeStore = { readonly shop: string; readonly adminKey: string };
/**
 * Sends a request to the versions under test.
 * @throws CheckFailed without a response
 */
export type Ask = (request: SmokeRequest) => Promise<VersionAnswer>;
export type SmokeCheck = { readonly name: string; readonly run: (ask: Ask) => Promise<void> };

/**
 * `isServiceFault`: the version or its permissions certainly caused the failure; else the cause may be external. Never
 * contains a secret.
 */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';
  readonly isServiceFault: boolean;
  constructor(what: string, { isServiceFault }: { readonly isServiceFault: boolean }) {
    super(what);
    this.isServiceFault = isServiceFault;
  }
}

const CUSTOMER = '/api/storefront/unstable/graphql.json';
const ADMIN = '/api/admin/unstable/graphql.json';
const WEBHOOKS = '/platform/webhooks';
const QUERY = '{ serviceInfo { storeName } subscriptionContracts(first: 1) { nodes { id } } }';

/** Returns the checks for every environment. `suffix`: the end of a shop's domain. */
export function checksWithoutStore(suffix: string): SmokeCheck[] {
  const shop = `smoke-test-of-no-store${suffix}`;
  const graphql = { method: 'POST', body: { query: '{ __typename }' } } as const;
  return [
    {
      name: 'the service says that it is there',
      run: async (ask) => {
        const answer = await ask({ function: 'headless-auth', method: 'GET', path: '/healthz' });
        if (answer.status !== 200 || answer.json.status !== 'ok') throw unexpected(answer);
      },
    },
    {
      name: 'a sign-in at a store that is not there is refused',
      run: async (ask) => expectCode(await ask(start(shop)), 401, 'SHOP_NOT_INSTALLED'),
    },
    {
      name: 'a customer without a token is refused',
      run: async (ask) =>
        expectCode(
          await ask({ ...graphql, function: 'customer-graphql', path: CUSTOMER }),
          401,
          'UNAUTHENTICATED',
        ),
    },
    {
      name: 'a server without a key is refused',
      run: async (ask) =>
        expectCode(await ask({ ...graphql, function: 'admin-graphql', path: ADMIN }), 401, 'UNAUTHENTICATED'),
    },
    {
      name: 'a webhook that nobody signed is refused',
      run: async (ask) =>
        expectCode(
          await ask({ function: 'platform-webhooks', method: 'POST', path: WEBHOOKS, body: {} }),
          401,
          'UNAUTHENTICATED',
        ),
    },
  ];
}

/** Returns the checks that need a store. */
export function checksWithStore({ shop, adminKey }: SmokeStore): SmokeCheck[] {
  return [
    {
      name: 'a sign-in begins, and ends with a code that the platform refuses',
      run: async (ask) => {
        const { status, json } = await ask(start(shop));
        const { verifier, nonce } = json;
        if (status !== 200 || typeof verifier !== 'string' || typeof nonce !== 'string')
          throw unexpected({ status, json });
        const body = { shop, code: 'smoke-test', verifier, nonce };
        expectCode(await ask(signIn('exchange', body)), 400, 'SIGN_IN_REJECTED');
      },
    },
    {
      name: 'a key reads its store',
      run: async (ask) => {
        const headers = { authorization: `Bearer ${adminKey}` };
        const request = { function: 'admin-graphql', method: 'POST', path: ADMIN, headers } as const;
        const answer = await ask({ ...request, body: { query: QUERY } });
        const { status, json } = answer;
        if (status !== 200 || json.errors !== undefined || !json.data) throw unexpected(answer);
      },
    },
  ];
}

function start(shop: string): SmokeRequest {
  return signIn('start', { shop });
}

function signIn(step: string, body: object): SmokeRequest {
  return { function: 'headless-auth', method: 'POST', path: `/headless-auth/${step}`, body };
}

function expectCode(answer: VersionAnswer, status: number, code: string): void {
  if (answer.status !== status || codeOf(answer) !== code) throw unexpected(answer);
}

/** The service causes a 5xx other than 503; the platform may cause a 503, and the store or the key a refusal. */
function unexpected(answer: VersionAnswer): CheckFailed {
  const { status } = answer;
  const isServiceFault = status >= 500 && status !== 503;
  return new CheckFailed(`answered ${status} ${codeOf(answer) ?? 'without a code'}`, { isServiceFault });
}

type ErrorBody = { readonly code?: unknown; readonly extensions?: { readonly code?: unknown } };

/** Returns the error's code from a response of either endpoint, if it has the format of a code. */
function codeOf({ json }: VersionAnswer): string | undefined {
  const [first] = Array.isArray(json.errors) ? (json.errors as ErrorBody[]) : [];
  const code = (json.error as ErrorBody | undefined)?.code ?? first?.extensions?.code;
  return typeof code === 'string' && /^[A-Z_]{1,60}$/.test(code) ? code : undefined;
}
