/** Lists a store's admin keys for operators. The list contains neither keys nor their hashes. */
import type { KeyScope } from '../../domain/key-scope.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import {
  type AdminKeyRecord,
  adminKeyExpiresAtMs,
  adminKeyScopes,
  findAdminKeyProblem,
  isAdminKeyClaimable,
  isAdminKeyRevoked,
  parseAdminKeys,
} from '../../storage/admin-key-record.ts';
import { readStoreRecord, type StoreRecord } from '../../storage/stores.ts';
import { storeSecretName, type VersionedSecretDeps } from '../../storage/versioned-secret.ts';

type AdminKeyState = 'live' | 'retiring' | 'unclaimed' | 'revoked' | 'ended';
type ListedAdminKey = {
  readonly id: string;
  readonly label: string;
  readonly intendedUse: string;
  readonly state: AdminKeyState;
  readonly createdAtMs: number;
  readonly createdBy: string;
  readonly claimedAtMs: number | undefined;
  readonly endsAtMs: number | undefined;
  readonly replacedBy: string | undefined;
  /** The hour of the last use, epoch milliseconds. Undefined when no use is recorded. */
  readonly lastUsedAtMs: number | undefined;
  readonly scopes: readonly KeyScope[];
  /** The networks that may use the key (CIDR). Empty when any may. */
  readonly networks: readonly string[];
};

/**
 * Reads the store and the records of its keys.
 * @throws SHOP_NOT_INSTALLED when the store does not exist
 */
export async function listAdminKeys(
  { table, secrets, secretsPrefix }: VersionedSecretDeps,
  shopId: ShopId,
): Promise<{ store: StoreRecord; keys: readonly AdminKeyRecord[] }> {
  const store = await readStoreRecord(table, shopId);
  if (store === undefined) throw new ServiceError('SHOP_NOT_INSTALLED');
  if (store.adminKeysVersionId === undefined) return { store, keys: [] };
  const name = storeSecretName(secretsPrefix, shopId, 'admin-keys');
  const secret = await secrets.read(name, store.adminKeysVersionId);
  return { store, keys: parseAdminKeys(secret?.json).keys };
}

/** Returns the list entry of a key. `nowMs` is in epoch milliseconds. */
export function toListedAdminKey(record: AdminKeyRecord, store: StoreRecord, nowMs: number): ListedAdminKey {
  return {
    id: record.id,
    label: record.label,
    intendedUse: record.intendedUse,
    state: adminKeyStateOf(record, store, nowMs),
    createdAtMs: record.createdAt,
    createdBy: record.createdBy,
    claimedAtMs: store.keyClaims[record.id],
    endsAtMs: adminKeyExpiresAtMs(record, store),
    replacedBy: record.replacedBy,
    lastUsedAtMs: store.keyLastUses?.[record.id],
    scopes: adminKeyScopes(record),
    networks: record.networks ?? [],
  };
}

function adminKeyStateOf(record: AdminKeyRecord, store: StoreRecord, nowMs: number): AdminKeyState {
  if (isAdminKeyRevoked(record, store)) return 'revoked';
  if (isAdminKeyClaimable(record, store, nowMs)) return 'unclaimed';
  if (store.status !== 'installed' || findAdminKeyProblem(record, store, nowMs) !== undefined) return 'ended';
  return record.replacedBy !== undefined && store.keyClaims[record.replacedBy] !== undefined
    ? 'retiring'
    : 'live';
}
