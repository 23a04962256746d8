/**
 * The GraphQL endpoint for merchants' servers. GraphiQL is one of its steps; one-time links have their own handler
 * (claim/claim-handler.ts).
 */
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { handleGraphql } from '../../graphql/endpoint/execute-request.ts';
import { type Environment, readEnvironment } from '../../lib/config/environment.ts';
import type { StoreActor } from '../../lib/credentials/actor.ts';
import { readActingCustomer } from '../../lib/credentials/read-acting-customer.ts';
import { verifyCredential, type WithActor } from '../../lib/credentials/verify-credential.ts';
import { loadOnce } from '../../lib/domain/load-once.ts';
import { createAllowedMethodsOf } from '../../lib/http/allowed-methods.ts';
import { checkMethod } from '../../lib/http/check-method.ts';
import { gzipResponse } from '../../lib/http/compression/compress-response.ts';
import { requireEdge } from '../../lib/http/edge/require-edge.ts';
import type { HttpEvent, HttpResult } from '../../lib/http/exchange.ts';
import { graphqlErrorBody } from '../../lib/http/graphql-error-body.ts';
import { limitBody } from '../../lib/http/limit-body.ts';
import { logRequest } from '../../lib/http/log-request.ts';
import { matchPath } from '../../lib/http/match-path.ts';
import { negotiateGraphql } from '../../lib/http/negotiate-graphql.ts';
import { type ParsedBody, parseJson } from '../../lib/http/parse-json.ts';
import { preventCaching } from '../../lib/http/prevent-caching.ts';
import { readGraphqlRequest, type WithGraphqlRequest } from '../../lib/http/read-graphql-request.ts';
import { readRequest } from '../../lib/http/read-request.ts';
import { requireJson } from '../../lib/http/require-json.ts';
import { respondToErrors } from '../../lib/http/respond-to-errors.ts';
import { scheduleMissingTimeZoneRead } from '../../lib/stores/lifecycle/schedule-missing-time-zone-read.ts';
import { type AdminDeps, composeAdminGraphql } from '../compose/compose-admin-graphql.ts';
import { runWarmUpQuery, type WarmUpReplaceableDeps } from '../compose/run-warm-up-query.ts';
import { warmContainer } from '../compose/warm-container.ts';
import { warmUpServer } from '../compose/warm-up-query.ts';
import { withRequestContext } from '../compose/with-request-context.ts';
import { CLAIM_PATH } from './claim/claim-path.ts';
import { GRAPHIQL_PATH, serveGraphiql } from './graphiql/serve-graphiql.ts';

type GraphqlExchangeParts = WithActor<StoreActor> & ParsedBody & WithGraphqlRequest;

const ADMIN_GRAPHQL_PATH = '/api/admin/unstable/graphql.json';

/** Creates the endpoint. Tests pass their own dependencies. */
export function createAdminHandler(
  environment: Pick<Environment, 'edgeSecretHashes' | 'graphiql' | 'gidNamespace'>,
  deps: AdminDeps,
) {
  const allowedMethodsOf = createAllowedMethodsOf({
    [ADMIN_GRAPHQL_PATH]: ['POST'],
    ...(environment.graphiql && { [GRAPHIQL_PATH]: ['GET', 'HEAD'] }),
  });
  const runSteps = middy<HttpEvent<GraphqlExchangeParts>, HttpResult>({
    requestEnd: logRequest(deps),
    // Disable Middy's timer: every outgoing call has its own deadline, which ends before the function's timeout.
    timeoutEarlyInMillis: 0,
  })
    .use([
      readRequest(deps),
      gzipResponse,
      preventCaching,
      requireEdge(environment),
      negotiateGraphql,
      respondToErrors({ buildBody: graphqlErrorBody, logger: deps.logger, audience: 'merchants' }),
      matchPath(allowedMethodsOf),
      checkMethod(allowedMethodsOf),
      serveGraphiql,
      limitBody(256 * 1024),
      verifyCredential(deps.verify),
      scheduleMissingTimeZoneRead(deps),
      readActingCustomer(environment),
      requireJson,
      parseJson,
      readGraphqlRequest,
    ])
    .handler(handleGraphql(deps));
  return withRequestContext(deps, runSteps);
}

const environment = readEnvironment();
const deps = composeAdminGraphql(environment);
const handleGraphqlRoute = createAdminHandler(environment, deps);
// Load this route with its first request, because few containers serve a one-time link.
const loadClaimRoute = loadOnce(async () => {
  const { createClaimHandler } = await import('./claim/claim-handler.ts');
  return createClaimHandler({ ...deps, ...environment });
});

export const handler = deps.containerEnd.wrapHandler(
  async (event: HttpEvent<never>, context: Context): Promise<HttpResult> =>
    event.rawPath.startsWith(CLAIM_PATH)
      ? (await loadClaimRoute())(event, context)
      : handleGraphqlRoute(event, context),
);

// The endpoint for the warm-up query only. It accepts every request, so it must never be exported.
const createWarmUpEndpoint = (replacedDeps: WarmUpReplaceableDeps) =>
  createAdminHandler(
    { ...environment, edgeSecretHashes: [] },
    { ...deps, ...replacedDeps, verify: async () => warmUpServer },
  );

await warmContainer(deps.logger, [
  () => runWarmUpQuery({ ...deps, environment, path: ADMIN_GRAPHQL_PATH, endpoint: createWarmUpEndpoint }),
  ...deps.warmUpReads,
]);
