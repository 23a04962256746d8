/**
 * The endpoint for the platform's webhooks. It only verifies a webhook and adds the changed object to the inbox; the
 * worker store-events reads the change.
 */
import middy from '@middy/core';
import { type Environment, readEnvironment } from '../../lib/config/environment.ts';
import { createAllowedMethodsOf } from '../../lib/http/allowed-methods.ts';
import { checkMethod } from '../../lib/http/check-method.ts';
import { requireEdge } from '../../lib/http/edge/require-edge.ts';
import type { HttpEvent, HttpResult } from '../../lib/http/exchange.ts';
import { limitBody } from '../../lib/http/limit-body.ts';
import { logRequest } from '../../lib/http/log-request.ts';
import { matchPath } from '../../lib/http/match-path.ts';
import { preventCaching } from '../../lib/http/prevent-caching.ts';
import { readRequest } from '../../lib/http/read-request.ts';
import { respondToErrors } from '../../lib/http/respond-to-errors.ts';
import { restErrorBody } from '../../lib/http/rest-error-body.ts';
import { PLATFORM_WEBHOOKS_PATH } from '../../lib/webhooks/in/webhook-registration.ts';
import { warmContainer } from '../compose/warm-container.ts';
import { warmUpSessionRef } from '../compose/warm-up-query.ts';
import {
  composePlatformWebhooks,
  type PlatformWebhooksDeps,
} from '../compose/webhooks/compose-platform-webhooks.ts';
import { withRequestContext } from '../compose/with-request-context.ts';
import { readWebhook, type WithWebhook } from './read-webhook.ts';
import { recordWebhook } from './record-webhook.ts';
import { verifyWebhook, type WithStore } from './verify-webhook.ts';
import { createWarnOnce } from './warn-once.ts';

const allowedMethodsOfPath = createAllowedMethodsOf({ [PLATFORM_WEBHOOKS_PATH]: ['POST'] });

type WebhooksEnvironment = Pick<
  Environment,
  'edgeSecretHashes' | 'platformApiVersion' | 'platformGidNamespace' | 'shopDomainSuffixes'
>;

/** @internal Creates the endpoint. Tests pass their own dependencies. */
export function createWebhooksHandler(environment: WebhooksEnvironment, deps: PlatformWebhooksDeps) {
  const runSteps = middy<HttpEvent<WithWebhook & WithStore>, HttpResult>({
    requestEnd: logRequest(deps),
    // Disable Middy's timer: every outgoing call has its own deadline, which ends before the function's timeout.
    timeoutEarlyInMillis: 0,
  })
    .use([
      readRequest(deps),
      preventCaching,
      requireEdge(environment),
      respondToErrors({ buildBody: restErrorBody, logger: deps.logger, audience: 'merchants' }),
      matchPath(allowedMethodsOfPath),
      checkMethod(allowedMethodsOfPath),
      limitBody(1024 * 1024),
      readWebhook(environment),
      verifyWebhook(deps),
    ])
    .handler(recordWebhook({ ...deps, ...environment, warnOnce: createWarnOnce(deps.logger) }));
  return withRequestContext(deps, runSteps);
}

const environment = readEnvironment();
const deps = composePlatformWebhooks(environment);

export const handler = deps.containerEnd.wrapHandler(createWebhooksHandler(environment, deps));

// This read opens the connection before the first request. The store does not exist.
await warmContainer(deps.logger, [() => deps.stores.find(warmUpSessionRef.shopId)]);
