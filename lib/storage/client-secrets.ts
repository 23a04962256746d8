/**
 * The content of a store's secret `webhooks`: the client secrets of the platform's app, with which the platform signs
 * webhooks.
 */
import { isJsonObject } from '../domain/json-object.ts';
import { ServiceError } from '../errors/service-error.ts';

export type ClientSecrets = {
  readonly clientSecret: string;
  /** The previous client secret. After a rotation, the platform signs with the old secret until it is revoked. */
  readonly previousClientSecret?: string;
};

/**
 * Parses the content of the secret.
 * @throws TEMPORARILY_UNAVAILABLE when it is malformed, until an operator corrects it
 */
export function parseClientSecrets(json: unknown): ClientSecrets {
  const { clientSecret, previousClientSecret: previous } = isJsonObject(json) ? json : {};
  if (!isClientSecret(clientSecret))
    throw new ServiceError('TEMPORARILY_UNAVAILABLE', {
      internal: 'the secret webhooks has no clientSecret',
    });
  return isClientSecret(previous) ? { clientSecret, previousClientSecret: previous } : { clientSecret };
}

/** Whether the value looks like a client secret: 32 to 256 printable ASCII characters without blanks. */
export function isClientSecret(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{32,256}$/.test(value);
}
