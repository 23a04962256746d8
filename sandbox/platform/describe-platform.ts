/**
 * The description of a started platform for its caller: its stores, and the customers and contracts of the first store.
 */
import {
  type AppForm,
  type AppGrant,
  type AppGrants,
  appClientId,
  grantOfStore,
} from './grants/app-grants.ts';
import type { PlatformState } from './state/state.ts';

export type PlatformStore = {
  readonly shop: string;
  readonly shopId: number;
  readonly name: string;
  readonly clientId: string;
  readonly accessToken: string;
  readonly storefrontUrl: string;
  readonly portalPageId: string | null;
  readonly ianaTimezone: string;
  /** The client secret of the store's app, which signs webhooks. */
  readonly appSecret: string;
  /** The app's own client; undefined when the app has the seed's access token, which does not expire. */
  readonly app?: { readonly form: AppForm; readonly clientId: string; readonly clientSecret: string };
};

export type PlatformDescription = {
  readonly stores: readonly PlatformStore[];
  /** The first store's customers, in the seed's order. */
  readonly customers: readonly { readonly id: number; readonly email: string }[];
  /** The first store's contracts, starting with its first customer's: `gid://platform/SubscriptionContract/<n>`. */
  readonly contracts: readonly string[];
};

export function describePlatform({ stores }: PlatformState, grants: AppGrants): PlatformDescription {
  const [firstStore] = stores.values();
  const customers = [...(firstStore?.customers.values() ?? [])];
  const contracts = [...(firstStore?.contracts.values() ?? [])];
  const rankByCustomer = new Map(customers.map(({ id }, index) => [id, index]));
  const contractsInCustomerOrder = contracts.toSorted(
    (one, other) =>
      (rankByCustomer.get(one.content.customerId) ?? 0) - (rankByCustomer.get(other.content.customerId) ?? 0),
  );
  return {
    stores: [...stores.values()].map((store) => {
      const { shop, shopId, name, clientId, accessToken, storefrontUrl, portalPageId, ianaTimezone } = store;
      const { clientSecret: appSecret } = grantOfStore(grants, store);
      const storeFields = {
        shop,
        shopId,
        name,
        clientId,
        accessToken,
        storefrontUrl,
        portalPageId,
        ianaTimezone,
      };
      return { ...storeFields, appSecret, ...describeApp(grants.get(shop), shop) };
    }),
    customers: customers.map(({ id, email }) => ({ id, email })),
    contracts: contractsInCustomerOrder.map(({ id }) => `gid://platform/SubscriptionContract/${id}`),
  };
}

function describeApp(grant: AppGrant | undefined, shop: string): Pick<PlatformStore, 'app'> {
  if (grant === undefined) return {};
  const { form, clientSecret } = grant;
  return { app: { form, clientId: appClientId(shop), clientSecret } };
}
