/**
 * The checks of new versions, in order. The first ones need only the service. The others need a store and its admin
 * key; one of them sends a sign-in to the platform, which the platform refuses.
 */
import type { SmokeRequest, VersionResponse } from './version-response.ts';

/** A store that is used only for smoke tests, and one of its admin keys. */
export type SmokeStore = { readonly shop: string; readonly adminKey: string };
/**
 * Sends a request to the versions that are checked.
 * @throws SmokeCheckError when there is no response
 */
export type SendToVersions = (request: SmokeRequest) => Promise<VersionResponse>;
export type SmokeCheck = { readonly name: string; readonly run: (send: SendToVersions) => Promise<void> };

/**
 * A failed check. `isServiceFault` is true if the version or its permissions certainly caused the failure; otherwise
 * the cause may be outside the service. The message never contains a secret.
 */
export class SmokeCheckError extends Error {
  override readonly name = 'SmokeCheckError';
  readonly isServiceFault: boolean;
  constructor(problem: string, { isServiceFault }: { readonly isServiceFault: boolean }) {
    super(problem);
    this.isServiceFault = isServiceFault;
  }
}

const CUSTOMER_PATH = '/api/storefront/unstable/graphql.json';
const ADMIN_PATH = '/api/admin/unstable/graphql.json';
const WEBHOOKS_PATH = '/platform/webhooks';
const SUBSCRIPTIONS_QUERY = '{ serviceInfo { storeName } subscriptionContracts(first: 1) { nodes { id } } }';

/**
 * Returns the checks that run in every environment. `shopDomainSuffix` is the end of a store's domain, such as `.myshopify.com`.
 */
export function createChecksWithoutStore(shopDomainSuffix: string): SmokeCheck[] {
  const shop = `smoke-test-of-no-store${shopDomainSuffix}`;
  const typenameRequest = { method: 'POST', body: { query: '{ __typename }' } } as const;
  return [
    {
      name: 'the service says that it is there',
      run: async (send) => {
        const response = await send({ function: 'headless-auth', method: 'GET', path: '/healthz' });
        if (response.status !== 200 || response.json.status !== 'ok')
          throw classifyUnexpectedResponse(response);
      },
    },
    {
      name: 'a sign-in at a store that is not there is refused',
      run: async (send) =>
        expectErrorCode(await send(createSignInStartRequest(shop)), 401, 'SHOP_NOT_INSTALLED'),
    },
    {
      name: 'a customer without a token is refused',
      run: async (send) =>
        expectErrorCode(
          await send({ ...typenameRequest, function: 'customer-graphql', path: CUSTOMER_PATH }),
          401,
          'UNAUTHENTICATED',
        ),
    },
    {
      name: 'a server without a key is refused',
      run: async (send) =>
        expectErrorCode(
          await send({ ...typenameRequest, function: 'admin-graphql', path: ADMIN_PATH }),
          401,
          'UNAUTHENTICATED',
        ),
    },
    {
      name: 'a webhook that nobody signed is refused',
      run: async (send) =>
        expectErrorCode(
          await send({ function: 'platform-webhooks', method: 'POST', path: WEBHOOKS_PATH, body: {} }),
          401,
          'UNAUTHENTICATED',
        ),
    },
  ];
}

/** Returns the checks that need a store. */
export function createChecksWithStore({ shop, adminKey }: SmokeStore): SmokeCheck[] {
  return [
    {
      name: 'a sign-in begins, and ends with a code that the platform refuses',
      run: async (send) => {
        const { status, json } = await send(createSignInStartRequest(shop));
        const { verifier, nonce } = json;
        if (status !== 200 || typeof verifier !== 'string' || typeof nonce !== 'string')
          throw classifyUnexpectedResponse({ status, json });
        const body = { shop, code: 'smoke-test', verifier, nonce };
        expectErrorCode(await send(createSignInRequest('exchange', body)), 400, 'SIGN_IN_REJECTED');
      },
    },
    {
      name: 'a key reads its store',
      run: async (send) => {
        const headers = { authorization: `Bearer ${adminKey}` };
        const request = { function: 'admin-graphql', method: 'POST', path: ADMIN_PATH, headers } as const;
        const response = await send({ ...request, body: { query: SUBSCRIPTIONS_QUERY } });
        const { status, json } = response;
        if (status !== 200 || json.errors !== undefined || !json.data)
          throw classifyUnexpectedResponse(response);
      },
    },
  ];
}

function createSignInStartRequest(shop: string): SmokeRequest {
  return createSignInRequest('start', { shop });
}

function createSignInRequest(step: string, body: object): SmokeRequest {
  return { function: 'headless-auth', method: 'POST', path: `/headless-auth/${step}`, body };
}

function expectErrorCode(response: VersionResponse, status: number, code: string): void {
  if (response.status !== status || parseErrorCode(response) !== code)
    throw classifyUnexpectedResponse(response);
}

/**
 * Decides who caused an unexpected response: a 5xx other than 503 is the service's fault. A 503 may come from the
 * platform, and a refusal from the store or its key.
 */
function classifyUnexpectedResponse(response: VersionResponse): SmokeCheckError {
  const { status } = response;
  const isServiceFault = status >= 500 && status !== 503;
  return new SmokeCheckError(`answered ${status} ${parseErrorCode(response) ?? 'without a code'}`, {
    isServiceFault,
  });
}

type ErrorBody = { readonly code?: unknown; readonly extensions?: { readonly code?: unknown } };

/**
 * Returns the error code of a response, whether the endpoint is GraphQL or not.
 * @returns undefined when there is none, or it does not look like a code
 */
function parseErrorCode({ json }: VersionResponse): string | undefined {
  const [firstError] = Array.isArray(json.errors) ? (json.errors as ErrorBody[]) : [];
  const code = (json.error as ErrorBody | undefined)?.code ?? firstError?.extensions?.code;
  return typeof code === 'string' && /^[A-Z_]{1,60}$/.test(code) ? code : undefined;
}
