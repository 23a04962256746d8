/** The last step of a webhook: what it tells of is marked, its store is woken, and the platform has its answer. */
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
 * Answers 200 once both writes are done; the platform sends again what was not. MISSING_PARAMETERS if it has no topic;
 * INVALID_JSON; UNAUTHENTICATED if the body is another topic's or another shop's; TEMPORARILY_UNAVAILABLE.
 */
export function markWebhook(deps: Deps) {
  return async ({ exchange }: HttpEvent<WithWebhook & WithStore>): Promise<HttpResult> => {
    const { store, webhook, request, logFields } = exchange;
    const { topic, apiVersion } = webhook;
    // Signed and yet about nothing: something on the way took the header. An answer of 200 would lose it.
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
