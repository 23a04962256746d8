import type { Brand } from '../brand.ts';
import {
  readSessionClaims,
  type SessionClaims,
  sessionBodyBytes,
  writeSessionClaims,
} from './session-claims.ts';
import { createTokenFormat } from './token-format.ts';

/** The text of a refresh token: a secret. */
export type RefreshTokenText = Brand<string, 'RefreshTokenText'>;

/** Refresh tokens, `SVC_RT_…`: the claims alone. Their life is the session's. */
export const refreshTokenFormat = createTokenFormat<SessionClaims>({
  kind: 'refresh',
  prefix: 'SVC_RT_',
  bodyBytes: sessionBodyBytes(0),
  write: (claims) => writeSessionClaims(claims, 0),
  read: (body) => readSessionClaims(body, 0),
});
