/** The content of a store's secret `webhooks`: the client secret of the platform's app, which signs webhooks. */
import { isJsonObject } from '../domain/json-object.ts';
import { ServiceError } from '../errors/service-error.ts';

export type ClientSecrets = {
  readonly clientSecret: string;
  /** The previous secret: the platform signs with the oldest secret that is not revoked. */
  readonly previousClientSecret?: string;
};

/**
 * Parses the content.
 * @throws TEMPORARILY_UNAVAILABLE when it is malformed; an operator has to correct it
 */
export function parseClientSecrets(json: unknown): ClientSecrets {
  const { clientSecret, previousClientSecret: previous } = isJsonObject(json) ? json : {};
  if (!isClientSecret(clientSecret))
    throw new ServiceError('TEMPORARILY_UNAVAILABLE', {
      internal: 'the secret webhooks has no clientSecret',
    });
  return isClientSecret(previous) ? { clientSecret, previousClientSecret: previous } : { clientSecret };
}

/** Whether the value has the format of a client secret: 32 or more printable characters without blanks. */
export function isClientSecret(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{32,256}$/.test(value);
}
