import {
  readSessionClaims,
  type SessionClaims,
  sessionTokenBodyLengths,
  writeSessionClaims,
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
  write: (claims) => writeSessionClaims(claims, 0),
  read: (body) => readSessionClaims(body, 0),
});
