/** `/authentication/{shopId}/…`: a store's sign-in. The token endpoint is the service's, the pages a browser's. */
import type { FaultableAnswer } from '../control/apply-fault.ts';
import { jsonAnswer, notFound } from '../http/answer.ts';
import { formOf, type PlatformRequest } from '../http/platform-request.ts';
import { callProvider } from '../sign-in/call-provider.ts';
import { answerInteraction } from '../sign-in/interaction.ts';
import { logOut } from '../sign-in/log-out.ts';
import { publicKeySet } from '../sign-in/signing-keys.ts';
import type { StoreSignIn } from '../sign-in/store-sign-in.ts';
import { isOriginAccepted, webClientIdOf } from '../sign-in/web-client.ts';
import { wayOf } from '../state/unpublished.ts';
import { answerMailbox } from './answer-mailbox.ts';
import { answerServiceCall } from './answer-service-call.ts';
import type { PlatformContext } from './platform-context.ts';

/** `segments` are those of the path below `/authentication/`. */
export async function answerAuthentication(
  context: PlatformContext,
  request: PlatformRequest,
  [shopId, ...segments]: readonly string[],
): Promise<FaultableAnswer> {
  const signIn = [...context.signIns.values()].find((each) => String(each.store().shopId) === shopId);
  if (signIn === undefined) return notFound();
  const below = segments.join('/');
  if (below === 'oauth/token') return answerToken(context, signIn, request);
  if (below === '.well-known/jwks.json') {
    const call = toServiceCall(signIn, request, ['jwks']);
    return answerServiceCall(context, call, async () => jsonAnswer(200, publicKeySet(signIn.signingKeys())));
  }
  if (below === 'logout') {
    const call = toServiceCall(signIn, request, ['logout']);
    return answerServiceCall(context, call, () => logOut(signIn, request, context.signInChanged));
  }
  if (segments[0] === '_mailbox') return answerMailbox(context, request, `${signIn.mountPath}/_mailbox`);
  if (segments[0] === 'interaction') return answerSteps(context, signIn, request);
  if (/^oauth\/authorize(\/[^/]+)?$/.test(below)) {
    return callProvider(signIn.provider(), request, signIn.mountPath);
  }
  return notFound();
}

function answerToken(context: PlatformContext, signIn: StoreSignIn, request: PlatformRequest) {
  const form = formOf(request);
  const step = form.get('grant_type') === 'refresh_token' ? 'refresh' : 'code';
  return answerServiceCall(context, toServiceCall(signIn, request, ['token', step]), async () => {
    const way = wayOf(signIn.store(), 'origin');
    const { origin, ...headers } = request.headers;
    // The real answer was seen with an empty error.
    const clientId = form.get('client_id');
    const isAccepted = isOriginAccepted(signIn.store(), clientId, origin);
    if (!isAccepted || (way === 'needed' && origin === undefined))
      return { ...jsonAnswer(401, {}), body: '' };
    // The provider itself refuses an Origin of a public client.
    const isWeb = clientId === webClientIdOf(signIn.store());
    const taken = way === 'refused' && !isWeb ? request : { ...request, headers };
    return signIn.inTurn(() => callProvider(signIn.provider(), taken, signIn.mountPath));
  });
}

async function answerSteps(context: PlatformContext, signIn: StoreSignIn, request: PlatformRequest) {
  const deps = {
    signIn,
    mails: context.state().mails,
    announce: context.announce,
    nowMs: context.clock.now,
    codeLifetimeSeconds: context.lifetimes.oneTimeCode,
    changed: () => {
      context.signInChanged();
      context.stateChanged();
    },
  };
  return answerInteraction(deps, request, request.path.slice(`${signIn.mountPath}/interaction/`.length));
}

function toServiceCall(signIn: StoreSignIn, request: PlatformRequest, operations: readonly string[]) {
  return { kind: 'sign-in' as const, shop: signIn.store().shop, operations, request };
}
