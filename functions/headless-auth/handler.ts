/** The sign-in endpoints under /headless-auth. API Gateway also sends requests with unknown paths to this function. */
import middy from '@middy/core';
import { readEnvironment } from '../../lib/config/environment.ts';
import { checkMethod } from '../../lib/http/check-method.ts';
import { allowOrigins } from '../../lib/http/cors/allow-origins.ts';
import { requirePageStore } from '../../lib/http/cors/require-page-store.ts';
import { requireEdge } from '../../lib/http/edge/require-edge.ts';
import type { HttpEvent, HttpResult } from '../../lib/http/exchange.ts';
import { limitBody } from '../../lib/http/limit-body.ts';
import { logRequest } from '../../lib/http/log-request.ts';
import { matchPath } from '../../lib/http/match-path.ts';
import { type ParsedBody, parseJson } from '../../lib/http/parse-json.ts';
import { preventCaching } from '../../lib/http/prevent-caching.ts';
import { readRequest } from '../../lib/http/read-request.ts';
import { requireJson } from '../../lib/http/require-json.ts';
import { respondToErrors } from '../../lib/http/respond-to-errors.ts';
import { restErrorBody } from '../../lib/http/rest-error-body.ts';
import { findRequestedShopId, findRequestedStore } from '../../lib/sign-in/find-installed-store.ts';
import { composeSignIn } from '../compose/compose-sign-in.ts';
import { warmContainer } from '../compose/warm-container.ts';
import { warmUpSessionRef } from '../compose/warm-up-query.ts';
import { withRequestContext } from '../compose/with-request-context.ts';
import { allowedMethodsOfRequest, handleEndpoint } from './endpoints.ts';
import { handleHealthCheck } from './handle-health-check.ts';

const environment = readEnvironment();
const deps = { ...composeSignIn(environment), ...environment };
const allowedOrigins = environment.allowedOrigins;

const handleWithSteps = middy<HttpEvent<ParsedBody>, HttpResult>({ requestEnd: logRequest(deps) })
  .use([
    readRequest(deps),
    preventCaching,
    requireEdge(environment),
    allowOrigins({
      origins: allowedOrigins,
      findStore: (domain) => findRequestedStore(deps, domain),
      allowedMethodsOf: allowedMethodsOfRequest,
    }),
    respondToErrors({ buildBody: restErrorBody, logger: deps.logger, audience: 'customers' }),
    matchPath(allowedMethodsOfRequest),
    checkMethod(allowedMethodsOfRequest),
    handleHealthCheck(environment),
    limitBody(64 * 1024),
    requireJson,
    parseJson,
    requirePageStore<ParsedBody>(({ json }) => findRequestedShopId(deps, json.shop)),
  ])
  .handler(handleEndpoint(deps));

export const handler = deps.containerEnd.wrapHandler(withRequestContext(deps, handleWithSteps));

// These reads open the connections before the first request. The store does not exist.
await warmContainer(deps.logger, [
  () => deps.tokenKeys.signingKey(),
  () => deps.stores.find(warmUpSessionRef.shopId),
]);
