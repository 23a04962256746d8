/**
 * The last step for a webhook: adds the changed object to the inbox, puts the store in the work queue, and responds.
 */
import { parseJsonObject } from '../../lib/domain/json-object.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { HttpEvent, HttpResult } from '../../lib/http/exchange.ts';
import { toApiGatewayResult } from '../../lib/http/http-response.ts';
import type { Inbox } from '../../lib/storage/inbox/inbox.ts';
import type { WorkQueue } from '../../lib/storage/work-queue/work-queue.ts';
import { readChangedObject } from '../../lib/webhooks/in/read-changed-object.ts';
import type { WithWebhook } from './read-webhook.ts';
import type { WithStore } from './verify-webhook.ts';
import type { WarnOnce } from './warn-once.ts';

type Deps = {
  readonly inbox: Pick<Inbox, 'put'>;
  readonly workQueue: Pick<WorkQueue, 'enqueue'>;
  readonly warnOnce: WarnOnce;
  readonly platformApiVersion: string;
  readonly platformGidNamespace: string;
};

/**
 * Responds with 200 after both writes. After any other response the platform sends the webhook again.
 * @throws MISSING_PARAMETERS when the webhook has no topic
 * @throws INVALID_JSON when the body is not a JSON object
 * @throws UNAUTHENTICATED when the body is of another topic or store than the headers
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be written
 */
export function recordWebhook(deps: Deps) {
  return async ({ exchange }: HttpEvent<WithWebhook & WithStore>): Promise<HttpResult> => {
    const { store, webhook, request, logFields } = exchange;
    const { topic, apiVersion } = webhook;
    // The signature is valid, but the topic is missing: the header was lost on the way. A response of 200 would lose
    // the webhook.
    if (topic === '') {
      logFields.refusal = 'topic';
      throw new ServiceError('MISSING_PARAMETERS', {
        message: 'The header X-Shopify-Topic is missing, sent twice or no topic.',
      });
    }
    const webhookBody = parseJsonObject(request.body);
    if (webhookBody === undefined) throw new ServiceError('INVALID_JSON');
    const changedObject = readChangedObject(deps, { topic, body: webhookBody, store });
    logFields.topic = topic;
    if (changedObject === undefined) {
      logFields.refusal = 'body';
      throw new ServiceError('UNAUTHENTICATED');
    }
    if (apiVersion !== deps.platformApiVersion)
      deps.warnOnce('platform_webhook.version_mismatch_detected', { apiVersion });
    if (changedObject === 'unknown') {
      deps.warnOnce('platform_webhook.topic_ignored', { topic });
    } else {
      await deps.inbox.put(store.shopId, changedObject);
      await deps.workQueue.enqueue('store-events', store.shopId);
    }
    return toApiGatewayResult(exchange, { status: 200, body: {} });
  };
}
