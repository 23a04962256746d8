/** The secret that signs an endpoint's webhooks, in the format of Standard Webhooks 1.0.0. */
import type { Brand } from '../domain/brand.ts';

/** A secret: `whsec_` and the base64 of 32 random bytes. */
export type WebhookSecret = Brand<string, 'WebhookSecret'>;

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const FORM = /^whsec_[A-Za-z0-9+/]{43}=$/;

/** Creates a secret; `random` returns the requested number of random bytes. */
export function createWebhookSecret(random: (bytes: number) => Uint8Array): WebhookSecret {
  return `${PREFIX}${Buffer.from(random(SECRET_BYTES)).toString('base64')}` as WebhookSecret;
}

/**
 * Parses a secret.
 * @returns undefined when the text has another format
 */
export function parseWebhookSecret(text: string): WebhookSecret | undefined {
  return FORM.test(text) ? (text as WebhookSecret) : undefined;
}

/** Returns the bytes of the signing key. */
export function keyOf(secret: WebhookSecret): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}
