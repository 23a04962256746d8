/**
 * Creates a store's token for the platform's Storefront API, with which apps read the public catalogue. The platform
 * allows few such tokens, so each store has one. It is created at the installation and checked by the scheduled work.
 * Clients' requests never create one.
 */
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { isAccessDenied } from '../../platform/admin-api/admin-answer.ts';
import { accessNotGrantedError } from '../../platform/admin-api/missing-access.ts';
import type { BudgetedOperation, SendWithinBudget } from '../../platform/admin-api/store-budget.ts';
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

const TITLE = 'Subscription management service';
const LEASE_MS = 60_000;
/** The time limit of the platform requests. They end 15 s before the lease does. */
const WORK_MS = 45_000;
const MAX_REASON = 200;
const LIST = '{ shop { storefrontAccessTokens(first: 100) { nodes { id title accessToken } } } }';
const CREATE = `mutation ($title: String!) {
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
  const request = { store, endAtMs: Math.min(endAtMs, nowMs + WORK_MS) };
  try {
    if (await isGood(deps, request)) return 'good';
  } catch (error) {
    return reportFailure(deps, store, error);
  }
  const lease = { store, untilMs: nowMs + LEASE_MS };
  if ((await deps.storefrontTokens.lease(lease, nowMs)).outcome === 'refused') return 'not yet';
  try {
    const token = (await findToken(deps, request)) ?? (await createToken(deps, request));
    if ((await deps.storefrontTokens.store(lease, token)).outcome !== 'done') return 'not yet';
    return token.accessToken === store.storefrontAccessToken ? 'good' : 'made';
  } catch (error) {
    return noted(deps, lease, error);
  }
}

/**
 * The platform creates no token. `isTransient` is true for a transient cause, false when the app or its grant must
 * change.
 */
class NoToken extends Error {
  override readonly name = 'NoToken';
  readonly isTransient: boolean;
  constructor(reason: string, { isTransient }: { readonly isTransient: boolean }) {
    super(reason.slice(0, MAX_REASON));
    this.isTransient = isTransient;
  }
}

function reportFailure(
  { logger }: StorefrontTokenDeps,
  { shopId }: StoreRecord,
  error: unknown,
): StorefrontTokenOutcome {
  if (!(error instanceof NoToken)) throw error;
  const { message: reason, isTransient } = error;
  logger.warn('storefront_token.creation_failed', { shopId, reason, isPassing: isTransient });
  return isTransient ? 'not yet' : 'refused';
}

async function noted(
  deps: StorefrontTokenDeps,
  lease: StorefrontLease,
  error: unknown,
): Promise<StorefrontTokenOutcome> {
  if (error instanceof NoToken) {
    const { message: reason, isTransient } = error;
    await deps.storefrontTokens.refuse(lease, { atMs: deps.now(), reason, isPassing: isTransient });
  }
  return reportFailure(deps, lease.store, error);
}

type TokenRequest = { readonly store: StoreRecord; readonly endAtMs: number };
type Listed = StorefrontToken & { readonly title: string };

async function isGood(deps: StorefrontTokenDeps, request: TokenRequest): Promise<boolean> {
  const { storefrontAccessToken: current, storefrontTokenId } = request.store;
  if (current === undefined) return false;
  const tokens = await list(deps, request);
  return tokens.some(({ id, accessToken }) => accessToken === current && id === storefrontTokenId);
}

/**
 * Finds a token that already exists at the platform: the stored one, or one that the service created before a crash or
 * a new installation.
 * @returns undefined when there is none
 */
async function findToken(
  deps: StorefrontTokenDeps,
  request: TokenRequest,
): Promise<StorefrontToken | undefined> {
  const tokens = await list(deps, request);
  const current = tokens.find(({ accessToken }) => accessToken === request.store.storefrontAccessToken);
  return current ?? tokens.find(({ title }) => title === TITLE);
}

async function list(deps: StorefrontTokenDeps, request: TokenRequest): Promise<readonly Listed[]> {
  const { shop } = (await send(deps, request, { document: LIST, variables: {}, mutates: false })) as {
    readonly shop?: { readonly storefrontAccessTokens?: { readonly nodes?: readonly Listed[] } } | null;
  };
  const tokens = shop?.storefrontAccessTokens?.nodes;
  // Without the list it is unknown whether the stored token still exists.
  if (tokens === undefined) throw new NoToken('the platform gave no list of tokens', { isTransient: true });
  return tokens;
}

async function createToken(deps: StorefrontTokenDeps, request: TokenRequest): Promise<StorefrontToken> {
  const variables = { title: TITLE };
  const data = (await send(deps, request, { document: CREATE, variables, mutates: true })) as {
    readonly storefrontAccessTokenCreate?: {
      readonly storefrontAccessToken?: Partial<StorefrontToken> | null;
      readonly userErrors?: readonly { readonly message: string }[];
    } | null;
  };
  const { storefrontAccessToken, userErrors = [] } = data.storefrontAccessTokenCreate ?? {};
  if (userErrors[0] !== undefined) throw new NoToken(userErrors[0].message, { isTransient: false });
  const { id, accessToken } = storefrontAccessToken ?? {};
  if (!id || !accessToken) throw new NoToken('the platform made no token', { isTransient: true });
  return { id, accessToken };
}

type Operation = Pick<BudgetedOperation, 'document' | 'variables' | 'mutates'>;

/**
 * Sends a query or mutation and returns its data. If the response to a creation is lost, the next check finds the token
 * in the list.
 * @throws NoToken when the platform returns an error or does not respond
 */
async function send(
  { sendWithinBudget }: StorefrontTokenDeps,
  request: TokenRequest,
  operation: Operation,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const answer = await sendWithinBudget({ ...request, ...operation, costKey: operation.document });
    const { data, errors } = answer;
    if (errors.length > 0 && errors.every(isAccessDenied)) throw accessNotGrantedError(errors);
    if (data === null || errors.length > 0)
      throw new NoToken('the platform answered an error', { isTransient: true });
    return data;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'STORE_ACCESS_MISSING') throw new NoToken(error.message, { isTransient: false });
    throw new NoToken(error.code, { isTransient: error.code !== 'STORE_DISCONNECTED' });
  }
}
