/** The app with the store's access token, which owns the contracts. Its channels are not emulated. */
import type { StoreState } from '../../../state/state.ts';
import { KNOWN_SCOPES, listGrantedScopes } from '../../../state/store-access.ts';
import { type AdminContext, type ResolverMap, typeResolvers } from '../../context.ts';
import { formatGid, requireGidNumber } from '../../gid.ts';
import { toImageView } from '../catalogue/images.ts';

/** The app's id, which is also part of its namespace of metafields. */
export const APP_ID = 910_001;
const [APP_TITLE, APP_HANDLE] = ['Subscriptions', 'subscriptions'];

/** The app as the store sees it. */
export type AppView = { __typename: 'App'; id: number; store: StoreState };

export function toAppView(store: StoreState): AppView {
  return { __typename: 'App', id: APP_ID, store };
}

/** Returns the address of the app in the store's admin. */
export function formatAppUrl({ shop }: StoreState): string {
  return `https://${shop}/admin/apps/${APP_HANDLE}`;
}

function listAccessScopes(store: StoreState) {
  return listGrantedScopes(store).map((handle) => ({ handle, description: KNOWN_SCOPES[handle] }));
}

const findApp = (isFound: boolean, { store }: AdminContext) => (isFound ? toAppView(store) : null);

export const appResolvers: ResolverMap = {
  QueryRoot: {
    app: (_parent: unknown, { id }: { id?: string | null }, context) =>
      findApp(id == null || requireGidNumber(id, 'App') === APP_ID, context),
    appByHandle: (_parent: unknown, { handle }: { handle: string }, context) =>
      findApp(handle === APP_HANDLE, context),
    appByKey: (_parent: unknown, { apiKey }: { apiKey: string }, context) =>
      findApp(apiKey === context.store.clientId, context),
    appInstallation: (_parent: unknown, { id }: { id?: string | null }, { store }) =>
      id == null || requireGidNumber(id, 'AppInstallation') === store.shopId ? store : null,
    currentAppInstallation: (_parent: unknown, _args: unknown, { store }) => store,
  },
  AppInstallation: typeResolvers<StoreState>({
    id: ({ shopId }) => formatGid('AppInstallation', shopId),
    accessScopes: listAccessScopes,
    app: toAppView,
    launchUrl: formatAppUrl,
    uninstallUrl: () => null,
  }),
  App: typeResolvers<AppView>({
    id: ({ id }) => formatGid('App', id),
    apiKey: ({ store }) => store.clientId,
    appStoreAppUrl: () => null,
    appStoreDeveloperUrl: () => null,
    availableAccessScopes: ({ store }) => listAccessScopes(store),
    banner: () => toImageView('mug', APP_TITLE),
    description: () => null,
    developerName: () => 'The service',
    developerType: () => 'PARTNER',
    developerUrl: ({ store }) => store.storefrontUrl,
    embedded: () => true,
    failedRequirements: () => [],
    features: () => [],
    feedback: () => null,
    handle: () => APP_HANDLE,
    icon: () => toImageView('mug', APP_TITLE),
    installUrl: () => null,
    installation: ({ store }) => store,
    isPostPurchaseAppInUse: () => false,
    launchUrl: ({ store }) => formatAppUrl(store),
    navigationItems: () => [],
    optionalAccessScopes: () => [],
    previouslyInstalled: () => false,
    pricingDetails: () => null,
    pricingDetailsSummary: () => '',
    privacyPolicyUrl: () => null,
    publicCategory: () => 'CUSTOM',
    published: () => false,
    requestedAccessScopes: ({ store }) => listAccessScopes(store),
    screenshots: () => [],
    shopifyDeveloped: () => false,
    title: () => APP_TITLE,
    uninstallMessage: () => '',
    uninstallUrl: () => null,
    webhookApiVersion: () => '2026-07',
  }),
};
