/**
 * The endpoints of a store's own domain: the two discovery documents, the Admin API, and the token endpoint for apps.
 */
import type { FaultableAnswer } from '../control/apply-fault.ts';
import { answerAccessToken } from '../grants/access-token-endpoint.ts';
import { answerAuthorize } from '../grants/authorize-endpoint.ts';
import { grantServerOf } from '../grants/grant-server.ts';
import { type Answer, jsonAnswer, methodNotAllowed, notFound } from '../http/answer.ts';
import type { PlatformRequest } from '../http/platform-request.ts';
import { answerCustomerAccountApi } from '../sign-in/customer-account-api.ts';
import { customerAccountApiConfiguration, openidConfiguration } from '../sign-in/discovery.ts';
import type { StoreSignIn } from '../sign-in/store-sign-in.ts';
import type { StoreState } from '../state/state.ts';
import { wayOf } from '../state/unpublished.ts';
import { answerAdmin } from './answer-admin.ts';
import { answerServiceCall } from './answer-service-call.ts';
import type { PlatformContext } from './platform-context.ts';

type StorePath = { readonly first: string; readonly below: string };

/**
 * `first` is the shop's domain or that of its pages, or its id for the Customer Account API; `below` is the path under
 * it.
 */
export async function answerStore(
  context: PlatformContext,
  request: PlatformRequest,
  { first, below }: StorePath,
) {
  const signIn = findStore(context, first);
  if (signIn === undefined) return notFound();
  const version = /^admin\/api\/([^/]+)\/graphql\.json$/.exec(below)?.[1];
  if (version !== undefined) return answerAdmin(context, request, { store: signIn.store(), version });
  if (below === 'admin/oauth/access_token') return giveGrant(context, signIn, request);
  if (below === 'admin/oauth/authorize') return askMerchant(context, signIn, request);
  if (/^account\/customer\/api\/[^/]+\/graphql$/.test(below)) {
    const call = { ...toServiceCall(signIn, request), operations: ['customer'] };
    return answerServiceCall(context, call, () => answerCustomerAccountApi(signIn, request));
  }
  const document = findDiscoveryDocument(context, signIn, below);
  if (document === undefined) return notFound();
  const call = { ...toServiceCall(signIn, request), operations: ['discovery'] };
  return answerServiceCall(context, call, async () => {
    if (request.method !== 'GET') return methodNotAllowed('GET');
    const { storefrontUrl } = signIn.store();
    const isMoved = wayOf(signIn.store(), 'discovery') === 'moved' && first.endsWith('.myshopify.com');
    return isMoved
      ? movedAnswer(`${context.origin}/${new URL(storefrontUrl).host}/${below}`)
      : jsonAnswer(200, document);
  });
}

function findStore({ signIns }: PlatformContext, first: string): StoreSignIn | undefined {
  const shop = decodeURIComponent(first).toLowerCase();
  const namesOf = ({ shopId, storefrontUrl }: StoreState) => [String(shopId), new URL(storefrontUrl).host];
  return signIns.get(shop) ?? [...signIns.values()].find((each) => namesOf(each.store()).includes(shop));
}

function findDiscoveryDocument(context: PlatformContext, signIn: StoreSignIn, below: string): unknown {
  if (below === '.well-known/openid-configuration') return openidConfiguration(signIn.issuer);
  if (below !== '.well-known/customer-account-api') return undefined;
  return customerAccountApiConfiguration(context.origin, signIn.store().shopId);
}

function giveGrant(
  context: PlatformContext,
  signIn: StoreSignIn,
  request: PlatformRequest,
): Promise<FaultableAnswer> {
  const shop = signIn.store().shop;
  const call = { kind: 'admin' as const, shop, operations: ['access_token'], request };
  return answerServiceCall(context, call, async () => {
    const answer = answerAccessToken(grantServerOf(context, signIn.store()), request);
    context.signInChanged();
    return answer;
  });
}

/** For a browser, so the request is not logged and has no faults. */
function askMerchant(
  context: PlatformContext,
  signIn: StoreSignIn,
  request: PlatformRequest,
): FaultableAnswer {
  const answer = answerAuthorize(grantServerOf(context, signIn.store()), request);
  context.signInChanged();
  return answer;
}

function movedAnswer(location: string): Answer {
  return { status: 301, headers: { location }, body: '' };
}

function toServiceCall(signIn: StoreSignIn, request: PlatformRequest) {
  return { kind: 'sign-in' as const, shop: signIn.store().shop, request };
}
