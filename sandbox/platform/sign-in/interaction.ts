/**
 * A sign-in in progress: e-mail, code, and back to the provider, which redirects the browser to the app. The
 * authorization endpoint leads here, except for a customer with an active session.
 */
import type Provider from 'oidc-provider';
import type { InteractionResults } from 'oidc-provider';
import { type PlatformRequest, parseForm } from '../http/platform-request.ts';
import {
  createMethodNotAllowedResponse,
  createNotFoundResponse,
  type PlatformResponse,
  redirectSeeOther,
} from '../http/response.ts';
import { renderSignInErrorPage } from '../pages/sign-in-error-page.ts';
import { renderCodePage, renderEmailPage } from '../pages/sign-in-pages.ts';
import type { MailRecord } from '../state/state.ts';
import { createReplayedRequest } from './call-provider.ts';
import { type CodeDeps, checkOneTimeCode, sendOneTimeCode } from './one-time-codes.ts';
import { findSessionEntry } from './record-store.ts';
import type { StoreSignIn } from './store-sign-in.ts';

export type InteractionDeps = {
  readonly signIn: StoreSignIn;
  readonly mails: MailRecord[];
  readonly announce: (line: string) => void;
  readonly nowMs: () => number;
  readonly codeLifetimeSeconds: number;
  readonly onChange: () => void;
};

type InteractionDetails = Awaited<ReturnType<Provider['interactionDetails']>>;

type InteractionRequest = {
  readonly deps: InteractionDeps;
  readonly request: PlatformRequest;
  readonly details: InteractionDetails;
  readonly uid: string;
};

type InteractionStep = (
  interactionRequest: InteractionRequest,
) => PlatformResponse | Promise<PlatformResponse>;

const STEP_BY_NAME: Readonly<Record<string, InteractionStep>> = {
  email: submitEmail,
  code: submitCode,
  again: resendCode,
  cancel: (interactionRequest) =>
    finishInteraction(interactionRequest, {
      error: 'access_denied',
      error_description: 'The customer cancelled the sign-in.',
    }),
};

/** Handles a request of a sign-in in progress. `pathBelow` is the path below `/interaction/`: the sign-in's uid and, for forms, the step. */
export async function handleInteraction(
  deps: InteractionDeps,
  request: PlatformRequest,
  pathBelow: string,
): Promise<PlatformResponse> {
  const [uid = '', stepName, ...remainingSegments] = pathBelow.split('/');
  const runStep = stepName === undefined ? undefined : STEP_BY_NAME[stepName];
  if (remainingSegments.length > 0 || (stepName !== undefined && runStep === undefined))
    return createNotFoundResponse();
  const expectedMethod = runStep === undefined ? 'GET' : 'POST';
  if (request.method !== expectedMethod) return createMethodNotAllowedResponse(expectedMethod);
  const { req, res } = createReplayedRequest(request, deps.signIn.mountPath);
  const interactionDetails = await deps.signIn
    .provider()
    .interactionDetails(req, res)
    .catch(() => undefined);
  if (interactionDetails === undefined || interactionDetails.uid !== uid)
    return renderSignInErrorPage(400, { error: 'session_expired' });
  const interactionRequest = { deps, request, details: interactionDetails, uid };
  // An app may request consent (prompt=consent). The platform has no consent page, so it is granted without asking.
  if (interactionDetails.prompt.name === 'consent')
    return finishInteraction(interactionRequest, { consent: {} });
  return runStep === undefined ? renderCurrentStep(interactionRequest) : runStep(interactionRequest);
}

function renderCurrentStep(interactionRequest: InteractionRequest): PlatformResponse {
  const sentCode = interactionRequest.deps.signIn.codes.get(interactionRequest.uid);
  return sentCode === undefined || interactionRequest.request.query.get('step') === 'email'
    ? renderEmailStep(interactionRequest)
    : renderCodeStep(interactionRequest);
}

function submitEmail(interactionRequest: InteractionRequest): PlatformResponse {
  const email = (parseForm(interactionRequest.request).get('email') ?? '').trim().toLowerCase();
  if (!/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>.]+$/.test(email) || email.length > 254) {
    return renderEmailStep(interactionRequest, {
      email,
      error: 'Enter an email address, such as name@example.com.',
    });
  }
  return sendCodeMail(interactionRequest, email);
}

function resendCode(interactionRequest: InteractionRequest): PlatformResponse {
  const sentCode = interactionRequest.deps.signIn.codes.get(interactionRequest.uid);
  return sentCode === undefined
    ? redirectSeeOther(formatInteractionPath(interactionRequest))
    : sendCodeMail(interactionRequest, sentCode.email);
}

function sendCodeMail(interactionRequest: InteractionRequest, email: string): PlatformResponse {
  sendOneTimeCode(createCodeDeps(interactionRequest.deps), interactionRequest.uid, email);
  interactionRequest.deps.onChange();
  return redirectSeeOther(formatInteractionPath(interactionRequest));
}

async function submitCode(interactionRequest: InteractionRequest): Promise<PlatformResponse> {
  const { signIn, nowMs, onChange } = interactionRequest.deps;
  const sentCode = signIn.codes.get(interactionRequest.uid);
  if (sentCode === undefined) return redirectSeeOther(formatInteractionPath(interactionRequest));
  const enteredCode = (parseForm(interactionRequest.request).get('code') ?? '').replace(/[\s-]/g, '');
  if (!/^\d{6}$/.test(enteredCode))
    return renderCodeStep(interactionRequest, 'Enter the six digits of the code.');
  const codeVerdict = checkOneTimeCode(signIn.codes, interactionRequest.uid, {
    entered: enteredCode,
    nowMs: nowMs(),
  });
  onChange();
  if (codeVerdict === 'void')
    return renderCodeStep(interactionRequest, 'This code is no longer valid. Send a new one.');
  if (codeVerdict === 'wrong')
    return renderCodeStep(
      interactionRequest,
      formatWrongCodeMessage(signIn.codes.get(interactionRequest.uid)?.triesLeft ?? 0),
    );
  const customer = [...signIn.store().customers.values()].find(
    ({ email }) => email.toLowerCase() === sentCode.email,
  );
  signIn.codes.delete(interactionRequest.uid);
  if (customer === undefined) {
    const error = `${signIn.store().name} has no customer with the email address ${sentCode.email}. Use another one.`;
    return renderEmailStep(interactionRequest, { email: sentCode.email, error });
  }
  return finishInteraction(interactionRequest, { login: { accountId: String(customer.id), remember: true } });
}

function formatWrongCodeMessage(triesLeft: number): string {
  const left = triesLeft === 1 ? 'You have one try left.' : `You have ${triesLeft} tries left.`;
  return `That is not the code. Check it and enter it again. ${left}`;
}

/** Passes the result to the provider and redirects the browser. */
async function finishInteraction(
  { deps: { signIn, onChange }, request, details }: InteractionRequest,
  result: InteractionResults,
) {
  const { req, res } = createReplayedRequest(request, signIn.mountPath);
  const returnTo = await signIn
    .provider()
    .interactionResult(req, res, result, { mergeWithLastSubmission: true });
  const { accountId } = result.login ?? {};
  if (accountId !== undefined) removeSessionOfOtherCustomer(signIn, { uid: details.session?.uid, accountId });
  onChange();
  const { pathname, search } = new URL(returnTo);
  return redirectSeeOther(pathname + search);
}

/** Removes the session of another customer in the same browser; otherwise the provider asks for a log-out first. */
function removeSessionOfOtherCustomer(
  signIn: StoreSignIn,
  currentSession: { uid: string | undefined; accountId: string },
): void {
  const sessionEntry =
    currentSession.uid === undefined
      ? undefined
      : findSessionEntry(signIn.records, ({ uid }) => uid === currentSession.uid);
  if (sessionEntry === undefined || sessionEntry[1].accountId === currentSession.accountId) return;
  const [key, { accountId: _accountId, authorizations: _authorizations, loginTs: _loginTs, ...session }] =
    sessionEntry;
  signIn.records.set(key, session);
}

function renderEmailStep(
  interactionRequest: InteractionRequest,
  entered: { email?: string; error?: string } = {},
): PlatformResponse {
  const { signIn } = interactionRequest.deps;
  const { login_hint: loginHint, locale } = interactionRequest.details.params;
  const earlierEmail = signIn.codes.get(interactionRequest.uid)?.email;
  const customers = [...signIn.store().customers.values()];
  return renderEmailPage({
    ...createPageInput(interactionRequest),
    email: entered.email ?? earlierEmail ?? (typeof loginHint === 'string' ? loginHint : ''),
    examples: customers.slice(0, 4).map(({ email }) => email),
    locale: typeof locale === 'string' ? locale : undefined,
    error: entered.error,
  });
}

function renderCodeStep(interactionRequest: InteractionRequest, error?: string): PlatformResponse {
  const email = interactionRequest.deps.signIn.codes.get(interactionRequest.uid)?.email ?? '';
  return renderCodePage({ ...createPageInput(interactionRequest), email, error });
}

function createPageInput(interactionRequest: InteractionRequest) {
  const { signIn } = interactionRequest.deps;
  const { name, redirectUris, webRedirectUris = [] } = signIn.store();
  return {
    storeName: name,
    path: formatInteractionPath(interactionRequest),
    mailboxPath: `${signIn.mountPath}/_mailbox`,
    formTargets: [
      ...redirectUris.map((uri) => new URL(uri).protocol),
      ...webRedirectUris.map((uri) => new URL(uri).origin),
    ],
  };
}

function formatInteractionPath({ deps, uid }: InteractionRequest): string {
  return `${deps.signIn.mountPath}/interaction/${uid}`;
}

function createCodeDeps({ signIn, mails, announce, nowMs, codeLifetimeSeconds }: InteractionDeps): CodeDeps {
  const storeName = signIn.store().name;
  return { codes: signIn.codes, storeName, mails, announce, nowMs, lifetimeSeconds: codeLifetimeSeconds };
}
