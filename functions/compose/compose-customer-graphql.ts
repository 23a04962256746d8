/** Composes the dependencies of the customer endpoint. */
import { createPreparedDocuments } from '../../graphql/compile/prepare-document.ts';
import type { GraphqlDeps } from '../../graphql/endpoint/execute-request.ts';
import { refuseIntrospection } from '../../graphql/roots/introspection/refuse-introspection.ts';
import type { Environment } from '../../lib/config/environment.ts';
import type { CustomerActor } from '../../lib/credentials/actor.ts';
import { createTokenKeyReader } from '../../lib/credentials/token-keys.ts';
import { findShopIdOfToken, verifyCustomerToken } from '../../lib/credentials/verify-customer-token.ts';
import type { ShopId } from '../../lib/domain/shop-id.ts';
import { findRequestedStore } from '../../lib/sign-in/find-installed-store.ts';
import { createSessionRepository } from '../../lib/storage/sessions/sessions.ts';
import { createSignInRepository } from '../../lib/storage/sessions/sign-ins.ts';
import type { StoreRecord } from '../../lib/storage/stores.ts';
import { composeStorage } from './compose-storage.ts';
import { composeStoreAccess, type StoreAccess, type WithContainerEnd } from './compose-store-access.ts';
import { warmUpSessionRef } from './warm-up-query.ts';

export type CustomerDeps = StoreAccess &
  GraphqlDeps & {
    readonly verify: (authorization: string | undefined) => Promise<CustomerActor>;
    /** Returns the store of a customer's token, also of one that has expired. Undefined without such a token. */
    readonly findTokenShop: (authorization: string | undefined) => Promise<ShopId | undefined>;
    /** Reads the store with a domain that a client sent. Undefined when there is none. */
    readonly findNamedStore: (domain: string) => Promise<StoreRecord | undefined>;
    /** Reads that every request makes. They run before the first request to open the connections. */
    readonly warmUpReads: readonly (() => Promise<unknown>)[];
  };

/** The customer endpoint reads a store's grant, but not its admin keys. */
const STORE_ITEMS_TO_READ = ['grant'] as const;

/** Creates the dependencies of the customers' GraphQL endpoint, for one container. */
export function composeCustomerGraphql(environment: Environment): CustomerDeps & WithContainerEnd {
  const storeAccess = composeStoreAccess({
    environment,
    functionName: 'customer-graphql',
    storeParts: STORE_ITEMS_TO_READ,
    composeStorage,
  });
  const { secrets, now, logger, table } = storeAccess;
  const { secretsPrefix, gidNamespace, platformGidNamespace } = environment;
  const tokenKeys = createTokenKeyReader({ secrets, secretsPrefix, now, logger });
  const sessions = createSessionRepository({ table, storeParts: STORE_ITEMS_TO_READ, readsQuota: true });
  const signIns = createSignInRepository({ table });
  return {
    ...storeAccess,
    surface: 'customer',
    documents: createPreparedDocuments(),
    introspect: refuseIntrospection,
    namespaces: { client: gidNamespace, platform: platformGidNamespace },
    verify: (authorization) =>
      verifyCustomerToken({ tokenKeys, sessions, signIns, logger, now }, authorization),
    findTokenShop: (authorization) => findShopIdOfToken({ tokenKeys }, authorization),
    findNamedStore: (domain) => findRequestedStore({ ...storeAccess, ...environment }, domain),
    warmUpReads: [() => tokenKeys.signingKey(), () => sessions.findWithStore(warmUpSessionRef)],
  };
}
