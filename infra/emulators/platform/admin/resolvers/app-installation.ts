/** The app that holds the store's access token, and what the merchant has granted it. */
import type { StoreState } from '../../state/state.ts';
import { knownScopes, scopesOf } from '../../state/store-access.ts';
import { fieldsOf, type ResolverMap } from '../context.ts';
import { gid } from '../gid.ts';

export const appInstallationResolvers: ResolverMap = {
  QueryRoot: { currentAppInstallation: (_parent: unknown, _args: unknown, { store }) => store },
  AppInstallation: fieldsOf<StoreState>({
    id: ({ shopId }) => gid('AppInstallation', shopId),
    accessScopes: (store) => scopesOf(store).map((handle) => ({ handle, description: knownScopes[handle] })),
    launchUrl: ({ shop }) => `https://${shop}/admin/apps`,
    uninstallUrl: () => null,
  }),
};
