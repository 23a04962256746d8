/** The end_session_endpoint. An app calls it as an API, so it asks nothing and answers 200. */

import { type Answer, jsonAnswer, methodNotAllowed } from '../http/answer.ts';
import { formOf, type PlatformRequest } from '../http/platform-request.ts';
import { signedOutPage } from '../pages/signed-out-page.ts';
import { endSession } from './record-store.ts';
import type { StoreSignIn } from './store-sign-in.ts';

/**
 * Ends the session named by `id_token_hint`, whether that has expired or not, and all its tokens. 400 without a
 * hint that this store signed. (OpenID Connect RP-Initiated Logout 1.0, sections 2 and 4.)
 */
export async function logOut(
  signIn: StoreSignIn,
  request: PlatformRequest,
  changed: () => void,
): Promise<Answer> {
  if (request.method !== 'GET' && request.method !== 'POST') return methodNotAllowed('GET', 'POST');
  const fields = request.method === 'POST' ? formOf(request) : request.query;
  const hint = fields.get('id_token_hint');
  if (hint === null || hint === '') return refusedAnswer('id_token_hint is required.');
  const sid = await sessionOf(signIn, hint);
  if (sid === undefined) return refusedAnswer('id_token_hint is not an id_token of this store.');
  endSession(signIn.records, sid);
  changed();
  return request.headers.accept?.includes('text/html')
    ? signedOutPage(signIn.store().name)
    : jsonAnswer(200, {});
}

async function sessionOf(signIn: StoreSignIn, hint: string): Promise<string | undefined> {
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

function refusedAnswer(description: string): Answer {
  return jsonAnswer(400, { error: 'invalid_request', error_description: description });
}
