import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Exchange, HandlerStep } from '../exchange.ts';

/**
 * Returns the store that the body or the token names. Returns undefined when they name none; later steps then refuse
 * the request.
 */
type FindShopOfRequest<More> = (exchange: Exchange & More) => Promise<ShopId | undefined>;

/**
 * Refuses the request of a store's page that is about another store, before it has an effect: `allowOrigins` has allowed
 * the page for the store in the query, which says nothing about body and token.
 * @throws ORIGIN_NOT_ALLOWED when the stores differ
 */
export function requirePageStore<More>(findShop: FindShopOfRequest<More>): HandlerStep<More> {
  return {
    name: 'requirePageStore',
    before: ({ event: { exchange } }) =>
      exchange.pageShopId === undefined ? undefined : requireSameStore(exchange, findShop),
  };
}

async function requireSameStore<More>(
  exchange: Exchange & More,
  findShop: FindShopOfRequest<More>,
): Promise<void> {
  const shopId = await findShop(exchange);
  if (shopId !== undefined && shopId !== exchange.pageShopId) throw new ServiceError('ORIGIN_NOT_ALLOWED');
}
