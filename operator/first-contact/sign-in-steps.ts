/** The measurements of the platform's sign-in and of its token endpoint for the app. */
import { parseJsonObject } from '../../lib/domain/json-object.ts';
import {
  type PresentedCredential,
  requestAccessToken,
} from '../../lib/platform/grants/request-access-token.ts';
import { TransportError } from '../../lib/platform/send-request.ts';
import {
  createFinding,
  createNotMeasuredFinding,
  createSupportedFinding,
  type MeasurementContext,
  type PlatformMeasurement,
  quoteForReport,
} from './measurement.ts';

const DISCOVERY_DOCUMENTS = ['openid-configuration', 'customer-account-api'];

export const discoveryMeasurement: PlatformMeasurement = {
  name: 'discovery',
  claim: 'The myshopify.com domain itself serves both discovery documents, without a redirect.',
  reliance:
    'Only that domain is asked, and no redirect is followed (lib/platform/sign-in/discover-sign-in.ts).',
  async measure(context) {
    const documentResponses = [];
    for (const name of DISCOVERY_DOCUMENTS) documentResponses.push(await fetchDocument(context, name));
    const observedMessages = documentResponses.map(({ message }) => message);
    if (documentResponses.some(({ status }) => status === 0 || status >= 500))
      return createNotMeasuredFinding('The platform did not answer.', observedMessages);
    if (documentResponses.some(({ status }) => status !== 200))
      return createFinding(false, 'It does not serve them.', observedMessages);
    const isPinned = documentResponses[0]?.issuer === context.store.signIn.issuer;
    return createFinding(true, `The issuer is ${isPinned ? '' : 'not '}the pinned one.`, observedMessages);
  },
};

async function fetchDocument({ send, target, store }: MeasurementContext, name: string) {
  const url = `${target.platformOrigin.replaceAll('{shop}', store.domain)}/.well-known/${name}`;
  const documentResponse = await receiveOrUndefined(
    send({ method: 'GET', url, headers: { accept: 'application/json' } }),
  );
  if (documentResponse === undefined) return { status: 0, message: `${name}: no answer` };
  const { status, headers, body } = documentResponse;
  const redirectUrl = URL.parse(headers.location ?? '');
  // Only origin and path: the query may contain codes and states.
  const message = `${name}: status ${status}${redirectUrl === null ? '' : ` to ${quoteForReport(`${redirectUrl.origin}${redirectUrl.pathname}`)}`}`;
  return { status, message, issuer: parseJsonObject(body)?.issuer };
}

/** @returns undefined when no response arrived */
async function receiveOrUndefined<Answer>(request: Promise<Answer>): Promise<Answer | undefined> {
  return request.catch((error: unknown) => {
    if (error instanceof TransportError) return undefined;
    throw error;
  });
}

/** A secret or token that the platform cannot know. */
const UNKNOWN_CREDENTIAL = 'first-contact';

export const originMeasurement: PlatformMeasurement = {
  name: 'origin',
  claim: 'The token endpoint takes a mobile client without an Origin header.',
  reliance: 'No Origin is sent to the token endpoint (lib/platform/sign-in/sign-in-request.ts).',
  async measure(context) {
    const { clientId, domain } = context.store;
    if (!clientId) return createNotMeasuredFinding('The store has no client id of the Customer Account API.');
    const attempts = [];
    // The last origin is that of an app in a web view.
    for (const origin of [undefined, `https://${domain}`, 'https://localhost'])
      attempts.push(await probeOrigin(context, clientId, origin));
    const observedMessages = attempts.map(({ message }) => message);
    const [isTakenWithoutOrigin, ...takenWithOrigin] = attempts.map(({ isTaken }) => isTaken);
    if (isTakenWithoutOrigin)
      return createFinding(
        true,
        `With one it is ${takenWithOrigin.every(Boolean) ? 'taken, too' : 'refused'}.`,
        observedMessages,
      );
    return takenWithOrigin.some(Boolean)
      ? createFinding(false, 'It is taken with an Origin alone.', observedMessages)
      : createNotMeasuredFinding('The client is refused in every form: see store check.', observedMessages);
  },
};

/** The endpoint answers invalid_grant only when it accepts the client. */
async function probeOrigin(
  { store, send }: MeasurementContext,
  clientId: string,
  origin: string | undefined,
) {
  const tokenRequestForm = {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: UNKNOWN_CREDENTIAL,
  };
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...{ accept: 'application/json', ...(origin !== undefined && { origin }) },
  };
  const body = new URLSearchParams(tokenRequestForm).toString();
  const tokenResponse = await receiveOrUndefined(
    send({ method: 'POST', url: store.signIn.tokenEndpoint, headers, body }),
  );
  const error = tokenResponse && (parseJsonObject(tokenResponse.body)?.error ?? 'no error');
  const message =
    tokenResponse === undefined ? 'no answer' : `status ${tokenResponse.status}, ${quoteForReport(error)}`;
  return { isTaken: error === 'invalid_grant', message: `Origin ${origin ?? 'absent'}: ${message}` };
}

const PROBED_GRANT_REQUESTS: readonly PresentedCredential[] = [
  { grant_type: 'client_credentials' },
  { grant_type: 'refresh_token', refresh_token: UNKNOWN_CREDENTIAL },
];

export const appSecretMeasurement: PlatformMeasurement = {
  name: 'app-secret',
  claim: 'An app whose secret was changed is refused with invalid_client.',
  reliance:
    'Any 4xx but 408 and 429 ends a grant, with the alarm store-disconnected; anything else is retried (lib/platform/grants/renew-grant.ts).',
  async measure({ target, postForm, now, store, readAppClientId }) {
    const clientId = await readAppClientId();
    if (clientId === undefined)
      return createNotMeasuredFinding('The store was installed with a token alone.');
    const app = { clientId, clientSecret: UNKNOWN_CREDENTIAL };
    const deps = { postForm, platformOrigin: target.platformOrigin, now };
    const resultCodes: string[] = [];
    for (const presentedRequest of PROBED_GRANT_REQUESTS) {
      const tokenResult = await requestAccessToken(deps, {
        domain: store.domain,
        app,
        credential: presentedRequest,
      });
      resultCodes.push(tokenResult.kind === 'refused' ? tokenResult.reason : tokenResult.kind);
    }
    const observedTexts = ['client credentials', 'refresh token'].map(
      (what, index) => `${what}: ${resultCodes[index]}`,
    );
    if (resultCodes.includes('given'))
      return createFinding(false, 'It is given a token all the same.', observedTexts);
    if (resultCodes.includes('unanswered'))
      return createNotMeasuredFinding(
        'If the platform is not down, a changed secret looks like an outage.',
        observedTexts,
      );
    return resultCodes.every((resultCode) => resultCode === 'invalid_client')
      ? createFinding(true, 'In either form.', observedTexts)
      : createSupportedFinding('It is refused with another code.', observedTexts);
  },
};
