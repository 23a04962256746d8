import {
  readSessionClaims,
  type SessionClaims,
  sessionBodyBytes,
  writeSessionClaims,
} from './session-claims.ts';
import { createTokenFormat } from './token-format.ts';

/**
 * The format of refresh tokens, `SVC_RT_…`: the session's claims alone. A refresh token is valid as long as its
 * session.
 */
export const refreshTokenFormat = createTokenFormat<SessionClaims>({
  kind: 'refresh',
  prefix: 'SVC_RT_',
  bodyBytes: sessionBodyBytes(0),
  write: (claims) => writeSessionClaims(claims, 0),
  read: (body) => readSessionClaims(body, 0),
});
