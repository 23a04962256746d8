import type { Brand } from './brand.ts';
import {
  readSessionClaims,
  SESSION_CLAIMS_BYTES,
  type SessionClaims,
  writeSessionClaims,
} from './session-claims.ts';
import { createTokenFormat } from './token-format.ts';

/** The text of an access token: a secret. */
export type AccessTokenText = Brand<string, 'AccessTokenText'>;

export type AccessToken = SessionClaims & { readonly expiresAtMs: number };

const TIME_BYTES = 6;

/** Access tokens, `SVC_CT_…`: claims and expiry. */
export const accessTokenFormat = createTokenFormat<AccessToken>({
  kind: 'access',
  prefix: 'SVC_CT_',
  bodyBytes: SESSION_CLAIMS_BYTES + TIME_BYTES,
  write(token, body) {
    writeSessionClaims(token, body);
    body.writeUIntBE(token.expiresAtMs, SESSION_CLAIMS_BYTES, TIME_BYTES);
  },
  read(body) {
    const claims = readSessionClaims(body);
    return claims && { ...claims, expiresAtMs: body.readUIntBE(SESSION_CLAIMS_BYTES, TIME_BYTES) };
  },
});
