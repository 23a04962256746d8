/**
 * `/authentication/{shopId}/…`: a store's sign-in. The service calls the token endpoint, and browsers open the pages.
 */
import type { FaultableResponse } from '../control/apply-fault.ts';
import { type PlatformRequest, parseForm } from '../http/platform-request.ts';
import { createJsonResponse, createNotFoundResponse } from '../http/response.ts';
import { callProvider } from '../sign-in/call-provider.ts';
import { handleLogOut } from '../sign-in/handle-log-out.ts';
import { handleInteraction } from '../sign-in/interaction.ts';
import { toPublicKeySet } from '../sign-in/signing-keys.ts';
import type { StoreSignIn } from '../sign-in/store-sign-in.ts';
import { isOriginAccepted, webClientIdOfStore } from '../sign-in/web-client.ts';
import { behaviourOfStore } from '../state/unpublished-behaviour.ts';
import { handleMailbox } from './handle-mailbox.ts';
import { handleServiceCall } from './handle-service-call.ts';
import type { PlatformContext } from './platform-context.ts';

/** Handles a request of a sign-in. `segments` are those of the path below `/authentication/`. */
export async function handleAuthentication(
  context: PlatformContext,
  request: PlatformRequest,
  [shopId, ...segments]: readonly string[],
): Promise<FaultableResponse> {
  const signIn = [...context.signIns.values()].find((each) => String(each.store().shopId) === shopId);
  if (signIn === undefined) return createNotFoundResponse();
  const pathBelow = segments.join('/');
  if (pathBelow === 'oauth/token') return handleTokenRequest(context, signIn, request);
  if (pathBelow === '.well-known/jwks.json') {
    const call = toServiceCall(signIn, request, ['jwks']);
    return handleServiceCall(context, call, async () =>
      createJsonResponse(200, toPublicKeySet(signIn.signingKeys())),
    );
  }
  if (pathBelow === 'logout') {
    const call = toServiceCall(signIn, request, ['logout']);
    return handleServiceCall(context, call, () => handleLogOut(signIn, request, context.signInChanged));
  }
  if (segments[0] === '_mailbox') return handleMailbox(context, request, `${signIn.mountPath}/_mailbox`);
  if (segments[0] === 'interaction') return handleSignInPages(context, signIn, request);
  if (/^oauth\/authorize(\/[^/]+)?$/.test(pathBelow)) {
    return callProvider(signIn.provider(), request, signIn.mountPath);
  }
  return createNotFoundResponse();
}

function handleTokenRequest(context: PlatformContext, signIn: StoreSignIn, request: PlatformRequest) {
  const form = parseForm(request);
  const tokenStep = form.get('grant_type') === 'refresh_token' ? 'refresh' : 'code';
  return handleServiceCall(context, toServiceCall(signIn, request, ['token', tokenStep]), async () => {
    const originBehaviour = behaviourOfStore(signIn.store(), 'origin');
    const { origin, ...headers } = request.headers;
    // The platform's response, as observed, has an empty error.
    const clientId = form.get('client_id');
    const isOriginAllowed = isOriginAccepted(signIn.store(), clientId, origin);
    if (!isOriginAllowed || (originBehaviour === 'needed' && origin === undefined))
      return { ...createJsonResponse(401, {}), body: '' };
    // The provider itself refuses an Origin of a public client.
    const isWebClient = clientId === webClientIdOfStore(signIn.store());
    const forwardedRequest =
      originBehaviour === 'refused' && !isWebClient ? request : { ...request, headers };
    return signIn.runSequentially(() => callProvider(signIn.provider(), forwardedRequest, signIn.mountPath));
  });
}

async function handleSignInPages(context: PlatformContext, signIn: StoreSignIn, request: PlatformRequest) {
  const deps = {
    signIn,
    mails: context.state().mails,
    announce: context.announce,
    nowMs: context.clock.now,
    codeLifetimeSeconds: context.lifetimes.oneTimeCode,
    onChange: () => {
      context.signInChanged();
      context.stateChanged();
    },
  };
  return handleInteraction(deps, request, request.path.slice(`${signIn.mountPath}/interaction/`.length));
}

function toServiceCall(signIn: StoreSignIn, request: PlatformRequest, operations: readonly string[]) {
  return { kind: 'sign-in' as const, shop: signIn.store().shop, operations, request };
}
