/** `POST /admin/oauth/access_token`: renews a store's expiring grant (RFC 6749, section 6, with a client secret). */
import { type Answer, jsonAnswer, methodNotAllowed } from '../server/answer.ts';
import type { PlatformRequest } from '../server/platform-request.ts';
import type { StoreState } from '../state/state.ts';
import { type ExpiringGrants, refreshGrant } from './expiring-grants.ts';

type Deps = { readonly grants: ExpiringGrants; readonly nowMs: number; readonly changed: () => void };

export function answerAccessToken(deps: Deps, store: StoreState, request: PlatformRequest): Answer {
  if (request.method !== 'POST') return methodNotAllowed('POST');
  const fields = readFields(request);
  if (fields.grant_type !== 'refresh_token') return jsonAnswer(400, { error: 'unsupported_grant_type' });
  const { clientSecret } = deps.grants.get(store.shop) ?? {};
  if (fields.client_id !== store.clientId || fields.client_secret !== clientSecret) {
    return jsonAnswer(401, { error: 'invalid_client' });
  }
  const refreshToken = fields.refresh_token ?? '';
  const renewed = refreshGrant(deps.grants, store.shop, { refreshToken, nowMs: deps.nowMs });
  deps.changed();
  return renewed === undefined ? jsonAnswer(400, { error: 'invalid_grant' }) : jsonAnswer(200, renewed);
}

/** The platform takes both a form and JSON here. */
function readFields({ headers, body }: PlatformRequest): Record<string, string> {
  if (!headers['content-type']?.includes('application/json')) {
    return Object.fromEntries(new URLSearchParams(body));
  }
  try {
    const fields: unknown = JSON.parse(body);
    return typeof fields === 'object' && fields !== null ? (fields as Record<string, string>) : {};
  } catch {
    return {};
  }
}
