/** Builds the headers of one attempt by Standard Webhooks 1.0.0: receivers verify them with its libraries. */
import { createHmac } from 'node:crypto';
import { keyOf, type WebhookSecret } from './webhook-secret.ts';

type Attempt = {
  /** The event's id, the same in every attempt: receivers detect duplicates by it. */
  readonly id: string;
  readonly body: string;
  /** All valid secrets. Each one signs, so that a receiver may know either during a rotation. */
  readonly secrets: readonly WebhookSecret[];
  readonly nowMs: number;
};

/** Returns the headers with which a receiver verifies an attempt; the timestamp is the attempt's, in seconds. */
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
