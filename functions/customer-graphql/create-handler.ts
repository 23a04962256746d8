/** The ordered list of the customers' GraphQL endpoint. */
import middy from '@middy/core';
import { answerGraphql } from '../../graphql/run/answer-graphql.ts';
import type { Environment } from '../../lib/config/environment.ts';
import type { CustomerActor } from '../../lib/credentials/actor.ts';
import { type Verified, verifyCredential } from '../../lib/credentials/verify-credential.ts';
import { allowOrigins } from '../../lib/http/allow-origins.ts';
import { answerErrors } from '../../lib/http/answer-errors.ts';
import { checkMethod } from '../../lib/http/check-method.ts';
import type { HttpEvent, HttpResult } from '../../lib/http/exchange.ts';
import { graphqlErrorBody } from '../../lib/http/graphql-error-body.ts';
import { limitBody } from '../../lib/http/limit-body.ts';
import { logRequest } from '../../lib/http/log-request.ts';
import { matchPath } from '../../lib/http/match-path.ts';
import { negotiateGraphql } from '../../lib/http/negotiate-graphql.ts';
import { noStore } from '../../lib/http/no-store.ts';
import { type ParsedBody, parseJson } from '../../lib/http/parse-json.ts';
import { readGraphqlRequest, type WithGraphqlRequest } from '../../lib/http/read-graphql-request.ts';
import { readRequest } from '../../lib/http/read-request.ts';
import { requireJson } from '../../lib/http/require-json.ts';
import { wantTimeZone } from '../../lib/stores/life/want-time-zone.ts';
import type { CustomerDeps } from '../compose/compose-customer-graphql.ts';
import { methodsAt } from './endpoint.ts';

type More = Verified<CustomerActor> & ParsedBody & WithGraphqlRequest;

/** The handler over its parts. */
export function createHandler({ allowedOrigins }: Pick<Environment, 'allowedOrigins'>, deps: CustomerDeps) {
  return middy<HttpEvent<More>, HttpResult>({
    requestEnd: logRequest(deps),
    // Every call out has a deadline of its own, below the function's: no timer for the request as a whole.
    timeoutEarlyInMillis: 0,
  })
    .use([readRequest(deps), noStore, negotiateGraphql])
    .use(allowOrigins({ origins: allowedOrigins, methods: methodsAt }))
    .use(answerErrors({ body: graphqlErrorBody, logger: deps.logger }))
    .use([matchPath(methodsAt), checkMethod(methodsAt), limitBody(256 * 1024)])
    .use([verifyCredential(deps.verify), wantTimeZone(deps)])
    .use([requireJson, parseJson, readGraphqlRequest])
    .handler(answerGraphql(deps));
}
