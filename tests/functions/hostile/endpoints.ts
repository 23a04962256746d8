/** Both GraphQL endpoints as they are deployed, in process: every step, the real client, a store of the emulated platform. */

import {
  createPreparedDocuments,
  type PreparedDocuments,
} from '../../../graphql/compile/prepare-document.ts';
import { introspectAdmin } from '../../../graphql/roots/introspection/introspect-admin.ts';
import { refuseIntrospection } from '../../../graphql/roots/introspection/refuse-introspection.ts';
import { type KeyScope, keyScopes } from '../../../lib/domain/key-scope.ts';
import type { HttpResult } from '../../../lib/http/exchange.ts';
import { createScheduledTaskRepository } from '../../../lib/storage/scheduled-tasks.ts';
import { createTimeline } from '../../../lib/timeline/timeline.ts';
import { buildLambdaEnvironment } from '../../../sandbox/aws/build-lambda-environment.ts';
import { createOperationWorld } from '../../contract/world/operation-world.ts';
import { ADA, KEY_LABEL, loadWebhooksNowhere, store } from '../../graphql/world/harness.ts';
import { context, httpEvent } from '../../http-event.ts';
import { createMemoryTable } from '../../memory-table.ts';

// The modules read their environment when they are loaded; the handlers made here have parts of their own.
Object.assign(process.env, buildLambdaEnvironment({ name: 'runner', memoryMb: 512 }), {
  TABLE_NAME: 'none',
  SECRETS_PREFIX: 'none',
});
const { createAdminHandler } = await import('../../../functions/admin-graphql/handler.ts');
const { createCustomerHandler } = await import('../../../functions/customer-graphql/handler.ts');

export type Endpoint = 'customer' | 'admin';
export const PATHS: Readonly<Record<Endpoint, string>> = {
  customer: '/api/storefront/unstable/graphql.json',
  admin: '/api/admin/unstable/graphql.json',
};

const customer = {
  kind: 'customer',
  shopId: store.shopId,
  customerId: ADA,
  session: { sessionId: 'session-1', generation: 1, confirmation: Promise.resolve() },
  store,
};
const admin = {
  kind: 'store',
  shopId: store.shopId,
  keyId: 'key-1',
  keyLabel: KEY_LABEL,
  scopes: keyScopes,
  store,
};
const environment = { graphiql: true, gidNamespace: 'platform', allowedOrigins: [], edgeSecretHashes: [] };

export type Endpoints = ReturnType<typeof createEndpoints>;

/**
 * `documents` may be cached longer than a store, because they do not depend on one. `changed` are a test's own
 * dependencies of both endpoints.
 */
export function createEndpoints(
  documents: PreparedDocuments = createPreparedDocuments(),
  changed: { readonly verify?: () => Promise<unknown>; readonly scopes?: readonly KeyScope[] } = {},
) {
  const world = createOperationWorld();
  const table = createMemoryTable();
  const { holder } = world.platform;
  const now = () => holder.nowMs;
  const failures: string[] = [];
  const requestLines: Readonly<Record<string, unknown>>[] = [];
  const logged: string[] = [];
  const record = (...line: unknown[]) => void logged.push(JSON.stringify(line));
  const logger = {
    debug: record,
    info: (name: string, fields: Readonly<Record<string, unknown>>) => {
      record(name, fields);
      if (name === 'request') requestLines.push(fields);
    },
    warn: record,
    error: (message: string, fields: unknown) => {
      record(message, fields);
      failures.push(JSON.stringify(fields));
    },
  };
  const scheduledTasks = createScheduledTaskRepository({ table, now });
  const deps = {
    now,
    wait: async (ms: number) => {
      holder.nowMs += ms;
    },
    logger,
    table,
    scheduledTasks,
    timeline: createTimeline({
      ...{ table, scheduledTasks, logger, now, newId: () => crypto.randomUUID() },
    }),
    sendAdminOperation: world.client,
    documents,
    namespaces: { client: 'platform', platform: 'shopify' },
  };
  const handlers = {
    customer: createCustomerHandler(environment, {
      ...deps,
      surface: 'customer',
      introspect: refuseIntrospection,
      verify: changed.verify ?? (async () => customer),
      findTokenShop: async () => store.shopId,
      findNamedStore: async () => store,
    } as never),
    admin: createAdminHandler(environment, {
      ...deps,
      surface: 'admin',
      introspect: introspectAdmin,
      loadWebhooks: loadWebhooksNowhere,
      verify: changed.verify ?? (async () => ({ ...admin, scopes: changed.scopes ?? keyScopes })),
    } as never),
  };
  return {
    world,
    /** The log lines of the requests, the last one last. */
    requestLines,
    /** All log lines as JSON. */
    logged,
    /** Returns the internal errors that were logged since the last call. */
    takeFailures: () => failures.splice(0),
    ask: async (
      endpoint: Endpoint,
      headers: Record<string, string>,
      body: string,
      method = 'POST',
    ): Promise<HttpResult> => {
      // As a store has points again after a while.
      holder.nowMs += 1_000;
      // A web page names its store in the query.
      const query = headers.origin === undefined ? '' : `shop=${store.domain}`;
      const event = httpEvent({ method, path: PATHS[endpoint], query, headers, body });
      const handle = handlers[endpoint] as (event: unknown, context: unknown) => Promise<HttpResult>;
      return handle(event, context);
    },
  };
}
