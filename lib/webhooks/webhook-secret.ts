/** The secret of an endpoint, and signatures with it, in the format of Standard Webhooks 1.0.0. */

import { createHmac } from 'node:crypto';
import type { Brand } from '../domain/brand.ts';

/** A secret: `whsec_` and the base64 of 32 random bytes. */
export type WebhookSecret = Brand<string, 'WebhookSecret'>;

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const SECRET_PATTERN = /^whsec_[A-Za-z0-9+/]{43}=$/;

/** Creates a secret. `random`: returns `byteCount` random bytes. */
export function createWebhookSecret(random: (byteCount: number) => Uint8Array): WebhookSecret {
  return `${SECRET_PREFIX}${Buffer.from(random(SECRET_BYTES)).toString('base64')}` as WebhookSecret;
}

/**
 * Parses a secret.
 * @returns undefined when the text has another format
 */
export function parseWebhookSecret(text: string): WebhookSecret | undefined {
  return SECRET_PATTERN.test(text) ? (text as WebhookSecret) : undefined;
}

/** Returns the bytes of the signing key. */
function signingKeyBytes(secret: WebhookSecret): Buffer {
  return Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
}

type WebhookToSign = {
  /** The event's id, the same in every attempt: receivers detect duplicates by it. */
  readonly id: string;
  readonly body: string;
  /** All valid secrets. Each secret makes a signature, so that during a rotation the receiver needs only one of them. */
  readonly secrets: readonly WebhookSecret[];
  readonly nowMs: number;
};

/** Returns the headers with which a receiver verifies an attempt (Standard Webhooks 1.0.0); the timestamp is in seconds. */
export function signWebhook({ id, body, secrets, nowMs }: WebhookToSign): Record<string, string> {
  const timestamp = `${Math.floor(nowMs / 1000)}`;
  const signedText = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', signingKeyBytes(secret)).update(signedText).digest('base64')}`,
  );
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
