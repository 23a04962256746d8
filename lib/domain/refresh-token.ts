import type { Brand } from './brand.ts';
import {
  readSessionClaims,
  SESSION_CLAIMS_BYTES,
  type SessionClaims,
  writeSessionClaims,
} from './session-claims.ts';
import { createTokenFormat } from './token-format.ts';

/** The text of a refresh token: a secret. */
export type RefreshTokenText = Brand<string, 'RefreshTokenText'>;

/** Refresh tokens, `SVC_RT_…`: the claims alone. Their life is the session's. */
export const refreshTokenFormat = createTokenFormat<SessionClaims>({
  kind: 'refresh',
  prefix: 'SVC_RT_',
  bodyBytes: SESSION_CLAIMS_BYTES,
  write: writeSessionClaims,
  read: readSessionClaims,
});
