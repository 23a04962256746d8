/** The secret that an endpoint's webhooks are signed with, in the form of Standard Webhooks 1.0.0. */
import type { Brand } from '../domain/brand.ts';

/** `whsec_` and the base64 of 32 random bytes: a secret. */
export type WebhookSecret = Brand<string, 'WebhookSecret'>;

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const FORM = /^whsec_[A-Za-z0-9+/]{43}=$/;

/** A new secret; `random` gives as many random bytes as asked for. */
export function createWebhookSecret(random: (bytes: number) => Uint8Array): WebhookSecret {
  return `${PREFIX}${Buffer.from(random(SECRET_BYTES)).toString('base64')}` as WebhookSecret;
}

/** The secret of a text, or undefined if it has not the form of one. */
export function parseWebhookSecret(text: string): WebhookSecret | undefined {
  return FORM.test(text) ? (text as WebhookSecret) : undefined;
}

/** The bytes that sign. */
export function keyOf(secret: WebhookSecret): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}
