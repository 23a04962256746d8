/** The app's access in a store: the scopes that its merchant granted, and kinds of protected customer data. */

/** The scopes that the emulated platform supports, with its descriptions of them. */
export const KNOWN_SCOPES: Readonly<Record<string, string>> = {
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

/** Level 1 is `customer`: all access to customers and orders. The others are level 2, and need level 1. */
export const PROTECTED_DATA_KINDS = ['customer', 'name', 'address', 'email', 'phone'] as const;
export type ProtectedDataKind = (typeof PROTECTED_DATA_KINDS)[number];

export type StoreAccess = {
  scopes: string[];
  protectedData: ProtectedDataKind[];
};

/** Returns full access, as in the stores of the seed. */
export function createFullAccess(): StoreAccess {
  return { scopes: Object.keys(KNOWN_SCOPES), protectedData: [...PROTECTED_DATA_KINDS] };
}

export type WithheldAccess = {
  readonly scopes?: readonly string[];
  readonly data?: readonly ProtectedDataKind[];
};

/**
 * Returns full access without these scopes and kinds. A write scope includes the read scope, so both have to be
 * withheld.
 */
export function createAccessWithout({ scopes = [], data = [] }: WithheldAccess): StoreAccess {
  const fullAccess = createFullAccess();
  return {
    scopes: fullAccess.scopes.filter((scope) => !scopes.includes(scope)),
    protectedData: fullAccess.protectedData.filter((kind) => !data.includes(kind)),
  };
}

type StoreWithAccess = { readonly access?: StoreAccess };

/** Returns whether the scope is granted. A write scope includes the read scope. */
export function hasScope({ access = createFullAccess() }: StoreWithAccess, scope: string): boolean {
  return access.scopes.includes(scope) || access.scopes.includes(scope.replace(/^read_/, 'write_'));
}

/** Returns all granted scopes, including implied ones. */
export function listGrantedScopes(store: StoreWithAccess): string[] {
  return Object.keys(KNOWN_SCOPES).filter((scope) => hasScope(store, scope));
}

/** Returns whether the app is approved for this kind of protected customer data. */
export function isApprovedForProtectedData(
  { access = createFullAccess() }: StoreWithAccess,
  kind: ProtectedDataKind,
): boolean {
  return access.protectedData.includes('customer') && access.protectedData.includes(kind);
}
