/** Orders as an app sees them: without `read_all_orders`, those of the last 60 days, as if there were no others. */
import type { OrderRecord } from '../state/contract-records.ts';
import { dayMs } from '../state/instant.ts';
import { hasScope } from '../state/store-access.ts';
import type { AdminContext } from './context.ts';

const VISIBLE_DAYS = 60;

/** All that the app may see, in the order of their making. */
export function visibleOrders(context: AdminContext): OrderRecord[] {
  return [...context.store.orders.values()].filter((order) => isVisible(context, order));
}

/** The order of that number; null: there is none, or it is hidden. */
export function visibleOrder(context: AdminContext, id: number | null): OrderRecord | null {
  const order = context.store.orders.get(id ?? 0);
  return order !== undefined && isVisible(context, order) ? order : null;
}

function isVisible({ store, nowMs }: AdminContext, { createdAt }: OrderRecord): boolean {
  return hasScope(store, 'read_all_orders') || Date.parse(createdAt) >= nowMs - VISIBLE_DAYS * dayMs;
}
