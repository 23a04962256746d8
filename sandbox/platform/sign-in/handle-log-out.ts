/** The end_session_endpoint. Apps call it as an API, so it shows no page and responds with 200. */

import { type PlatformRequest, parseForm } from '../http/platform-request.ts';
import {
  createJsonResponse,
  createMethodNotAllowedResponse,
  type PlatformResponse,
} from '../http/response.ts';
import { renderSignedOutPage } from '../pages/signed-out-page.ts';
import { endSession } from './record-store.ts';
import type { StoreSignIn } from './store-sign-in.ts';

/**
 * Ends the session named by `id_token_hint`, whether that has expired or not, and all its tokens. 400 without a
 * hint that this store signed. (OpenID Connect RP-Initiated Logout 1.0, sections 2 and 4.)
 */
export async function handleLogOut(
  signIn: StoreSignIn,
  request: PlatformRequest,
  recordsChanged: () => void,
): Promise<PlatformResponse> {
  if (request.method !== 'GET' && request.method !== 'POST')
    return createMethodNotAllowedResponse('GET', 'POST');
  const logOutFields = request.method === 'POST' ? parseForm(request) : request.query;
  const idTokenHint = logOutFields.get('id_token_hint');
  if (idTokenHint === null || idTokenHint === '')
    return createLogOutErrorResponse('id_token_hint is required.');
  const sid = await findSessionOfHint(signIn, idTokenHint);
  if (sid === undefined) return createLogOutErrorResponse('id_token_hint is not an id_token of this store.');
  endSession(signIn.records, sid);
  recordsChanged();
  return request.headers.accept?.includes('text/html')
    ? renderSignedOutPage(signIn.store().name)
    : createJsonResponse(200, {});
}

async function findSessionOfHint(signIn: StoreSignIn, hint: string): Promise<string | undefined> {
  const provider = signIn.provider();
  const client = await provider.Client.find(signIn.store().clientId);
  if (client === undefined) return undefined;
  try {
    const { payload } = await provider.IdToken.validate(hint, client);
    return typeof payload.sid === 'string' ? payload.sid : undefined;
  } catch {
    return undefined;
  }
}

function createLogOutErrorResponse(description: string): PlatformResponse {
  return createJsonResponse(400, { error: 'invalid_request', error_description: description });
}
