/** The app that holds the store's access token, and what the merchant has granted it. */
import type { StoreState } from '../../state/state.ts';
import { fieldsOf, type ResolverMap } from '../context.ts';
import { gid } from '../gid.ts';

const granted: Readonly<Record<string, string>> = {
  read_customer_payment_methods: 'Read customer payment methods',
  read_customers: 'Read customers',
  read_locations: 'Read locations',
  read_orders: 'Read orders',
  read_own_subscription_contracts: 'Read own subscription contracts',
  read_products: 'Read products',
  unauthenticated_read_product_listings: 'Read products on the storefront',
  write_customers: 'Write customers',
  write_own_subscription_contracts: 'Write own subscription contracts',
};

/** The scopes that the app has in a store. */
export function scopesOf({ withheldScopes }: StoreState): string[] {
  return Object.keys(granted).filter((handle) => !withheldScopes?.includes(handle));
}

export const appInstallationResolvers: ResolverMap = {
  QueryRoot: { currentAppInstallation: (_parent: unknown, _args: unknown, { store }) => store },
  AppInstallation: fieldsOf<StoreState>({
    id: ({ shopId }) => gid('AppInstallation', shopId),
    accessScopes: (store) => scopesOf(store).map((handle) => ({ handle, description: granted[handle] })),
    launchUrl: ({ shop }) => `https://${shop}/admin/apps`,
    uninstallUrl: () => null,
  }),
};
