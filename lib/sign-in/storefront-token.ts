/** A storefront token for public catalogue data. The platform allows few, so a store has one, made once. */
import type { ShopDomain } from '../domain/shop-domain.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { PostAdminDocument } from '../platform/post-admin-document.ts';
import type { StorefrontLease, StorefrontTokens } from '../storage/storefront-tokens.ts';
import type { StoreRecord, Stores } from '../storage/stores.ts';
import { crashPoint } from './crash-point.ts';
import { findInstalledStore } from './find-store.ts';

export type StorefrontTokenDeps = {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly stores: Stores;
  readonly storefrontTokens: StorefrontTokens;
  readonly postAdminDocument: PostAdminDocument;
};
export type StorefrontTokenAnswer = { readonly storefrontAccessToken: string; readonly shop: ShopDomain };

const TITLE = 'Subscription management service';
const LEASE_MS = 15_000;
const POLL_MS = 200;
/** 2 s in all. */
const MAX_WAITS = 10;
const LIST = '{ shop { storefrontAccessTokens(first: 100) { nodes { title accessToken } } } }';
const CREATE = `mutation ($title: String!) {
  storefrontAccessTokenCreate(input: { title: $title }) {
    storefrontAccessToken { accessToken }
    userErrors { message }
  }
}`;

/**
 * The store's storefront token. SHOP_NOT_INSTALLED, STORE_DISCONNECTED, THROTTLED, TEMPORARILY_UNAVAILABLE
 * (also while another request is making it).
 */
export async function storefrontToken(
  deps: StorefrontTokenDeps,
  { shop }: { readonly shop: ShopDomain },
): Promise<StorefrontTokenAnswer> {
  for (let waits = 0; waits <= MAX_WAITS; waits++) {
    const store = await findInstalledStore(deps, shop);
    const { storefrontAccessToken } = store;
    if (storefrontAccessToken) return { storefrontAccessToken, shop };
    const nowMs = deps.now();
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
    const token = (await findToken(deps, lease.store)) ?? (await createToken(deps, lease.store));
    crashPoint('storefront-token.after-create');
    const kept = await deps.storefrontTokens.keep(lease, token);
    if (kept.outcome === 'refused') throw unavailable('the store was changed meanwhile');
    return token;
  } catch (error) {
    await deps.storefrontTokens.release(lease).catch(() => undefined);
    throw error;
  }
}

/** One of ours may be there: from before a crash, or before the store was installed again. */
async function findToken(
  { postAdminDocument }: StorefrontTokenDeps,
  store: StoreRecord,
): Promise<string | undefined> {
  const data = (await postAdminDocument(store, { query: LIST })) as {
    shop?: { storefrontAccessTokens?: { nodes?: { title: string; accessToken: string }[] } };
  };
  return data.shop?.storefrontAccessTokens?.nodes?.find(({ title }) => title === TITLE)?.accessToken;
}

async function createToken({ postAdminDocument }: StorefrontTokenDeps, store: StoreRecord): Promise<string> {
  const data = (await postAdminDocument(store, { query: CREATE, variables: { title: TITLE } })) as {
    storefrontAccessTokenCreate?: { storefrontAccessToken?: { accessToken?: string } | null };
  };
  const token = data.storefrontAccessTokenCreate?.storefrontAccessToken?.accessToken;
  if (!token) throw unavailable('the platform made no token');
  return token;
}

function unavailable(what: string): ServiceError {
  return new ServiceError('TEMPORARILY_UNAVAILABLE', {
    internal: `storefront token: ${what}`,
    retryAfterSeconds: 2,
  });
}
