/**
 * Replaces an admin key by a successor. After a rotation, both keys are valid for a time that starts when the
 * successor's link is opened. A leaked key is revoked immediately, in the same change that creates its successor.
 */
import type { KeyScope } from '../../domain/key-scope.ts';
import type { Network } from '../../domain/network.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { StoreChangeRefused } from '../../errors/store-change-refused.ts';
import {
  type AdminKeyRecord,
  adminKeyNetworks,
  adminKeyScopes,
  findAdminKeyProblem,
} from '../../storage/admin-key-record.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import { checkLiveKeyLimit } from './check-live-key-limit.ts';
import {
  createAdminKeyWithLink,
  type IssuedAdminKey,
  type NewAdminKeyDeps,
} from './create-admin-key-with-link.ts';
import { listAdminKeys } from './list-admin-keys.ts';

/** For how long both keys are valid, by the operator's option `--overlap`. */
export const OVERLAP_SECONDS_BY_OPTION = { '0': 0, '1h': 3600, '24h': 86_400, '7d': 604_800 } as const;

export type RotateKeyRequest = {
  readonly shopId: ShopId;
  readonly keyId: string;
  readonly createdBy: string;
  /** For how long the old key stays valid after its successor is claimed. With `leaked`, it is revoked immediately. */
  readonly overlap: keyof typeof OVERLAP_SECONDS_BY_OPTION | 'leaked';
  /**
   * Properties of the new key. Undefined ones are taken from the old key. `notAfter` is in epoch milliseconds, and an
   * empty list of networks allows any.
   */
  readonly notAfter?: number | 'never' | undefined;
  readonly scopes?: readonly KeyScope[] | undefined;
  readonly networks?: readonly Network[] | undefined;
};

/**
 * Creates the successor of a key, with the same label and use, and its one-time link. Revokes an earlier successor that
 * was not claimed, so that the command can be repeated after a crash.
 * @throws StoreChangeRefused when the key is unknown, not live, or already replaced
 * @throws TooManyLiveKeys when the store has five live keys besides this one
 */
export async function rotateAdminKey(
  deps: NewAdminKeyDeps,
  request: RotateKeyRequest,
): Promise<IssuedAdminKey> {
  const { shopId, createdBy } = request;
  const { keys } = await listAdminKeys(deps, shopId);
  const replacedKey = findKeyOrThrow(keys, request.keyId);
  const { label, intendedUse } = replacedKey;
  const successorProperties = {
    label,
    intendedUse,
    createdBy,
    ...chooseLimitsOfSuccessor(replacedKey, request, deps.now()),
  };
  return createAdminKeyWithLink(
    deps,
    { shopId, properties: successorProperties },
    (newKey) => (keysBefore, store) => {
      const newKeyList = [
        ...replaceKeyInList(keysBefore, store, { request, newKey, nowMs: deps.now() }),
        newKey,
      ];
      checkLiveKeyLimit(newKeyList, store, deps.now());
      return newKeyList;
    },
  );
}

type RequestedLimits = Pick<RotateKeyRequest, 'scopes' | 'networks' | 'notAfter'>;

/**
 * Returns the requested limits, or else those of the old key, so that no limit is lost unintentionally.
 * @throws StoreChangeRefused when the old key has ended and no new end is requested
 */
function chooseLimitsOfSuccessor(oldKey: AdminKeyRecord, requestedLimits: RequestedLimits, nowMs: number) {
  const {
    scopes = adminKeyScopes(oldKey),
    networks = adminKeyNetworks(oldKey),
    notAfter = oldKey.notAfter,
  } = requestedLimits;
  if (requestedLimits.notAfter === undefined && typeof notAfter === 'number' && notAfter <= nowMs)
    throw new StoreChangeRefused('The old key has ended: say when its successor ends, or issue a new one.');
  return { scopes, networks, notAfter: notAfter === 'never' ? undefined : notAfter };
}

type KeyRotation = { request: RotateKeyRequest; newKey: AdminKeyRecord; nowMs: number };

function replaceKeyInList(
  keys: readonly AdminKeyRecord[],
  store: StoreRecord,
  { request, newKey, nowMs }: KeyRotation,
): AdminKeyRecord[] {
  if (store.status !== 'installed') throw new ServiceError('SHOP_NOT_INSTALLED');
  const { overlap } = request;
  const replacedKey = findKeyOrThrow(keys, request.keyId);
  const successorKey = keys.find(({ id }) => id === replacedKey.replacedBy);
  if (overlap !== 'leaked') {
    if (successorKey && store.keyClaims[successorKey.id] !== undefined)
      throw new StoreChangeRefused(`The key is replaced already. Rotate its successor: ${successorKey.id}.`);
    const problem = findAdminKeyProblem(replacedKey, store, nowMs);
    if (problem !== undefined)
      throw new StoreChangeRefused(`${problem} Only a live key can be rotated: issue a new one instead.`);
  }
  return keys.map((key) => {
    const isUnclaimedSuccessor =
      key.id === successorKey?.id && store.keyClaims[key.id] === undefined && key.state === 'active';
    if (isUnclaimedSuccessor) return { ...key, state: 'revoked', revokedAt: nowMs };
    if (key.id !== replacedKey.id) return key;
    if (overlap !== 'leaked')
      return { ...key, replacedBy: newKey.id, overlapSeconds: OVERLAP_SECONDS_BY_OPTION[overlap] };
    return { ...key, state: 'revoked', revokedAt: key.revokedAt ?? nowMs, replacedBy: newKey.id };
  });
}

function findKeyOrThrow(keys: readonly AdminKeyRecord[], keyId: string): AdminKeyRecord {
  const adminKeyRecord = keys.find(({ id }) => id === keyId);
  if (adminKeyRecord === undefined)
    throw new StoreChangeRefused(`The store has no key ${keyId}. List its keys to see their ids.`, 'ABSENT');
  return adminKeyRecord;
}
