/** `POST /admin/oauth/access_token`: issues the app's tokens for a store (RFC 6749, sections 4.1.3, 4.4 and 6). */
import { type Answer, jsonAnswer, methodNotAllowed } from '../http/answer.ts';
import type { PlatformRequest } from '../http/platform-request.ts';
import {
  appClientId,
  appGrantOf,
  exchangeCode,
  type GrantServer,
  giveOfDay,
  refreshGrant,
} from './app-grants.ts';

type TokenRequestFields = Readonly<Record<string, string | undefined>>;

/** Checks the app first, as the platform does: a changed secret is reported before any other error. */
export function answerAccessToken(grantServer: GrantServer, request: PlatformRequest): Answer {
  if (request.method !== 'POST') return methodNotAllowed('POST');
  const fields = readFields(request);
  const { clientSecret } = appGrantOf(grantServer.grants, grantServer.store);
  if (fields.client_id !== appClientId(grantServer.store.shop) || fields.client_secret !== clientSecret) {
    return jsonAnswer(401, { error: 'invalid_client' });
  }
  switch (fields.grant_type) {
    case undefined:
      return answerCode(grantServer, fields);
    case 'client_credentials':
      return answerCredentials(grantServer);
    case 'refresh_token':
      return answerRefresh(grantServer, fields);
    default:
      return jsonAnswer(400, { error: 'unsupported_grant_type' });
  }
}

/** The platform's exchange of a code has no grant type. */
function answerCode(grantServer: GrantServer, { code = '', expiring }: TokenRequestFields): Answer {
  const given = exchangeCode(grantServer, { code, isExpiring: expiring === '1' });
  if (given === 'must expire') return jsonAnswer(400, { error: 'invalid_request' });
  return given === undefined ? jsonAnswer(400, { error: 'invalid_request' }) : jsonAnswer(200, given);
}

function answerCredentials(grantServer: GrantServer): Answer {
  const { form, isInstalled } = appGrantOf(grantServer.grants, grantServer.store);
  if (form !== 'own-store') return jsonAnswer(400, { error: 'shop_not_permitted' });
  if (!isInstalled) return jsonAnswer(400, { error: 'app_not_installed' });
  return jsonAnswer(200, giveOfDay(grantServer));
}

function answerRefresh(
  grantServer: GrantServer,
  { refresh_token: refreshToken = '' }: TokenRequestFields,
): Answer {
  if (!appGrantOf(grantServer.grants, grantServer.store).isInstalled)
    return jsonAnswer(400, { error: 'invalid_subject_token' });
  const renewed = refreshGrant(grantServer, refreshToken);
  return renewed === undefined ? jsonAnswer(400, { error: 'invalid_grant' }) : jsonAnswer(200, renewed);
}

/** The platform accepts both a form and JSON here. */
function readFields({ headers, body }: PlatformRequest): TokenRequestFields {
  if (!headers['content-type']?.includes('application/json')) {
    return Object.fromEntries(new URLSearchParams(body));
  }
  try {
    const fields: unknown = JSON.parse(body);
    return typeof fields === 'object' && fields !== null ? (fields as TokenRequestFields) : {};
  } catch {
    return {};
  }
}
