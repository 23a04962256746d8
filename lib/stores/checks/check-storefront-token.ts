/**
 * Checks whether the store has the token for the Storefront API that apps request, and whether it is still valid at the
 * platform. Creates no token.
 */
import { ServiceError } from '../../errors/service-error.ts';
import { requestDeadlineAtMs } from '../../platform/admin-api/admin-client.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import type { CheckStoreDeps } from './check-store-deps.ts';
import { errorTextOfFinding } from './error-text-of-finding.ts';
import type { StoreFinding } from './store-finding.ts';

const STOREFRONT_TOKEN_FINDING_NAME = 'Storefront token';
const RETRIED_AUTOMATICALLY_TEXT = 'The scheduled work tries again within a day';
const STOREFRONT_TOKENS_DOCUMENT = `query StorefrontTokens {
  shop { storefrontAccessTokens(first: 100) { nodes { accessToken } } }
}`;

type ShopWithTokens = {
  readonly storefrontAccessTokens?: { readonly nodes: readonly { readonly accessToken: string }[] };
};

/** Returns the finding. It does not contain the token. */
export async function checkStorefrontToken(deps: CheckStoreDeps, store: StoreRecord): Promise<StoreFinding> {
  const { storefrontAccessToken } = store;
  if (!storefrontAccessToken) return storedTokenFinding(store);
  const request = {
    store,
    document: STOREFRONT_TOKENS_DOCUMENT,
    variables: {},
    mutates: false,
    costKey: STOREFRONT_TOKENS_DOCUMENT,
  };
  try {
    const { data } = await deps.sendAdmin({ ...request, deadlineAtMs: requestDeadlineAtMs(deps.now()) });
    const tokens = (data?.shop as ShopWithTokens | undefined)?.storefrontAccessTokens?.nodes;
    if (tokens === undefined) return unseenTokenFinding('see the scopes above');
    return tokens.some(({ accessToken }) => accessToken === storefrontAccessToken)
      ? {
          name: STOREFRONT_TOKEN_FINDING_NAME,
          state: 'ok',
          found: 'created, and still valid at the platform',
        }
      : lostTokenFinding(store);
  } catch (error) {
    const explainingText = error instanceof ServiceError && FINDING_TEXT_BY_ERROR_CODE[error.code];
    return explainingText
      ? unseenTokenFinding(explainingText)
      : {
          name: STOREFRONT_TOKEN_FINDING_NAME,
          state: 'unknown',
          found: errorTextOfFinding(error),
          fix: 'Try again.',
        };
  }
}

/** For errors that another finding explains: the text that refers to that finding, by error code. */
const FINDING_TEXT_BY_ERROR_CODE: Readonly<Partial<Record<string, string>>> = {
  STORE_DISCONNECTED: 'see Grant',
  STORE_ACCESS_MISSING: 'see the scopes above',
};

function unseenTokenFinding(referenceText: string): StoreFinding {
  return {
    name: STOREFRONT_TOKEN_FINDING_NAME,
    state: 'unseen',
    found: `created; the platform does not show whether it still works: ${referenceText}`,
  };
}

function lostTokenFinding({ domain }: StoreRecord): StoreFinding {
  return {
    name: STOREFRONT_TOKEN_FINDING_NAME,
    state: 'missing',
    found: 'it is no longer valid at the platform: apps cannot read the public catalogue',
    fix: `Run store update ${domain} --storefront-token to create another one now; the scheduled work does it within a day.`,
  };
}

/** Returns the finding from the store's item, without a request to the platform. */
export function storedTokenFinding(store: StoreRecord): StoreFinding {
  const { storefrontAccessToken, storefrontRefusal, domain } = store;
  if (storefrontAccessToken) return { name: STOREFRONT_TOKEN_FINDING_NAME, state: 'ok', found: 'created' };
  const tryNowText = `store update ${domain} --storefront-token tries it now`;
  if (storefrontRefusal === undefined)
    return {
      name: STOREFRONT_TOKEN_FINDING_NAME,
      state: 'unseen',
      found: `none yet: the scheduled work creates it within a day; ${tryNowText}`,
    };
  const { atMs, reason, isPassing: isTransient = false } = storefrontRefusal;
  const refusedAtText = new Date(atMs).toISOString().slice(0, 16).replace('T', ' ');
  const fixText = isTransient ? '' : `${remediationForReason(reason)} `;
  return {
    name: STOREFRONT_TOKEN_FINDING_NAME,
    state: 'optional',
    found: `none, so apps cannot read the public catalogue. The platform said at ${refusedAtText} UTC: ${reason}`,
    fix: `${fixText}${RETRIED_AUTOMATICALLY_TEXT}; ${tryNowText}.`,
  };
}

function remediationForReason(reason: string): string {
  if (reason === 'STORE_DISCONNECTED') return 'Give the store a new grant: see Grant.';
  return "Enable access to the Storefront API for the app at the platform; if it says that there are too many tokens, delete some of the app's.";
}
