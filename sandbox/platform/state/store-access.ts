/** What an app may see and do in a store: scopes that its merchant granted, and kinds of protected customer data. */

/** Scopes that the emulated platform knows, in the words that it tells of them. */
export const knownScopes: Readonly<Record<string, string>> = {
  read_all_orders: 'Read all orders',
  read_customer_payment_methods: 'Read customer payment methods',
  read_customers: 'Read customers',
  read_locations: 'Read locations',
  read_orders: 'Read orders',
  read_own_subscription_contracts: 'Read own subscription contracts',
  read_products: 'Read products',
  unauthenticated_read_product_listings: 'Read products on the storefront',
  write_customer_payment_methods: 'Write customer payment methods',
  write_customers: 'Write customers',
  write_orders: 'Write orders',
  write_own_subscription_contracts: 'Write own subscription contracts',
  write_products: 'Write products',
};

/** Level 1 is `customer`: customers and orders at all. The others are level 2, and worth nothing without it. */
export const protectedKinds = ['customer', 'name', 'address', 'email', 'phone'] as const;
export type ProtectedKind = (typeof protectedKinds)[number];

export type StoreAccess = {
  scopes: string[];
  protectedData: ProtectedKind[];
};

/** Everything, as the stores of the seed have it. */
export function fullAccess(): StoreAccess {
  return { scopes: Object.keys(knownScopes), protectedData: [...protectedKinds] };
}

export type Withheld = { readonly scopes?: readonly string[]; readonly data?: readonly ProtectedKind[] };

/** Everything but this. A scope that reads comes with the one that writes, so that both have to be withheld. */
export function accessWithout({ scopes = [], data = [] }: Withheld): StoreAccess {
  const all = fullAccess();
  return {
    scopes: all.scopes.filter((scope) => !scopes.includes(scope)),
    protectedData: all.protectedData.filter((kind) => !data.includes(kind)),
  };
}

type Accessible = { readonly access?: StoreAccess };

/** Whether the scope is granted. One that writes includes the one that reads. */
export function hasScope({ access = fullAccess() }: Accessible, scope: string): boolean {
  return access.scopes.includes(scope) || access.scopes.includes(scope.replace(/^read_/, 'write_'));
}

/** All that are granted, the implied ones included. */
export function scopesOf(store: Accessible): string[] {
  return Object.keys(knownScopes).filter((scope) => hasScope(store, scope));
}

/** Whether the app is approved for this kind of data. */
export function isApproved({ access = fullAccess() }: Accessible, kind: ProtectedKind): boolean {
  return access.protectedData.includes('customer') && access.protectedData.includes(kind);
}
