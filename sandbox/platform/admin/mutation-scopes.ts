/** The scope that each mutation needs. One without it certainly has not run. */

/** The scopes by the beginning of a mutation's name, the longest first. */
const scopes: readonly (readonly [prefix: string, scope: string])[] = [
  ['customerPaymentMethodSendUpdateEmail', 'write_customers'],
  ['customerPaymentMethod', 'write_customer_payment_methods'],
  ['customer', 'write_customers'],
  ['product', 'write_products'],
  ['sellingPlanGroup', 'write_products'],
  ['storefrontAccessToken', 'unauthenticated_read_product_listings'],
  ['subscription', 'write_own_subscription_contracts'],
];

/** The scope that a mutation needs; undefined where it depends on what is changed, as with tags and metafields. */
export function mutationScope(name: string): string | undefined {
  return scopes.find(([prefix]) => name.startsWith(prefix))?.[1];
}

/** What it takes to write tags and metafields, by their owner's type; the app's own things take nothing more. */
export const scopeOfOwner: Readonly<Record<string, string>> = {
  Customer: 'write_customers',
  Order: 'write_orders',
  Product: 'write_products',
  ProductVariant: 'write_products',
  SellingPlan: 'write_products',
  SellingPlanGroup: 'write_products',
};
