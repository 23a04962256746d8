/**
 * `adminKeyRevokeCurrent`: a key revokes itself. The revocation is stored in the table, with the claims of keys, because
 * only operators write the secret that contains the keys.
 */
import { formatGid } from '../../lib/domain/gid.ts';
import { writeAdminKeyRevocation } from '../../lib/storage/admin-key-usage.ts';
import { createChangedOutcome, type OperationOutcome } from '../../lib/subscriptions/operation-error.ts';
import type { RunContext } from '../plan/run-context.ts';

/**
 * Revokes the key of the request. A retry changes nothing as long as the key is accepted.
 * @throws TEMPORARILY_UNAVAILABLE when the key may be revoked or not
 */
export async function revokeCurrentKey({
  actor,
  table,
  logger,
  now,
  identity,
}: RunContext): Promise<OperationOutcome> {
  if (actor.kind !== 'store') throw new Error('a customer has no key');
  const { shopId, keyId, store } = actor;
  const revokedAtMs = now();
  await writeAdminKeyRevocation(table, store, { keyId, revokedAtMs });
  // Restoring the table replays these lines.
  logger.info('key.revoked_itself', { shopId, keyId, revokedAtMs });
  const revokedKeyId = formatGid({ namespace: identity.namespaces.platform, type: 'AdminKey', tail: keyId });
  return createChangedOutcome({ revokedKeyId });
}
