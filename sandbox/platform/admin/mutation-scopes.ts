/** The scope that each mutation needs. Without it a mutation is not executed. */

/** The scopes by the prefix of a mutation's name, the longest prefix first. */
const scopeByMutationPrefix: readonly (readonly [prefix: string, scope: string])[] = [
  ['customerPaymentMethodSendUpdateEmail', 'write_customers'],
  ['customerPaymentMethodGetUpdateUrl', 'write_customers'],
  ['customerPaymentMethod', 'write_customer_payment_methods'],
  ['customer', 'write_customers'],
  ['product', 'write_products'],
  ['sellingPlanGroup', 'write_products'],
  ['storefrontAccessToken', 'unauthenticated_read_product_listings'],
  ['subscription', 'write_own_subscription_contracts'],
];

/**
 * Returns the scope of a mutation.
 * @returns undefined when it depends on the changed object, as with tags and metafields
 */
export function findMutationScope(name: string): string | undefined {
  return scopeByMutationPrefix.find(([prefix]) => name.startsWith(prefix))?.[1];
}

/** The scopes for tags and metafields, by their owner's type. The app's own objects need no scope. */
export const WRITE_SCOPE_BY_OWNER_TYPE: Readonly<Record<string, string>> = {
  Customer: 'write_customers',
  Order: 'write_orders',
  Product: 'write_products',
  ProductVariant: 'write_products',
  SellingPlan: 'write_products',
  SellingPlanGroup: 'write_products',
};
