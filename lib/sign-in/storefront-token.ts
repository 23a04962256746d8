/** A storefront token for public catalogue data. The platform allows few, so a store has one, made once. */
import type { ShopDomain } from '../domain/shop-domain.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Logger } from '../observability/logger.ts';
import { isDenied } from '../platform/admin-api/admin-answer.ts';
import type { AdminOperation, SendAdminOperation } from '../platform/admin-api/admin-client.ts';
import { notGranted } from '../platform/admin-api/missing-access.ts';
import type { StorefrontLease, StorefrontTokens } from '../storage/storefront-tokens.ts';
import type { StorefrontRefusal, Stores } from '../storage/stores.ts';
import { crashPoint } from './crash-point.ts';
import { findInstalledStore } from './find-installed-store.ts';

export type StorefrontTokenDeps = {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly stores: Stores;
  readonly storefrontTokens: StorefrontTokens;
  readonly sendAdminOperation: SendAdminOperation;
  readonly logger: Pick<Logger, 'warn'>;
};
type StorefrontTokenAnswer = { readonly storefrontAccessToken: string; readonly shop: ShopDomain };

const TITLE = 'Subscription management service';
const LEASE_MS = 15_000;
const POLL_MS = 200;
/** The waits take 2 s in all. */
const MAX_WAITS = 10;
/** How long a refusal is believed: whoever names a store may ask here, and each asking costs the store's points. */
const REFUSED_MS = 15 * 60_000;
const MAX_REASON = 200;
/** The platform is asked until 3 s before the lease ends. */
const DEADLINE_MS = 12_000;
const LIST = '{ shop { storefrontAccessTokens(first: 100) { nodes { title accessToken } } } }';
const CREATE = `mutation ($title: String!) {
  storefrontAccessTokenCreate(input: { title: $title }) {
    storefrontAccessToken { accessToken }
    userErrors { message }
  }
}`;

/**
 * The store's storefront token. SHOP_NOT_INSTALLED, STORE_DISCONNECTED, THROTTLED, TEMPORARILY_UNAVAILABLE
 * (also while another request is making it), STOREFRONT_TOKEN_UNAVAILABLE: the platform makes none.
 */
export async function storefrontToken(
  deps: StorefrontTokenDeps,
  { shop }: { readonly shop: ShopDomain },
): Promise<StorefrontTokenAnswer> {
  for (let waits = 0; waits <= MAX_WAITS; waits++) {
    const store = await findInstalledStore(deps, shop);
    const { storefrontAccessToken, storefrontRefusal } = store;
    if (storefrontAccessToken) return { storefrontAccessToken, shop };
    const nowMs = deps.now();
    if (storefrontRefusal && nowMs < storefrontRefusal.atMs + REFUSED_MS) throw refused(storefrontRefusal);
    const lease = { store, untilMs: nowMs + LEASE_MS };
    const leased = await deps.storefrontTokens.lease(lease, nowMs);
    if (leased.outcome === 'done') {
      crashPoint('storefront-token.after-lease');
      return { storefrontAccessToken: await makeToken(deps, lease), shop };
    }
    await deps.sleep(POLL_MS);
  }
  throw unavailable('another request is making the token');
}

async function makeToken(deps: StorefrontTokenDeps, lease: StorefrontLease): Promise<string> {
  try {
    const token = (await findToken(deps, lease)) ?? (await createToken(deps, lease));
    crashPoint('storefront-token.after-create');
    const kept = await deps.storefrontTokens.keep(lease, token);
    if (kept.outcome === 'refused') throw unavailable('the store was changed meanwhile');
    return token;
  } catch (error) {
    if (error instanceof NoToken) {
      const refusal = { atMs: deps.now(), reason: error.message.slice(0, MAX_REASON) };
      deps.logger.warn('the platform makes no storefront token', { shopId: lease.store.shopId, ...refusal });
      await deps.storefrontTokens.refuse(lease, refusal);
      throw refused(refusal);
    }
    await deps.storefrontTokens.release(lease).catch(() => undefined);
    throw error;
  }
}

/** The platform makes no token, and will say the same until somebody changes the app. */
class NoToken extends Error {
  override readonly name = 'NoToken';
}

function refused({ reason }: StorefrontRefusal): ServiceError {
  return new ServiceError('STOREFRONT_TOKEN_UNAVAILABLE', { internal: `storefront token: ${reason}` });
}

/** Finds a token of ours that is there already, from before a crash, or before the store was installed again. */
async function findToken(deps: StorefrontTokenDeps, lease: StorefrontLease): Promise<string | undefined> {
  const data = (await send(deps, lease, { document: LIST, variables: {}, mutates: false })) as {
    shop?: { storefrontAccessTokens?: { nodes?: { title: string; accessToken: string }[] } };
  };
  return data.shop?.storefrontAccessTokens?.nodes?.find(({ title }) => title === TITLE)?.accessToken;
}

async function createToken(deps: StorefrontTokenDeps, lease: StorefrontLease): Promise<string> {
  const variables = { title: TITLE };
  const data = (await send(deps, lease, { document: CREATE, variables, mutates: true })) as {
    storefrontAccessTokenCreate?: {
      readonly storefrontAccessToken?: { readonly accessToken?: string } | null;
      readonly userErrors?: readonly { readonly message: string }[];
    } | null;
  };
  const { storefrontAccessToken, userErrors = [] } = data.storefrontAccessTokenCreate ?? {};
  if (userErrors[0] !== undefined) throw new NoToken(userErrors[0].message);
  const token = storefrontAccessToken?.accessToken;
  if (!token) throw unavailable('the platform made no token');
  return token;
}

type Operation = Pick<AdminOperation, 'document' | 'variables' | 'mutates'>;

/** The data of an answer. An outcome that the client cannot know for certain is found in the list by the next request. */
async function send(
  { sendAdminOperation }: StorefrontTokenDeps,
  { store, untilMs }: StorefrontLease,
  operation: Operation,
): Promise<Readonly<Record<string, unknown>>> {
  const deadlineAtMs = untilMs - LEASE_MS + DEADLINE_MS;
  try {
    const answer = await sendAdminOperation({
      ...operation,
      store,
      deadlineAtMs,
      costKey: operation.document,
    });
    const { data, errors } = answer;
    if (errors.length > 0 && errors.every(isDenied)) throw notGranted(errors);
    if (data === null || errors.length > 0) throw unavailable('the platform answered an error');
    return data;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw unavailable('unknown', error);
    if (error.code === 'STORE_ACCESS_MISSING') throw new NoToken(error.message);
    throw PASSED_ON.has(error.code) ? error : unavailable(error.code, error);
  }
}

const PASSED_ON: ReadonlySet<ErrorCode> = new Set(['THROTTLED', 'STORE_DISCONNECTED']);

function unavailable(what: string, cause?: unknown): ServiceError {
  return new ServiceError('TEMPORARILY_UNAVAILABLE', {
    internal: `storefront token: ${what}`,
    retryAfterSeconds: 2,
    cause,
  });
}
