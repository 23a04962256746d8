/**
 * The platform's sign-in addresses of a store (OpenID Connect Discovery 1.0). Installing a store pins them;
 * afterwards a discovery is only held against the pinned ones, never followed: see sign-in-discovery.ts.
 */
import * as oauth from 'oauth4webapi';
import type { ShopDomain } from '../domain/shop-domain.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { SignInAddresses } from '../storage/stores.ts';
import { readJsonObject } from './classify-token-answer.ts';
import { refuseForbidden } from './sign-in-addresses.ts';
import type { RawAnswer, SendSignInRequest } from './sign-in-request.ts';

export type DiscoveryDeps = {
  readonly send: SendSignInRequest;
  /** PLATFORM_ORIGIN: `{shop}` stands for the store's domain. */
  readonly platformOrigin: string;
};

/** What the discovery document says; the Customer Account API's address has a document of its own. */
export type DiscoveredAddresses = Omit<SignInAddresses, 'customerApiUrl'>;

/**
 * All addresses of a store's sign-in, for pinning them. SignInAddressRefused if one may not be pinned;
 * TEMPORARILY_UNAVAILABLE if they cannot be had.
 */
export async function discoverSignIn(deps: DiscoveryDeps, domain: ShopDomain): Promise<SignInAddresses> {
  const addresses = await discoverAddresses(deps, domain);
  const answer = await getDocument(deps, domain, 'customer-account-api');
  const customerApiUrl = readJsonObject(answer)?.graphql_api;
  if (typeof customerApiUrl !== 'string' || !URL.canParse(customerApiUrl)) throw unusable('no graphql_api');
  const all = { ...addresses, customerApiUrl };
  refuseForbidden(all, deps.platformOrigin);
  return all;
}

/** The addresses in a store's discovery document as it is now; with `issuer`, held against that one. */
export async function discoverAddresses(
  deps: DiscoveryDeps,
  domain: ShopDomain,
  issuer?: string,
): Promise<DiscoveredAddresses> {
  const answer = await getDocument(deps, domain, 'openid-configuration');
  const expected = issuer ?? readJsonObject(answer)?.issuer;
  if (typeof expected !== 'string' || !URL.canParse(expected)) throw unusable('no issuer');
  const response = new Response(answer.body, { status: answer.status, headers: answer.headers });
  const server = await oauth.processDiscoveryResponse(new URL(expected), response);
  const addresses = {
    issuer: server.issuer,
    authorizationEndpoint: server.authorization_endpoint,
    tokenEndpoint: server.token_endpoint,
    jwksUri: server.jwks_uri,
    endSessionEndpoint: server.end_session_endpoint,
  };
  const missing = Object.entries(addresses).find(([, value]) => value === undefined || !URL.canParse(value));
  if (missing !== undefined) throw unusable(`no usable ${missing[0]}`);
  return addresses as DiscoveredAddresses;
}

async function getDocument(
  { send, platformOrigin }: DiscoveryDeps,
  domain: ShopDomain,
  name: string,
): Promise<RawAnswer> {
  const origin = platformOrigin.replaceAll('{shop}', domain);
  const url = `${origin}/.well-known/${name}`;
  const answer = await send({ method: 'GET', url, headers: { accept: 'application/json' } }).catch(
    (cause) => {
      throw unusable('no answer', cause);
    },
  );
  if (answer.status !== 200) throw unusable(`${name} answered ${answer.status}`);
  return answer;
}

function unusable(what: string, cause?: unknown): ServiceError {
  return new ServiceError('TEMPORARILY_UNAVAILABLE', {
    internal: `the platform's sign-in discovery: ${what}`,
    retryAfterSeconds: 5,
    cause,
  });
}
