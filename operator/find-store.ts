import { parseShopDomain } from '../lib/domain/shop-domain.ts';
import { parseShopId } from '../lib/domain/shop-id.ts';
import type { StoreRecord } from '../lib/storage/stores.ts';
import type { Operator } from './operator.ts';
import { OperatorError } from './operator-error.ts';

/**
 * Finds a store by its domain or its shop id.
 * @throws OperatorError when it does not exist
 */
export async function requireStore(operator: Operator, text: string): Promise<StoreRecord> {
  const shopId = await findShopId(operator, text);
  const store = shopId && (await operator.stores.find(shopId));
  if (store) {
    operator.trace.setStore({ domain: store.domain, shopId: store.shopId });
    return store;
  }
  throw new OperatorError(
    `Store ${text} was not found in ${operator.target.name}. See store list.`,
    1,
    'NOT_FOUND',
  );
}

/** Finds a store's shop id, also after its data was purged. */
export async function findShopId({ stores, target }: Operator, text: string) {
  if (/^\d+$/.test(text)) {
    const shopId = parseShopId(Number(text));
    if (shopId !== undefined) return shopId;
  }
  const domain = parseShopDomain(text, target.shopDomainSuffixes);
  if (domain !== undefined) return stores.findShopId(domain);
  const suffixes = target.shopDomainSuffixes.join(' or ');
  throw new OperatorError(`${text} is neither a shop id nor a domain that ends in ${suffixes}.`, 2);
}
