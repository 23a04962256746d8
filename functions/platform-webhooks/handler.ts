/** What the platform tells of stores: the steps of a webhook, in order. */
import middy from '@middy/core';
import { readEnvironment } from '../../lib/config/environment.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import { answerErrors } from '../../lib/http/answer-errors.ts';
import { checkMethod } from '../../lib/http/check-method.ts';
import { requireEdge } from '../../lib/http/edge/require-edge.ts';
import type { HttpEvent, HttpResult } from '../../lib/http/exchange.ts';
import { limitBody } from '../../lib/http/limit-body.ts';
import { logRequest } from '../../lib/http/log-request.ts';
import { matchPath } from '../../lib/http/match-path.ts';
import { methodsByPath } from '../../lib/http/methods-by-path.ts';
import { noStore } from '../../lib/http/no-store.ts';
import { readRequest } from '../../lib/http/read-request.ts';
import { restErrorBody } from '../../lib/http/rest-error-body.ts';
import { composePlatformWebhooks } from '../compose/webhooks/compose-platform-webhooks.ts';

const environment = readEnvironment();
const deps = composePlatformWebhooks(environment);
const methodsAt = methodsByPath({ '/platform/webhooks': ['POST'] });

export const handler = middy<HttpEvent, HttpResult>({ requestEnd: logRequest(deps), timeoutEarlyInMillis: 0 })
  .use([
    readRequest(deps),
    noStore,
    requireEdge(environment),
    answerErrors({ body: restErrorBody, logger: deps.logger, listeners: 'merchants' }),
    matchPath(methodsAt),
    checkMethod(methodsAt),
    limitBody(1024 * 1024),
  ])
  .handler(() => {
    throw new ServiceError('UNAUTHENTICATED');
  });
