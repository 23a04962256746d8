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
  bodyBytes: sessionTokenBodyLengths(0),
  write: (claims) => encodeSessionClaims(claims, 0),
  read: (body) => decodeSessionClaims(body, 0),
});
