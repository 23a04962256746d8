/**
 * Migrates stores of earlier versions, whose STORE item also had the attributes of the grant and the admin keys, to
 * separate GRANT and KEYS items. The attributes are copied first. They stay valid in the STORE item until one write
 * removes them there; that write succeeds only if none has changed since they were copied.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import {
  createStorePartItem,
  PART_ATTRIBUTES,
  type StoreItemPart,
  storeItemKey,
  storeItemKeys,
  storePartItemKey,
} from '../../storage/stores.ts';
import type { Item, ItemChange, Table } from '../../storage/table.ts';

const MAX_MIGRATION_ATTEMPTS = 8;
const MIGRATED_STORE_PARTS: readonly StoreItemPart[] = ['grant', 'keys'];
const MIGRATED_ATTRIBUTES = [...PART_ATTRIBUTES.grant, ...PART_ATTRIBUTES.keys];

/**
 * Migrates the store's items. Safe while requests are served, and repeatable after a crash at any point.
 * @returns false when there is nothing to migrate
 * @throws SHOP_NOT_INSTALLED when the store does not exist
 * @throws TEMPORARILY_UNAVAILABLE when the store changes too often meanwhile
 */
export async function migrateStoreItems(
  { table }: { readonly table: Table },
  shopId: ShopId,
): Promise<boolean> {
  for (let attemptsMade = 0; attemptsMade < MAX_MIGRATION_ATTEMPTS; attemptsMade++) {
    const [storeItem, grantItem] = await table.batchGet(storeItemKeys(shopId));
    if (storeItem === undefined) throw new ServiceError('SHOP_NOT_INSTALLED');
    if (storeItem.status === 'purging') return false;
    await createMissingPartItems(table, shopId);
    const unmigratedAttributes = listUnmigratedAttributes(storeItem);
    if (unmigratedAttributes.length === 0) return false;
    const areAttributesCopied =
      (await copyGrantAttributes(table, storeItem, grantItem)) &&
      (await copyAdminKeyClaims(table, storeItem));
    if (!areAttributesCopied) continue;
    const removalResult = await table.update(buildAttributeRemoval(storeItem, unmigratedAttributes));
    if (removalResult.outcome === 'done') return true;
  }
  throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'the store keeps changing: try again' });
}

/**
 * Whether the store still has attributes to migrate.
 * @throws SHOP_NOT_INSTALLED when the store does not exist
 */
export async function isStoreUnmigrated(
  { table }: { readonly table: Pick<Table, 'batchGet'> },
  shopId: ShopId,
): Promise<boolean> {
  const [storeItem] = await table.batchGet(storeItemKeys(shopId));
  if (storeItem === undefined) throw new ServiceError('SHOP_NOT_INSTALLED');
  return storeItem.status !== 'purging' && listUnmigratedAttributes(storeItem).length > 0;
}

/** Returns the attributes of GRANT and KEYS that are still in the STORE item. */
function listUnmigratedAttributes(storeItem: Item) {
  return MIGRATED_ATTRIBUTES.filter((name) => (storeItem[name] ?? undefined) !== undefined);
}

/** Creates the GRANT and KEYS items that do not exist yet. */
async function createMissingPartItems(table: Pick<Table, 'put'>, shopId: ShopId): Promise<void> {
  for (const part of MIGRATED_STORE_PARTS)
    await table.put(createStorePartItem(shopId, part), { condition: 'attribute_not_exists(pk)' });
}

/**
 * Copies the grant's attributes to the GRANT item.
 * @returns false when another run has copied them concurrently, so that the copy may be newer
 */
async function copyGrantAttributes(
  table: Table,
  storeItem: Item,
  grantItem: Item | undefined,
): Promise<boolean> {
  if ((storeItem.platformVersionId ?? undefined) === undefined) return true;
  const grantAttributes = PART_ATTRIBUTES.grant.filter(
    (name) => (storeItem[name] ?? undefined) !== undefined,
  );
  const versionBefore = grantItem?.platformVersionId;
  const { outcome } = await table.update({
    key: storePartItemKey(storeItem.shopId as ShopId, 'grant'),
    update: `SET ${grantAttributes.map((name) => `${name} = :${name}`).join(', ')}`,
    condition:
      versionBefore === undefined
        ? 'attribute_exists(pk) AND attribute_not_exists(platformVersionId)'
        : 'platformVersionId = :before',
    values: {
      ...Object.fromEntries(grantAttributes.map((name) => [`:${name}`, storeItem[name]])),
      ...(versionBefore !== undefined && { ':before': versionBefore }),
    },
  });
  return outcome === 'done';
}

/**
 * Copies the claims of admin keys to the KEYS item.
 * @returns false when the item no longer exists
 */
async function copyAdminKeyClaims(table: Table, storeItem: Item): Promise<boolean> {
  const claimEntries = Object.entries(storeItem.keyClaims ?? {});
  if (claimEntries.length === 0) return true;
  const { outcome } = await table.update({
    key: storePartItemKey(storeItem.shopId as ShopId, 'keys'),
    update: `SET ${claimEntries.map((_, index) => `keyClaims.#key${index} = :at${index}`).join(', ')}`,
    condition: 'attribute_exists(keyClaims)',
    names: Object.fromEntries(claimEntries.map(([id], index) => [`#key${index}`, id])),
    values: Object.fromEntries(claimEntries.map(([, atMs], index) => [`:at${index}`, atMs])),
  });
  return outcome === 'done';
}

/**
 * Builds the write that removes the attributes from the STORE item, on the condition that all of them are unchanged.
 */
function buildAttributeRemoval(storeItem: Item, unmigratedAttributes: readonly string[]): ItemChange {
  const conditions: string[] = [];
  const namePlaceholders: Record<string, string> = {};
  const valuePlaceholders: Record<string, unknown> = {};
  const addSameCondition = (path: string, value: unknown) => {
    const valuePlaceholder = `:v${conditions.length}`;
    const isMapAttribute = typeof value === 'object' && value !== null;
    conditions.push(isMapAttribute ? `size(${path}) = ${valuePlaceholder}` : `${path} = ${valuePlaceholder}`);
    valuePlaceholders[valuePlaceholder] = isMapAttribute ? Object.keys(value).length : value;
    for (const [name, fieldValue] of Object.entries(isMapAttribute ? value : {})) {
      const nameAlias = `#n${conditions.length}`;
      namePlaceholders[nameAlias] = name;
      addSameCondition(`${path}.${nameAlias}`, fieldValue);
    }
  };
  for (const name of MIGRATED_ATTRIBUTES)
    if (unmigratedAttributes.includes(name)) addSameCondition(name, storeItem[name]);
    else conditions.push(`attribute_not_exists(${name})`);
  const removalExpression = `REMOVE ${unmigratedAttributes.join(', ')}`;
  const namesField = Object.keys(namePlaceholders).length > 0 && { names: namePlaceholders };
  return {
    key: storeItemKey(storeItem.shopId as ShopId),
    update: removalExpression,
    condition: conditions.join(' AND '),
    values: valuePlaceholders,
    ...namesField,
  };
}
