/** Handles requests to a one-time link, `/admin-keys/claim/{linkId}`. */
import middy from '@middy/core';
import type { Environment } from '../../../lib/config/environment.ts';
import { checkMethod } from '../../../lib/http/check-method.ts';
import { allowOrigins } from '../../../lib/http/cors/allow-origins.ts';
import { requireEdge } from '../../../lib/http/edge/require-edge.ts';
import type { HandlerStep, HttpEvent, HttpResult } from '../../../lib/http/exchange.ts';
import { htmlPageHeaders } from '../../../lib/http/html-page-headers.ts';
import { limitBody } from '../../../lib/http/limit-body.ts';
import { logRequest } from '../../../lib/http/log-request.ts';
import { type ParsedBody, parseJson } from '../../../lib/http/parse-json.ts';
import { preventCaching } from '../../../lib/http/prevent-caching.ts';
import { readRequest } from '../../../lib/http/read-request.ts';
import { requireJson } from '../../../lib/http/require-json.ts';
import { respondToErrors } from '../../../lib/http/respond-to-errors.ts';
import { restErrorBody } from '../../../lib/http/rest-error-body.ts';
import type { Logger } from '../../../lib/observability/logger.ts';
import { withRequestContext } from '../../compose/with-request-context.ts';
import { CLAIM_PAGE_POLICY } from './claim-page.ts';
import { type ClaimRouteDeps, handleClaimRequest } from './handle-claim-request.ts';

const listClaimMethods = () => ['GET', 'HEAD', 'OPTIONS', 'POST'];

/** Adds the headers of a page to every response of this route, including errors. */
const addPageHeaders: HandlerStep = {
  name: 'addPageHeaders',
  before: ({ event: { exchange } }) => {
    Object.assign(exchange.responseHeaders, htmlPageHeaders(CLAIM_PAGE_POLICY));
  },
};

/** Creates the route. Tests pass their own dependencies. Browsers may not call it from pages of other origins. */
export function createClaimHandler(
  deps: ClaimRouteDeps & Pick<Environment, 'edgeSecretHashes'> & { readonly logger: Logger },
) {
  const runSteps = middy<HttpEvent<ParsedBody>, HttpResult>({ requestEnd: logRequest(deps) })
    .use([
      readRequest(deps),
      preventCaching,
      requireEdge(deps),
      addPageHeaders,
      allowOrigins({ origins: [], allowedMethodsOf: listClaimMethods }),
      respondToErrors({ buildBody: restErrorBody, logger: deps.logger, audience: 'merchants' }),
      checkMethod(listClaimMethods),
      limitBody(4 * 1024),
      runOnlyForPost(requireJson),
      runOnlyForPost(parseJson),
    ])
    .handler(handleClaimRequest(deps));
  return withRequestContext(deps, runSteps);
}

/** Runs a step only for POST, because requests with other methods have no body. */
function runOnlyForPost(step: HandlerStep<ParsedBody>): HandlerStep<ParsedBody> {
  return {
    ...step,
    before: (request) =>
      request.event.exchange.request.method === 'POST' ? step.before?.(request) : undefined,
  };
}
