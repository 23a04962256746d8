/** Creates an admin key and its one-time link. Used to issue a key, to rotate one, and to replace a leaked one. */

import { DEFAULT_SCOPES, type KeyScope, parseKnownScopes } from '../../domain/key-scope.ts';
import type { Network } from '../../domain/network.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { type AdminKey, createAdminKey, hashAdminKey } from '../../domain/tokens/admin-key.ts';
import {
  createOneTimeLinkSecret,
  hashOneTimeLinkProof,
  oneTimeLinkProofOf,
  sealAdminKey,
} from '../../domain/tokens/one-time-link-secret.ts';
import { StoreChangeRefused } from '../../errors/store-change-refused.ts';
import { type AdminKeyRecord, ONE_TIME_LINK_LIFETIME_MS } from '../../storage/admin-key-record.ts';
import {
  createOneTimeLinkId,
  type OneTimeLinkId,
  type OneTimeLinkRecord,
  type OneTimeLinks,
} from '../../storage/one-time-links.ts';
import { type ChangeAdminKeysDeps, changeAdminKeys, type UpdateAdminKeyList } from './change-admin-keys.ts';

export type NewAdminKeyDeps = ChangeAdminKeysDeps & {
  readonly links: OneTimeLinks;
  readonly random: (bytes: number) => Uint8Array;
};

/** The properties of a new key that the operator chooses. */
export type NewAdminKeyProperties = {
  readonly label: string;
  readonly intendedUse: string;
  /** The name of the person who issues the key. The page of the link shows it. */
  readonly createdBy: string;
  /** When the key expires, epoch milliseconds. Undefined when it does not. */
  readonly notAfter?: number | undefined;
  /** The key's scopes. READ and WRITE by default. */
  readonly scopes?: readonly KeyScope[] | undefined;
  /** The networks that may use the key. Empty when any may. */
  readonly networks?: readonly Network[] | undefined;
};
/**
 * A new key. `fragment` is the secret of its link, which follows the `#` in the URL. Only the person who opens the link
 * may know it.
 */
export type IssuedAdminKey = {
  readonly keyId: string;
  readonly linkId: OneTimeLinkId;
  readonly fragment: string;
  readonly voidAtMs: number;
  readonly scopes: readonly KeyScope[];
  readonly networks: readonly Network[];
  readonly notAfter: number | undefined;
};

const MAX_LABEL_CHARACTERS = 60;
const MAX_INTENDED_USE_CHARACTERS = 200;
const MAX_NETWORKS = 20;
const ONE_TIME_LINK_RETENTION_MS = 30 * 24 * 3600 * 1000;

/** Returns the change of the key list that adds `record`, together with what else the use case changes. */
type AddAdminKeyToList = (
  record: AdminKeyRecord,
) => (...found: Parameters<UpdateAdminKeyList>) => readonly AdminKeyRecord[];

/**
 * Creates a key and its link. Writes the link first, so that a crash can only leave a link without a key, which cannot
 * be opened.
 * @throws StoreChangeRefused when a property is invalid or a limit is reached
 * @throws SHOP_NOT_INSTALLED when the store is not installed
 * @throws TEMPORARILY_UNAVAILABLE when table or secrets cannot be used
 */
export async function createAdminKeyWithLink(
  deps: NewAdminKeyDeps,
  { shopId, properties }: { shopId: ShopId; properties: NewAdminKeyProperties },
  withNewKey: AddAdminKeyToList,
): Promise<IssuedAdminKey> {
  const nowMs = deps.now();
  checkKeyProperties(properties, nowMs);
  checkScopesAndNetworks(properties);
  const key = createAdminKey(shopId, deps.random);
  const { link, fragment } = createOneTimeLinkItem(deps.random, { key, properties, nowMs });
  await deps.links.put(link);
  const { scopes: _scopes, networks: _networks, ...otherProperties } = properties;
  const addNewKey = withNewKey({
    ...otherProperties,
    ...toNonDefaultLimits(properties),
    id: key.keyId,
    hash: hashAdminKey(key.text),
    state: 'active',
    createdAt: nowMs,
  });
  await changeAdminKeys(deps, shopId, (keys, store) =>
    keys.some(({ id }) => id === key.keyId) ? undefined : addNewKey(keys, store),
  ).catch(async (error: unknown) => {
    // Remove the link only if the key was certainly not issued. After any other failure the key may exist; a link
    // without a key is harmless.
    if (error instanceof StoreChangeRefused) await deps.links.remove(link.linkId).catch(() => undefined);
    throw error;
  });
  const { scopes = DEFAULT_SCOPES, networks = [], notAfter } = properties;
  const { linkId, voidAtMs } = link;
  return {
    keyId: key.keyId,
    linkId,
    fragment,
    voidAtMs,
    scopes: parseKnownScopes(scopes),
    networks,
    notAfter,
  };
}

type KeyToSeal = {
  readonly key: AdminKey;
  readonly properties: NewAdminKeyProperties;
  readonly nowMs: number;
};

/** Returns the item of a new link, and the link's secret, which the item does not contain. */
function createOneTimeLinkItem(random: NewAdminKeyDeps['random'], { key, properties, nowMs }: KeyToSeal) {
  const fragment = createOneTimeLinkSecret(random);
  const voidAtMs = nowMs + ONE_TIME_LINK_LIFETIME_MS;
  const link: OneTimeLinkRecord = {
    linkId: createOneTimeLinkId(random),
    shopId: key.shopId,
    keyId: key.keyId,
    label: properties.label,
    issuedBy: properties.createdBy,
    ...toNonDefaultLimits(properties),
    ...(properties.notAfter !== undefined && { notAfter: properties.notAfter }),
    sealedKey: sealAdminKey(key.text, fragment, random),
    proofHash: hashOneTimeLinkProof(oneTimeLinkProofOf(fragment)),
    createdAtMs: nowMs,
    voidAtMs,
    claimId: undefined,
    claimedAtMs: undefined,
    wrongDomains: 0,
    wrongDomainsSinceMs: nowMs,
    expiresAt: Math.ceil((voidAtMs + ONE_TIME_LINK_RETENTION_MS) / 1000),
  };
  return { link, fragment };
}

/** Returns scopes and networks for a record or a link. Leaves out default values. */
function toNonDefaultLimits({ scopes = DEFAULT_SCOPES, networks = [] }: NewAdminKeyProperties) {
  const areScopesDefault =
    scopes.length === DEFAULT_SCOPES.length && DEFAULT_SCOPES.every((scope) => scopes.includes(scope));
  return {
    ...(!areScopesDefault && { scopes: [...parseKnownScopes(scopes)] }),
    ...(networks.length > 0 && { networks: [...networks] }),
  };
}

function checkScopesAndNetworks({ scopes = DEFAULT_SCOPES, networks = [] }: NewAdminKeyProperties): void {
  if (scopes.length === 0) throw new StoreChangeRefused('A key has at least one scope.', 'INPUT');
  const changingScope = (['WRITE', 'BILLING'] as const).find((scope) => scopes.includes(scope));
  if (changingScope !== undefined && !scopes.includes('READ'))
    throw new StoreChangeRefused(
      `The scope ${changingScope} goes with READ: a change is answered with what was changed.`,
      'INPUT',
    );
  if (networks.length > MAX_NETWORKS)
    throw new StoreChangeRefused(`A key has at most ${MAX_NETWORKS} networks.`, 'INPUT');
}

function checkKeyProperties(
  { label, intendedUse, createdBy, notAfter }: NewAdminKeyProperties,
  nowMs: number,
): void {
  const isText = (text: string, maxLength: number) =>
    text.trim() !== '' && text.length <= maxLength && !/\p{Cc}/u.test(text);
  if (!isText(label, MAX_LABEL_CHARACTERS))
    throw new StoreChangeRefused(`A label has 1 to ${MAX_LABEL_CHARACTERS} characters.`, 'INPUT');
  if (!isText(intendedUse, MAX_INTENDED_USE_CHARACTERS))
    throw new StoreChangeRefused(
      `Say in 1 to ${MAX_INTENDED_USE_CHARACTERS} characters what the key is for.`,
      'INPUT',
    );
  if (!isText(createdBy, MAX_LABEL_CHARACTERS))
    throw new StoreChangeRefused(
      `Say in 1 to ${MAX_LABEL_CHARACTERS} characters who issues the key.`,
      'INPUT',
    );
  if (notAfter !== undefined && !(notAfter > nowMs))
    throw new StoreChangeRefused('The end of the key must lie in the future.', 'INPUT');
}
