/** The real parts of the admin endpoint. */
import type { GraphqlDeps } from '../../graphql/plan/execute-request.ts';
import { introspectAdmin } from '../../graphql/plan/introspect.ts';
import { createDocuments } from '../../graphql/plan/prepare-document.ts';
import { composeStoreAccess, type StoreAccess } from '../../lib/config/compose-store-access.ts';
import type { Environment } from '../../lib/config/environment.ts';
import { type AdminKeyVerifier, createAdminKeyVerifier } from '../../lib/credentials/verify-admin-key.ts';

export type AdminDeps = StoreAccess & GraphqlDeps & { readonly verify: AdminKeyVerifier };

/** Everything that the admin endpoint works with, of one container. */
export function compose(environment: Environment): AdminDeps {
  const access = composeStoreAccess(environment, 'admin-graphql');
  const { gidNamespace, platformGidNamespace } = environment;
  return {
    ...access,
    surface: 'admin',
    prepareDocument: createDocuments(),
    introspect: introspectAdmin,
    namespaces: { client: gidNamespace, platform: platformGidNamespace },
    verify: createAdminKeyVerifier(access),
  };
}
