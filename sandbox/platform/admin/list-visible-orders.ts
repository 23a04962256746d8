/** Orders that an app may see: without `read_all_orders`, only those of the last 60 days. */
import type { OrderRecord } from '../state/contract-records.ts';
import { DAY_MS } from '../state/instant.ts';
import { hasScope } from '../state/store-access.ts';
import type { AdminContext } from './context.ts';

const VISIBLE_DAYS = 60;

/** Returns the orders that the app may see, in order of creation: all, or those of a group of the store's table. */
export function listVisibleOrders(context: AdminContext, orderGroup?: string): OrderRecord[] {
  const { orders } = context.store;
  const ordersOfGroup = orderGroup === undefined ? [...orders.values()] : orders.inGroup(orderGroup);
  return ordersOfGroup.filter((order) => isOrderVisibleToApp(context, order));
}

/**
 * Returns the order of that number.
 * @returns null when it does not exist or is hidden
 */
export function findVisibleOrder(context: AdminContext, id: number | null): OrderRecord | null {
  const order = context.store.orders.get(id ?? 0);
  return order !== undefined && isOrderVisibleToApp(context, order) ? order : null;
}

function isOrderVisibleToApp({ store, nowMs }: AdminContext, { createdAt }: OrderRecord): boolean {
  return hasScope(store, 'read_all_orders') || Date.parse(createdAt) >= nowMs - VISIBLE_DAYS * DAY_MS;
}
