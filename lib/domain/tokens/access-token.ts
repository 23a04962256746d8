import {
  readSessionClaims,
  SESSION_CLAIMS_BYTES,
  type SessionClaims,
  sessionTokenBodyLengths,
  writeSessionClaims,
} from './session-claims.ts';
import { createTokenFormat } from './token-format.ts';

export type AccessToken = SessionClaims & { readonly expiresAtMs: number };

const TIME_BYTES = 6;

/** The format of access tokens, `SVC_CT_…`. They contain the session's claims, and when they expire. */
export const accessTokenFormat = createTokenFormat<AccessToken>({
  kind: 'access',
  prefix: 'SVC_CT_',
  bodyBytes: sessionTokenBodyLengths(TIME_BYTES),
  write(token) {
    const body = writeSessionClaims(token, TIME_BYTES);
    body.writeUIntBE(token.expiresAtMs, SESSION_CLAIMS_BYTES, TIME_BYTES);
    return body;
  },
  read(body) {
    const claims = readSessionClaims(body, TIME_BYTES);
    return claims && { ...claims, expiresAtMs: body.readUIntBE(SESSION_CLAIMS_BYTES, TIME_BYTES) };
  },
});
