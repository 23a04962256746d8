/**
 * Handles an exchange with a code that was already exchanged. Either its response was lost, or the code was stolen;
 * reuse of a code must then revoke the tokens (RFC 6749, section 4.1.2).
 */

import { revokeSession } from '../../credentials/revoke-session.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { SessionRecord } from '../../storage/sessions/session-record.ts';
import type { SessionSeed } from '../../storage/sessions/sign-ins.ts';
import type { SignInDeps } from '../sign-in-deps.ts';

type CompletedExchange = { readonly seed: SessionSeed; readonly doneAtMs: number };

const CODE_RETRY_WINDOW_MS = 15 * 60_000;
/**
 * A retry that arrives within this time after the first use of the session may have been sent before its first response
 * arrived. A later one is reuse of the code.
 */
const CODE_REUSE_GRACE_MS = 60_000;

/**
 * Returns the values of the session, from which the same tokens are built again, while the session is not used.
 * @throws INVALID_NONCE when it was used, has ended, or the exchange was more than 15 minutes ago
 */
export async function findSeedForRetriedExchange(
  deps: SignInDeps,
  shopId: ShopId,
  { seed, doneAtMs }: CompletedExchange,
): Promise<SessionSeed> {
  const session = await deps.sessions.find({ shopId, ...seed });
  if (session !== undefined && wasSessionUsed(session)) {
    const usedForMs = deps.now() - (session.firstUsedAtMs ?? session.createdAtMs);
    if (session.status === 'active' && usedForMs > CODE_REUSE_GRACE_MS) {
      deps.logger.error('authorization_code.reuse_detected', {
        alarm: 'code_reuse',
        shopId,
        sessionId: seed.sessionId,
      });
      await revokeSession(deps, session, { reason: 'code_reuse' });
    }
    throw new ServiceError('INVALID_NONCE', { internal: 'the session of this code is in use' });
  }
  const isSessionOpen = session === undefined || session.status === 'active';
  if (!isSessionOpen || deps.now() - doneAtMs > CODE_RETRY_WINDOW_MS) throw new ServiceError('INVALID_NONCE');
  return seed;
}

/**
 * Whether a token of the session was used. `firstUsedAtMs` is set by the first confirmation of a token and by the first
 * rotation.
 */
function wasSessionUsed({ confirmedGeneration, generation }: SessionRecord): boolean {
  return confirmedGeneration >= 1 || generation > 1;
}
