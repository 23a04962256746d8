/**
 * Creates a store's token for the platform's Storefront API, with which apps read the public catalogue. The platform
 * allows few such tokens, so each store has one. It is created at the installation and checked by the scheduled work.
 * Clients' requests never create one.
 */
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { isAccessDenied } from '../../platform/admin-api/admin-response.ts';
import { accessNotGrantedError } from '../../platform/admin-api/missing-access.ts';
import type { BudgetedOperation, SendWithinBudget } from '../../platform/admin-api/send-within-budget.ts';
import type { StorefrontLease, StorefrontToken, StorefrontTokens } from '../../storage/storefront-tokens.ts';
import type { StoreRecord } from '../../storage/stores.ts';

export type StorefrontTokenDeps = {
  readonly now: () => number;
  readonly storefrontTokens: StorefrontTokens;
  readonly sendWithinBudget: SendWithinBudget;
  readonly logger: Pick<Logger, 'warn'>;
};

/**
 * `good`: the stored token is valid. `made`: a token was created or found. `refused`: the platform creates none until
 * the app or its grant changes. `not yet`: the platform did not respond, or another process is creating the token.
 */
export type StorefrontTokenOutcome = 'good' | 'made' | 'refused' | 'not yet';

const STOREFRONT_TOKEN_TITLE = 'Subscription management service';
const STOREFRONT_LEASE_MS = 60_000;
/** The time limit of the platform requests. They end 15 s before the lease does. */
const MAX_PLATFORM_REQUESTS_MS = 45_000;
const MAX_REFUSAL_REASON_LENGTH = 200;
const STOREFRONT_TOKENS_DOCUMENT =
  '{ shop { storefrontAccessTokens(first: 100) { nodes { id title accessToken } } } }';
const CREATE_STOREFRONT_TOKEN_DOCUMENT = `mutation ($title: String!) {
  storefrontAccessTokenCreate(input: { title: $title }) {
    storefrontAccessToken { id accessToken }
    userErrors { message }
  }
}`;

/**
 * Creates the store's token unless the stored one is valid. Stores the reason of a refusal for `store check`. `endAtMs`
 * is in epoch milliseconds.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function ensureStorefrontToken(
  deps: StorefrontTokenDeps,
  store: StoreRecord,
  endAtMs: number,
): Promise<StorefrontTokenOutcome> {
  const nowMs = deps.now();
  const request = { store, endAtMs: Math.min(endAtMs, nowMs + MAX_PLATFORM_REQUESTS_MS) };
  try {
    if (await isStoredTokenValid(deps, request)) return 'good';
  } catch (error) {
    return logTokenFailure(deps, store, error);
  }
  const lease = { store, untilMs: nowMs + STOREFRONT_LEASE_MS };
  if ((await deps.storefrontTokens.lease(lease, nowMs)).outcome === 'refused') return 'not yet';
  try {
    const token =
      (await findExistingStorefrontToken(deps, request)) ?? (await createStorefrontToken(deps, request));
    if ((await deps.storefrontTokens.store(lease, token)).outcome !== 'done') return 'not yet';
    return token.accessToken === store.storefrontAccessToken ? 'good' : 'made';
  } catch (error) {
    return recordTokenFailure(deps, lease, error);
  }
}

/**
 * The platform creates no token. `isTransient` is true for a transient cause, false when the app or its grant must
 * change.
 */
class NoStorefrontToken extends Error {
  override readonly name = 'NoStorefrontToken';
  readonly isTransient: boolean;
  constructor(reason: string, { isTransient }: { readonly isTransient: boolean }) {
    super(reason.slice(0, MAX_REFUSAL_REASON_LENGTH));
    this.isTransient = isTransient;
  }
}

function logTokenFailure(
  { logger }: StorefrontTokenDeps,
  { shopId }: StoreRecord,
  error: unknown,
): StorefrontTokenOutcome {
  if (!(error instanceof NoStorefrontToken)) throw error;
  const { message: reason, isTransient } = error;
  logger.warn('storefront_token.creation_failed', { shopId, reason, isPassing: isTransient });
  return isTransient ? 'not yet' : 'refused';
}

async function recordTokenFailure(
  deps: StorefrontTokenDeps,
  lease: StorefrontLease,
  error: unknown,
): Promise<StorefrontTokenOutcome> {
  if (error instanceof NoStorefrontToken) {
    const { message: reason, isTransient } = error;
    await deps.storefrontTokens.recordRefusal(lease, { atMs: deps.now(), reason, isPassing: isTransient });
  }
  return logTokenFailure(deps, lease.store, error);
}

type StorefrontTokenRequest = { readonly store: StoreRecord; readonly endAtMs: number };
type ListedStorefrontToken = StorefrontToken & { readonly title: string };

async function isStoredTokenValid(
  deps: StorefrontTokenDeps,
  request: StorefrontTokenRequest,
): Promise<boolean> {
  const { storefrontAccessToken: storedToken, storefrontTokenId } = request.store;
  if (storedToken === undefined) return false;
  const tokens = await listStorefrontTokens(deps, request);
  return tokens.some(({ id, accessToken }) => accessToken === storedToken && id === storefrontTokenId);
}

/**
 * Finds a token that already exists at the platform: the stored one, or one that the service created before a crash or
 * a new installation.
 * @returns undefined when there is none
 */
async function findExistingStorefrontToken(
  deps: StorefrontTokenDeps,
  request: StorefrontTokenRequest,
): Promise<StorefrontToken | undefined> {
  const tokens = await listStorefrontTokens(deps, request);
  const currentToken = tokens.find(({ accessToken }) => accessToken === request.store.storefrontAccessToken);
  return currentToken ?? tokens.find(({ title }) => title === STOREFRONT_TOKEN_TITLE);
}

async function listStorefrontTokens(
  deps: StorefrontTokenDeps,
  request: StorefrontTokenRequest,
): Promise<readonly ListedStorefrontToken[]> {
  const { shop } = (await sendTokenOperation(deps, request, {
    document: STOREFRONT_TOKENS_DOCUMENT,
    variables: {},
    mutates: false,
  })) as {
    readonly shop?: {
      readonly storefrontAccessTokens?: { readonly nodes?: readonly ListedStorefrontToken[] };
    } | null;
  };
  const tokens = shop?.storefrontAccessTokens?.nodes;
  // Without the list it is unknown whether the stored token still exists.
  if (tokens === undefined)
    throw new NoStorefrontToken('the platform gave no list of tokens', { isTransient: true });
  return tokens;
}

async function createStorefrontToken(
  deps: StorefrontTokenDeps,
  request: StorefrontTokenRequest,
): Promise<StorefrontToken> {
  const variables = { title: STOREFRONT_TOKEN_TITLE };
  const createResponse = (await sendTokenOperation(deps, request, {
    document: CREATE_STOREFRONT_TOKEN_DOCUMENT,
    variables,
    mutates: true,
  })) as {
    readonly storefrontAccessTokenCreate?: {
      readonly storefrontAccessToken?: Partial<StorefrontToken> | null;
      readonly userErrors?: readonly { readonly message: string }[];
    } | null;
  };
  const { storefrontAccessToken, userErrors = [] } = createResponse.storefrontAccessTokenCreate ?? {};
  if (userErrors[0] !== undefined) throw new NoStorefrontToken(userErrors[0].message, { isTransient: false });
  const { id, accessToken } = storefrontAccessToken ?? {};
  if (!id || !accessToken) throw new NoStorefrontToken('the platform made no token', { isTransient: true });
  return { id, accessToken };
}

type StorefrontTokenOperation = Pick<BudgetedOperation, 'document' | 'variables' | 'mutates'>;

/**
 * Sends a query or mutation and returns its data. If the response to a creation is lost, the next check finds the token
 * in the list.
 * @throws NoStorefrontToken when the platform returns an error or does not respond
 */
async function sendTokenOperation(
  { sendWithinBudget }: StorefrontTokenDeps,
  request: StorefrontTokenRequest,
  operation: StorefrontTokenOperation,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const adminResponse = await sendWithinBudget({ ...request, ...operation, costKey: operation.document });
    const { data, errors } = adminResponse;
    if (errors.length > 0 && errors.every(isAccessDenied)) throw accessNotGrantedError(errors);
    if (data === null || errors.length > 0)
      throw new NoStorefrontToken('the platform answered an error', { isTransient: true });
    return data;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'STORE_ACCESS_MISSING')
      throw new NoStorefrontToken(error.message, { isTransient: false });
    throw new NoStorefrontToken(error.code, { isTransient: error.code !== 'STORE_DISCONNECTED' });
  }
}
