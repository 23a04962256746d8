/** The app that holds the store's access token: the one that contracts are registered to. Its channels do not behave. */
import type { StoreState } from '../../../state/state.ts';
import { knownScopes, scopesOf } from '../../../state/store-access.ts';
import { type AdminContext, fieldsOf, type ResolverMap } from '../../context.ts';
import { gid, numberOf } from '../../gid.ts';
import { imageOf } from '../catalogue/images.ts';

/** The app's number, which its own namespace of metafields has, too. */
export const APP_ID = 910_001;
const [TITLE, HANDLE] = ['Subscriptions', 'subscriptions'];

/** The app as the store sees it. */
export type AppView = { __typename: 'App'; id: number; store: StoreState };

export function appOf(store: StoreState): AppView {
  return { __typename: 'App', id: APP_ID, store };
}

/** The address of the app in the store's admin. */
export function appUrl({ shop }: StoreState): string {
  return `https://${shop}/admin/apps/${HANDLE}`;
}

function accessScopesOf(store: StoreState) {
  return scopesOf(store).map((handle) => ({ handle, description: knownScopes[handle] }));
}

const appIfFound = (isFound: boolean, { store }: AdminContext) => (isFound ? appOf(store) : null);

export const appResolvers: ResolverMap = {
  QueryRoot: {
    app: (_parent: unknown, { id }: { id?: string | null }, context) =>
      appIfFound(id == null || numberOf(id, 'App') === APP_ID, context),
    appByHandle: (_parent: unknown, { handle }: { handle: string }, context) =>
      appIfFound(handle === HANDLE, context),
    appByKey: (_parent: unknown, { apiKey }: { apiKey: string }, context) =>
      appIfFound(apiKey === context.store.clientId, context),
    appInstallation: (_parent: unknown, { id }: { id?: string | null }, { store }) =>
      id == null || numberOf(id, 'AppInstallation') === store.shopId ? store : null,
    currentAppInstallation: (_parent: unknown, _args: unknown, { store }) => store,
  },
  AppInstallation: fieldsOf<StoreState>({
    id: ({ shopId }) => gid('AppInstallation', shopId),
    accessScopes: accessScopesOf,
    app: appOf,
    launchUrl: appUrl,
    uninstallUrl: () => null,
  }),
  App: fieldsOf<AppView>({
    id: ({ id }) => gid('App', id),
    apiKey: ({ store }) => store.clientId,
    appStoreAppUrl: () => null,
    appStoreDeveloperUrl: () => null,
    availableAccessScopes: ({ store }) => accessScopesOf(store),
    banner: () => imageOf('mug', TITLE),
    description: () => null,
    developerName: () => 'The service',
    developerType: () => 'PARTNER',
    developerUrl: ({ store }) => store.storefrontUrl,
    embedded: () => true,
    failedRequirements: () => [],
    features: () => [],
    feedback: () => null,
    handle: () => HANDLE,
    icon: () => imageOf('mug', TITLE),
    installUrl: () => null,
    installation: ({ store }) => store,
    isPostPurchaseAppInUse: () => false,
    launchUrl: ({ store }) => appUrl(store),
    navigationItems: () => [],
    optionalAccessScopes: () => [],
    previouslyInstalled: () => false,
    pricingDetails: () => null,
    pricingDetailsSummary: () => '',
    privacyPolicyUrl: () => null,
    publicCategory: () => 'CUSTOM',
    published: () => false,
    requestedAccessScopes: ({ store }) => accessScopesOf(store),
    screenshots: () => [],
    shopifyDeveloped: () => false,
    title: () => TITLE,
    uninstallMessage: () => '',
    uninstallUrl: () => null,
    webhookApiVersion: () => '2026-07',
  }),
};
