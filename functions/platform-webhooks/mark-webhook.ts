/** The last step of a webhook: adds the changed object to the inbox, enqueues the store, and responds. */
import { parseJsonObject } from '../../lib/domain/json-object.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import { toResult } from '../../lib/http/answer.ts';
import type { HttpEvent, HttpResult } from '../../lib/http/exchange.ts';
import type { Marks } from '../../lib/storage/marks/marks.ts';
import type { WakeMarks } from '../../lib/storage/wakes/wake-marks.ts';
import { readMarkedObject } from '../../lib/webhooks/in/read-marked-object.ts';
import type { NoteOnce } from './note-once.ts';
import type { WithWebhook } from './read-webhook.ts';
import type { WithStore } from './verify-webhook.ts';

type Deps = {
  readonly marks: Pick<Marks, 'put'>;
  readonly wakeMarks: Pick<WakeMarks, 'wake'>;
  readonly noteOnce: NoteOnce;
  readonly platformApiVersion: string;
  readonly platformGidNamespace: string;
};

/**
 * Responds with 200 after both writes; otherwise the platform sends the webhook again.
 * @throws MISSING_PARAMETERS when it has no topic
 * @throws INVALID_JSON
 * @throws UNAUTHENTICATED when the body belongs to another topic or shop
 * @throws TEMPORARILY_UNAVAILABLE
 */
export function markWebhook(deps: Deps) {
  return async ({ exchange }: HttpEvent<WithWebhook & WithStore>): Promise<HttpResult> => {
    const { store, webhook, request, logFields } = exchange;
    const { topic, apiVersion } = webhook;
    // The webhook is signed but has no topic: the header was lost in transit. A response of 200 would lose the
    // webhook.
    if (topic === '') {
      logFields.refusal = 'topic';
      throw new ServiceError('MISSING_PARAMETERS', {
        message: 'The header X-Shopify-Topic is missing, sent twice or no topic.',
      });
    }
    const body = parseJsonObject(request.body);
    if (body === undefined) throw new ServiceError('INVALID_JSON');
    const marked = readMarkedObject(deps, { topic, body, store });
    logFields.topic = topic;
    if (marked === undefined) {
      logFields.refusal = 'body';
      throw new ServiceError('UNAUTHENTICATED');
    }
    if (apiVersion !== deps.platformApiVersion)
      deps.noteOnce('a webhook of another API version was read', { apiVersion });
    if (marked === 'unknown') {
      deps.noteOnce('a webhook of an unknown topic was let go', { topic });
    } else {
      await deps.marks.put(store.shopId, marked);
      await deps.wakeMarks.wake('store-events', store.shopId);
    }
    return toResult(exchange, { status: 200, body: {} });
  };
}
