import {
  decodeSessionClaims,
  encodeSessionClaims,
  SESSION_CLAIMS_BYTES,
  type SessionClaims,
  sessionTokenBodyLengths,
} from './session-claims.ts';
import { createTokenFormat } from './token-format.ts';

export type AccessToken = SessionClaims & { readonly expiresAtMs: number };

const EXPIRY_BYTES = 6;

/** The format of access tokens, `SVC_CT_…`. They contain the session's claims, and when they expire. */
export const accessTokenFormat = createTokenFormat<AccessToken>({
  kind: 'access',
  prefix: 'SVC_CT_',
  bodyLengths: sessionTokenBodyLengths(EXPIRY_BYTES),
  encodeBody(token) {
    const body = encodeSessionClaims(token, EXPIRY_BYTES);
    body.writeUIntBE(token.expiresAtMs, SESSION_CLAIMS_BYTES, EXPIRY_BYTES);
    return body;
  },
  decodeBody(body) {
    const claims = decodeSessionClaims(body, EXPIRY_BYTES);
    return claims && { ...claims, expiresAtMs: body.readUIntBE(SESSION_CLAIMS_BYTES, EXPIRY_BYTES) };
  },
});
