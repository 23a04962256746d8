/**
 * The endpoints of a store's own domain: the two discovery documents, the Admin API, and the token endpoint for apps.
 */
import type { FaultableResponse } from '../control/apply-fault.ts';
import { handleAccessTokenRequest } from '../grants/access-token-endpoint.ts';
import { handleAuthorizeRequest } from '../grants/authorize-endpoint.ts';
import { selectStoreGrants } from '../grants/grant-server.ts';
import type { PlatformRequest } from '../http/platform-request.ts';
import {
  createJsonResponse,
  createMethodNotAllowedResponse,
  createNotFoundResponse,
  type PlatformResponse,
} from '../http/response.ts';
import { handleCustomerAccountApi } from '../sign-in/customer-account-api.ts';
import { buildCustomerAccountApiConfiguration, buildOpenidConfiguration } from '../sign-in/discovery.ts';
import type { StoreSignIn } from '../sign-in/store-sign-in.ts';
import type { StoreState } from '../state/state.ts';
import { behaviourOfStore } from '../state/unpublished-behaviour.ts';
import { handleAdminRequest } from './handle-admin-request.ts';
import { handleServiceCall } from './handle-service-call.ts';
import type { PlatformContext } from './platform-context.ts';

type StorePath = { readonly storeKey: string; readonly remainingPath: string };

/**
 * `storeKey` is the shop's domain or that of its pages, or its id for the Customer Account API; `remainingPath` is the
 * path below it.
 */
export async function handleStoreRequest(
  context: PlatformContext,
  request: PlatformRequest,
  { storeKey, remainingPath }: StorePath,
) {
  const signIn = findStoreSignIn(context, storeKey);
  if (signIn === undefined) return createNotFoundResponse();
  const version = /^admin\/api\/([^/]+)\/graphql\.json$/.exec(remainingPath)?.[1];
  if (version !== undefined) return handleAdminRequest(context, request, { store: signIn.store(), version });
  if (remainingPath === 'admin/oauth/access_token') return handleAccessTokenCall(context, signIn, request);
  if (remainingPath === 'admin/oauth/authorize') return handleMerchantConsent(context, signIn, request);
  if (/^account\/customer\/api\/[^/]+\/graphql$/.test(remainingPath)) {
    const call = { ...toServiceCall(signIn, request), operations: ['customer'] };
    return handleServiceCall(context, call, () => handleCustomerAccountApi(signIn, request));
  }
  const document = findDiscoveryDocument(context, signIn, remainingPath);
  if (document === undefined) return createNotFoundResponse();
  const serviceCall = { ...toServiceCall(signIn, request), operations: ['discovery'] };
  return handleServiceCall(context, serviceCall, async () => {
    if (request.method !== 'GET') return createMethodNotAllowedResponse('GET');
    const { storefrontUrl } = signIn.store();
    const isDiscoveryMoved =
      behaviourOfStore(signIn.store(), 'discovery') === 'moved' && storeKey.endsWith('.myshopify.com');
    return isDiscoveryMoved
      ? createMovedResponse(`${context.origin}/${new URL(storefrontUrl).host}/${remainingPath}`)
      : createJsonResponse(200, document);
  });
}

function findStoreSignIn({ signIns }: PlatformContext, storeKey: string): StoreSignIn | undefined {
  const shop = decodeURIComponent(storeKey).toLowerCase();
  const namesOf = ({ shopId, storefrontUrl }: StoreState) => [String(shopId), new URL(storefrontUrl).host];
  return signIns.get(shop) ?? [...signIns.values()].find((each) => namesOf(each.store()).includes(shop));
}

function findDiscoveryDocument(
  context: PlatformContext,
  signIn: StoreSignIn,
  remainingPath: string,
): unknown {
  if (remainingPath === '.well-known/openid-configuration') return buildOpenidConfiguration(signIn.issuer);
  if (remainingPath !== '.well-known/customer-account-api') return undefined;
  return buildCustomerAccountApiConfiguration(context.origin, signIn.store().shopId);
}

function handleAccessTokenCall(
  context: PlatformContext,
  signIn: StoreSignIn,
  request: PlatformRequest,
): Promise<FaultableResponse> {
  const shop = signIn.store().shop;
  const call = { kind: 'admin' as const, shop, operations: ['access_token'], request };
  return handleServiceCall(context, call, async () => {
    const platformResponse = handleAccessTokenRequest(selectStoreGrants(context, signIn.store()), request);
    context.signInChanged();
    return platformResponse;
  });
}

/** For a browser, so the request is not logged and has no faults. */
function handleMerchantConsent(
  context: PlatformContext,
  signIn: StoreSignIn,
  request: PlatformRequest,
): FaultableResponse {
  const platformResponse = handleAuthorizeRequest(selectStoreGrants(context, signIn.store()), request);
  context.signInChanged();
  return platformResponse;
}

function createMovedResponse(location: string): PlatformResponse {
  return { status: 301, headers: { location }, body: '' };
}

function toServiceCall(signIn: StoreSignIn, request: PlatformRequest) {
  return { kind: 'sign-in' as const, shop: signIn.store().shop, request };
}
