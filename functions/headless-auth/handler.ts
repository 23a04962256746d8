/** The sign-in service: every request to /headless-auth, and to an address that nobody has. */
import middy from '@middy/core';
import { readEnvironment } from '../../lib/config/environment.ts';
import { allowOrigins } from '../../lib/http/allow-origins.ts';
import { answerErrors } from '../../lib/http/answer-errors.ts';
import { checkMethod } from '../../lib/http/check-method.ts';
import type { HttpEvent, HttpResult } from '../../lib/http/exchange.ts';
import { limitBody } from '../../lib/http/limit-body.ts';
import { logRequest } from '../../lib/http/log-request.ts';
import { noStore } from '../../lib/http/no-store.ts';
import { type ParsedBody, parseJson } from '../../lib/http/parse-json.ts';
import { readRequest } from '../../lib/http/read-request.ts';
import { requireJson } from '../../lib/http/require-json.ts';
import { composeSignIn } from '../compose/compose-sign-in.ts';
import { answerEndpoint, methodsAt } from './endpoints.ts';
import { signInErrorBody } from './error-body.ts';
import { matchEndpoint } from './match-endpoint.ts';

const environment = readEnvironment();
const deps = { ...composeSignIn(environment), ...environment };

export const handler = middy<HttpEvent<ParsedBody>, HttpResult>({ requestEnd: logRequest(deps) })
  .use([
    readRequest(deps),
    noStore,
    allowOrigins({ origins: environment.allowedOrigins, methods: methodsAt }),
    answerErrors({ body: signInErrorBody, logger: deps.logger }),
    matchEndpoint,
    checkMethod(methodsAt),
    limitBody(64 * 1024),
    requireJson,
    parseJson,
  ])
  .handler(answerEndpoint(deps));
