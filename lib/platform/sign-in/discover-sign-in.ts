/**
 * Reads the platform's sign-in addresses of a store (OpenID Connect Discovery 1.0). Installing a store pins them;
 * later a discovery is only compared with the pinned ones, never followed: see check-discovery.ts.
 */
import * as oauth from 'oauth4webapi';
import { parseJsonObject } from '../../domain/json-object.ts';
import type { ShopDomain } from '../../domain/shop-domain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { SignInAddresses } from '../../storage/stores.ts';
import type { RawPlatformResponse } from '../send-request.ts';
import { toFetchResponse } from './authorization-server.ts';
import { rejectForbiddenAddresses } from './sign-in-addresses.ts';
import type { SendSignInRequest } from './sign-in-request.ts';

export type DiscoveryDeps = {
  readonly send: SendSignInRequest;
  /** PLATFORM_ORIGIN: `{shop}` is replaced by the store's domain. */
  readonly platformOrigin: string;
};

/** The addresses in a discovery document; the Customer Account API has its own document. */
export type DiscoveredAddresses = Omit<SignInAddresses, 'customerApiUrl'>;

/** TEMPORARILY_UNAVAILABLE, because a store's discovery document cannot be read; nothing is written then. */
export class DiscoveryFailed extends ServiceError {
  /** The text of an operator's next step. */
  readonly fix: string;
  /** True when a retry does not help. */
  readonly isPermanent: boolean;

  constructor(internal: string, { fix, cause }: { readonly fix?: string; readonly cause?: unknown } = {}) {
    super('TEMPORARILY_UNAVAILABLE', { internal, retryAfterSeconds: 5, cause });
    this.fix = fix ?? 'Try again.';
    this.isPermanent = fix !== undefined;
  }
}

/**
 * Reads all sign-in addresses of a store, for pinning them.
 * @throws ForbiddenSignInAddress when one may not be pinned
 * @throws DiscoveryFailed
 */
export async function discoverSignInAddresses(
  deps: DiscoveryDeps,
  domain: ShopDomain,
): Promise<SignInAddresses> {
  const addresses = await readDiscoveredAddresses(deps, domain).catch((error: unknown) => {
    throw error instanceof ServiceError
      ? error
      : unusableDiscoveryError('no usable openid-configuration', error);
  });
  const documentResponse = await fetchWellKnownDocument(deps, domain, 'customer-account-api');
  const customerApiUrl = parseJsonObject(documentResponse.body)?.graphql_api;
  if (typeof customerApiUrl !== 'string' || !URL.canParse(customerApiUrl))
    throw unusableDiscoveryError('no graphql_api');
  const allAddresses = { ...addresses, customerApiUrl };
  rejectForbiddenAddresses(allAddresses, deps.platformOrigin);
  return allAddresses;
}

/** Reads the addresses in a store's present discovery document; with `issuer`, requires that issuer. */
export async function readDiscoveredAddresses(
  deps: DiscoveryDeps,
  domain: ShopDomain,
  issuer?: string,
): Promise<DiscoveredAddresses> {
  const documentResponse = await fetchWellKnownDocument(deps, domain, 'openid-configuration');
  const expectedIssuer = issuer ?? parseJsonObject(documentResponse.body)?.issuer;
  if (typeof expectedIssuer !== 'string' || !URL.canParse(expectedIssuer))
    throw unusableDiscoveryError('no issuer');
  const serverMetadata = await oauth.processDiscoveryResponse(
    new URL(expectedIssuer),
    toFetchResponse(documentResponse),
  );
  const addresses = {
    issuer: serverMetadata.issuer,
    authorizationEndpoint: serverMetadata.authorization_endpoint,
    tokenEndpoint: serverMetadata.token_endpoint,
    jwksUri: serverMetadata.jwks_uri,
    endSessionEndpoint: serverMetadata.end_session_endpoint,
  };
  const missingAddress = Object.entries(addresses).find(
    ([, value]) => value === undefined || !URL.canParse(value),
  );
  if (missingAddress !== undefined) throw unusableDiscoveryError(`no usable ${missingAddress[0]}`);
  return addresses as DiscoveredAddresses;
}

async function fetchWellKnownDocument(
  { send, platformOrigin }: DiscoveryDeps,
  domain: ShopDomain,
  name: string,
): Promise<RawPlatformResponse> {
  const storeOrigin = platformOrigin.replaceAll('{shop}', domain);
  const url = `${storeOrigin}/.well-known/${name}`;
  const documentResponse = await send({ method: 'GET', url, headers: { accept: 'application/json' } }).catch(
    (cause) => {
      throw unusableDiscoveryError('no answer', cause);
    },
  );
  if (documentResponse.status >= 300 && documentResponse.status < 400)
    throw redirectRefusedError(documentResponse, url, domain);
  if (documentResponse.status !== 200)
    throw unusableDiscoveryError(`${name} answered ${documentResponse.status}`);
  return documentResponse;
}

/** Refuses a redirect: its target could change where customers sign in, which only the store's own domain may. */
function redirectRefusedError(
  { status, headers }: RawPlatformResponse,
  url: string,
  domain: ShopDomain,
): DiscoveryFailed {
  const redirectUrl = URL.parse(headers.location ?? '', url);
  const redirectTarget = redirectUrl === null ? 'nowhere' : `${redirectUrl.origin}${redirectUrl.pathname}`;
  return new DiscoveryFailed(
    `the platform's sign-in discovery of ${domain} answers with a redirect (${status}) to ${redirectTarget}, which is not followed`,
    {
      fix:
        "Compare the domain with the store's myshopify.com domain under Settings → Domains: one from before a change redirects. " +
        'If it is the same, this version cannot serve the sign-in of the store.',
    },
  );
}

function unusableDiscoveryError(problem: string, cause?: unknown): DiscoveryFailed {
  return new DiscoveryFailed(`the platform's sign-in discovery: ${problem}`, { cause });
}
