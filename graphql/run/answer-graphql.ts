/** The last step of both GraphQL endpoints: the request is executed, and the result becomes an HTTP answer. */
import type { Actor } from '../../lib/credentials/actor.ts';
import type { Verified } from '../../lib/credentials/verify-credential.ts';
import { toResult } from '../../lib/http/answer.ts';
import type { Exchange, HttpEvent, HttpResult } from '../../lib/http/exchange.ts';
import { isGraphqlResponse } from '../../lib/http/negotiate-graphql.ts';
import type { WithGraphqlRequest } from '../../lib/http/read-graphql-request.ts';
import { fitsResponse, tooLarge } from '../answer/answer-size.ts';
import { type GraphqlResult, refusal } from '../answer/graphql-result.ts';
import { executeRequest, type GraphqlDeps } from './execute-request.ts';

/**
 * 200 with data, whatever its errors. A refused document is 400 under `application/graphql-response+json`, 200
 * under `application/json` (GraphQL over HTTP, section "Status Codes").
 */
export function answerGraphql(deps: GraphqlDeps) {
  return async ({ exchange }: HttpEvent<Verified<Actor> & WithGraphqlRequest>): Promise<HttpResult> => {
    const { actor, graphql, requestId, startedAtMs } = exchange;
    const noteAction = (action: string) => {
      exchange.logFields.action = action;
    };
    const request = { actor, request: graphql, requestId, startedAtMs, noteAction, takesText: true };
    const result = await executeRequest(deps, request);
    const answer = toHttp(exchange, result);
    return fitsResponse(answer.body ?? '') ? answer : toHttp(exchange, refusal(tooLarge()));
  };
}

function toHttp(exchange: Exchange, { text, ...result }: GraphqlResult): HttpResult {
  if (text !== undefined) return toResult(exchange, { status: 200, body: text });
  const [first] = result.errors ?? [];
  if (first !== undefined) exchange.logFields.errorCode = String(first.extensions?.code ?? 'UNKNOWN');
  const isRefused = result.data === undefined;
  return toResult(exchange, { status: isRefused && isGraphqlResponse(exchange) ? 400 : 200, body: result });
}
