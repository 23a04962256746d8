/** The headers of one attempt, after Standard Webhooks 1.0.0: receivers verify them with its libraries. */
import { createHmac } from 'node:crypto';
import { keyOf, type WebhookSecret } from './webhook-secret.ts';

type Attempt = {
  /** The event's own, the same in every attempt: receivers know doubles by it. */
  readonly id: string;
  readonly body: string;
  /** All that are valid; each signs, so that a receiver may know either while they change. */
  readonly secrets: readonly WebhookSecret[];
  readonly nowMs: number;
};

/** What a receiver needs to verify an attempt; its time is the attempt's, to the second. */
export function signWebhook({ id, body, secrets, nowMs }: Attempt): Record<string, string> {
  const timestamp = `${Math.floor(nowMs / 1000)}`;
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`,
  );
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
