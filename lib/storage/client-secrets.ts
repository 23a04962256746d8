/** The content of a store's secret `webhooks`: the client secret of the platform's app, which signs webhooks. */
import { isJsonObject } from '../domain/json-object.ts';
import { ServiceError } from '../errors/service-error.ts';

export type ClientSecrets = {
  readonly clientSecret: string;
  /** The one before it: the platform signs with the oldest that was not revoked. */
  readonly previousClientSecret?: string;
};

/** The content. TEMPORARILY_UNAVAILABLE if it is none: an operator has to put it right. */
export function parseClientSecrets(json: unknown): ClientSecrets {
  const { clientSecret, previousClientSecret: previous } = isJsonObject(json) ? json : {};
  if (!isClientSecret(clientSecret))
    throw new ServiceError('TEMPORARILY_UNAVAILABLE', {
      internal: 'the secret webhooks has no clientSecret',
    });
  return isClientSecret(previous) ? { clientSecret, previousClientSecret: previous } : { clientSecret };
}

/** Whether it may be a client secret: the platform's have 32 characters or more, without a blank. */
export function isClientSecret(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{32,256}$/.test(value);
}
