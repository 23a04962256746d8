/** Delivers a webhook once over HTTP, signed with the app's client secret, within five seconds. */
import { createHmac } from 'node:crypto';

export type WebhookToDeliver = {
  readonly shop: string;
  readonly topic: string;
  readonly body: string;
  readonly uri: string;
  readonly apiVersion: string;
  /** The same for every delivery of one webhook. */
  readonly webhookId: string;
  /** Shared by all webhooks of one action. */
  readonly eventId: string;
  readonly triggeredAt: string;
  readonly name?: string | null;
};

const DELIVERY_TIMEOUT_MS = 5000;

/** Returns the base64 HMAC of the raw body, which is all that is signed. */
function signBody(body: string, clientSecret: string): string {
  return createHmac('sha256', clientSecret).update(body).digest('base64');
}

function buildWebhookHeaders(webhook: WebhookToDeliver, signature: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Shopify-Captain-Hook',
    'x-shopify-topic': webhook.topic,
    'x-shopify-hmac-sha256': signature,
    'x-shopify-shop-domain': webhook.shop,
    'x-shopify-api-version': webhook.apiVersion,
    'x-shopify-webhook-id': webhook.webhookId,
    'x-shopify-triggered-at': webhook.triggeredAt,
    'x-shopify-event-id': webhook.eventId,
    ...(webhook.name == null ? {} : { 'x-shopify-name': webhook.name }),
  };
}

/**
 * Delivers the webhook and returns the status of the response. A redirect is not followed and counts as a failure.
 * @returns undefined when no response arrived
 */
export async function deliverWebhook(
  webhook: WebhookToDeliver,
  clientSecret: string,
): Promise<number | undefined> {
  const { uri, body } = webhook;
  try {
    const webhookResponse = await fetch(uri, {
      method: 'POST',
      headers: buildWebhookHeaders(webhook, signBody(body, clientSecret)),
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(DELIVERY_TIMEOUT_MS),
    });
    await webhookResponse.arrayBuffer();
    return webhookResponse.status;
  } catch {
    return undefined;
  }
}
