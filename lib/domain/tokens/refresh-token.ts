import {
  decodeSessionClaims,
  encodeSessionClaims,
  type SessionClaims,
  sessionTokenBodyLengths,
} from './session-claims.ts';
import { createTokenFormat } from './token-format.ts';

/**
 * The format of refresh tokens, `SVC_RT_…`. They contain only the session's claims and no expiry, because they are
 * valid as long as the session.
 */
export const refreshTokenFormat = createTokenFormat<SessionClaims>({
  kind: 'refresh',
  prefix: 'SVC_RT_',
  bodyLengths: sessionTokenBodyLengths(0),
  encodeBody: (claims) => encodeSessionClaims(claims, 0),
  decodeBody: (body) => decodeSessionClaims(body, 0),
});
