/** Composes the dependencies of the admin endpoint. */
import { createPreparedDocuments } from '../../graphql/compile/prepare-document.ts';
import type { GraphqlDeps } from '../../graphql/endpoint/execute-request.ts';
import { introspectAdmin } from '../../graphql/roots/introspection/introspect-admin.ts';
import type { Environment } from '../../lib/config/environment.ts';
import { createRecordKeyUse } from '../../lib/credentials/record-key-use.ts';
import { type AdminKeyVerifier, createAdminKeyVerifier } from '../../lib/credentials/verify-admin-key.ts';
import { loadOnce } from '../../lib/domain/load-once.ts';
import { composeStorage } from './compose-storage.ts';
import { composeStoreAccess, type StoreAccess, type WithContainerEnd } from './compose-store-access.ts';
import { warmUpSessionRef } from './warm-up-query.ts';

export type AdminDeps = StoreAccess &
  GraphqlDeps & {
    readonly verify: AdminKeyVerifier;
    /** Reads that every request makes. They run before the first request to open the connections. */
    readonly warmUpReads: readonly (() => Promise<unknown>)[];
  };

/** Creates the dependencies of the merchants' GraphQL endpoint, for one container. */
export function composeAdminGraphql(environment: Environment): AdminDeps & WithContainerEnd {
  const storeAccess = composeStoreAccess({
    environment,
    functionName: 'admin-graphql',
    storeParts: ['grant', 'keys'],
    composeStorage,
  });
  const { gidNamespace, platformGidNamespace } = environment;
  return {
    ...storeAccess,
    surface: 'admin',
    documents: createPreparedDocuments(),
    introspect: introspectAdmin,
    loadWebhooks: loadOnce(async () =>
      (await import('./compose-webhook-context.ts')).composeWebhookContext(environment, storeAccess),
    ),
    namespaces: { client: gidNamespace, platform: platformGidNamespace },
    verify: createAdminKeyVerifier({ ...storeAccess, recordUse: createRecordKeyUse(storeAccess) }),
    warmUpReads: [() => storeAccess.stores.find(warmUpSessionRef.shopId)],
  };
}
