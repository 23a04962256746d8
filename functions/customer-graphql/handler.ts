/** The GraphQL endpoint for customers' apps. */
import middy from '@middy/core';
import { handleGraphql } from '../../graphql/endpoint/execute-request.ts';
import { type Environment, readEnvironment } from '../../lib/config/environment.ts';
import type { CustomerActor } from '../../lib/credentials/actor.ts';
import { verifyCredential, type WithActor } from '../../lib/credentials/verify-credential.ts';
import { createAllowedMethodsOf } from '../../lib/http/allowed-methods.ts';
import { checkMethod } from '../../lib/http/check-method.ts';
import { gzipResponse } from '../../lib/http/compression/compress-response.ts';
import { allowOrigins } from '../../lib/http/cors/allow-origins.ts';
import { requirePageStore } from '../../lib/http/cors/require-page-store.ts';
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
import { type CustomerDeps, composeCustomerGraphql } from '../compose/compose-customer-graphql.ts';
import { runWarmUpQuery, type WarmUpReplaceableDeps } from '../compose/run-warm-up-query.ts';
import { warmContainer } from '../compose/warm-container.ts';
import { warmUpCustomer } from '../compose/warm-up-query.ts';
import { withRequestContext } from '../compose/with-request-context.ts';

type GraphqlExchangeParts = WithActor<CustomerActor> & ParsedBody & WithGraphqlRequest;

const CUSTOMER_GRAPHQL_PATH = '/api/storefront/unstable/graphql.json';
const allowedMethodsOfPath = createAllowedMethodsOf({ [CUSTOMER_GRAPHQL_PATH]: ['POST'] });

/** Creates the endpoint. The deployed function, its warm-up, tests and measurements pass different dependencies. */
export function createCustomerHandler(
  environment: Pick<Environment, 'allowedOrigins' | 'edgeSecretHashes'>,
  deps: CustomerDeps,
) {
  const allowedOrigins = environment.allowedOrigins;
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
      allowOrigins({
        origins: allowedOrigins,
        findStore: deps.findNamedStore,
        allowedMethodsOf: allowedMethodsOfPath,
      }),
      respondToErrors({ buildBody: graphqlErrorBody, logger: deps.logger, audience: 'customers' }),
      matchPath(allowedMethodsOfPath),
      checkMethod(allowedMethodsOfPath),
      limitBody(256 * 1024),
      requirePageStore(({ request }) => deps.findTokenShop(request.headers.authorization)),
      verifyCredential(deps.verify),
      scheduleMissingTimeZoneRead(deps),
      requireJson,
      parseJson,
      readGraphqlRequest,
    ])
    .handler(handleGraphql(deps));
  return withRequestContext(deps, runSteps);
}

const environment = readEnvironment();
const deps = composeCustomerGraphql(environment);

export const handler = deps.containerEnd.wrapHandler(createCustomerHandler(environment, deps));

// The endpoint for the warm-up query only. It accepts every request, so it must never be exported.
const createWarmUpEndpoint = (replacedDeps: WarmUpReplaceableDeps) =>
  createCustomerHandler(
    { ...environment, edgeSecretHashes: [] },
    { ...deps, ...replacedDeps, verify: async () => warmUpCustomer },
  );

await warmContainer(deps.logger, [
  () => runWarmUpQuery({ ...deps, environment, path: CUSTOMER_GRAPHQL_PATH, endpoint: createWarmUpEndpoint }),
  ...deps.warmUpReads,
]);
