/** What a store's grant must allow, and what for: the operator is told both. */
export const requiredScopes: Readonly<Record<string, string>> = {
  read_customers: 'to show customers',
  write_customers: 'to change addresses and to send the e-mail that asks for a new card',
  read_customer_payment_methods: 'to show how a subscription is paid',
  read_own_subscription_contracts: 'to show subscriptions',
  write_own_subscription_contracts: 'to change subscriptions',
  read_products: 'to show products and the plans they are sold under',
  read_orders: 'to show the orders of a subscription',
  unauthenticated_read_product_listings: 'for the storefront token of the app',
};

/** Those of `wanted` that are not `granted`: on the platform a scope that writes includes the one that reads. */
export function lostScopes(wanted: readonly string[], granted: readonly string[]): string[] {
  const handles = new Set(granted);
  return wanted.filter((scope) => !handles.has(scope) && !handles.has(scope.replace(/^read_/, 'write_')));
}
