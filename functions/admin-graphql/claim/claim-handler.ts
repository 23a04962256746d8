/** The route of a one-time link, `/admin-keys/claim/{linkId}`: its own list of steps, beside the GraphQL one. */
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { allowOrigins } from '../../../lib/http/allow-origins.ts';
import { answerErrors } from '../../../lib/http/answer-errors.ts';
import { checkMethod } from '../../../lib/http/check-method.ts';
import type { HttpEvent, HttpResult, Step } from '../../../lib/http/exchange.ts';
import { limitBody } from '../../../lib/http/limit-body.ts';
import { logRequest } from '../../../lib/http/log-request.ts';
import { noStore } from '../../../lib/http/no-store.ts';
import { type ParsedBody, parseJson } from '../../../lib/http/parse-json.ts';
import { readRequest } from '../../../lib/http/read-request.ts';
import { requireJson } from '../../../lib/http/require-json.ts';
import { claimErrorBody } from '../../../lib/http/rest-error-body.ts';
import type { Logger } from '../../../lib/observability/logger.ts';
import { answerClaim, CLAIM_PATH, type ClaimRouteDeps } from './answer-claim.ts';
import { claimHeaders } from './claim-headers.ts';

type ClaimDeps = ClaimRouteDeps & { readonly logger: Logger };

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST'];

/** The handler of the route. No other origin may call it. */
export function createClaimHandler(deps: ClaimDeps) {
  return middy<HttpEvent<ParsedBody>, HttpResult>({ requestEnd: logRequest(deps) })
    .use([
      readRequest(deps),
      noStore,
      claimHeaders,
      allowOrigins({ origins: [], methods: () => METHODS }),
      answerErrors({ body: claimErrorBody, logger: deps.logger }),
      checkMethod(() => METHODS),
      limitBody(4 * 1024),
      onPost(requireJson),
      onPost(parseJson),
    ])
    .handler(answerClaim(deps));
}

type Handler = (event: HttpEvent<never>, context: Context) => Promise<HttpResult>;

/** The function's handler: one-time links go to their own list, everything else to `next`. */
export function withClaimPage(next: Handler, deps: ClaimDeps): Handler {
  const claim = createClaimHandler(deps);
  return (event, context) =>
    event.rawPath.startsWith(CLAIM_PATH) ? claim(event, context) : next(event, context);
}

/** A step about the body: looking at the page has none. */
function onPost(step: Step<ParsedBody>): Step<ParsedBody> {
  return {
    ...step,
    before: (request) =>
      request.event.exchange.request.method === 'POST' ? step.before?.(request) : undefined,
  };
}
