/** The message of an error. If a client has to wait for minutes, a person sees the message, and it says for how long. */
import { errorCatalogue } from '../errors/catalogue.ts';
import type { ServiceError } from '../errors/service-error.ts';
import { type Message, message } from './message.ts';

const MINUTE_SECONDS = 60;

/** Returns the error's public message, or a message to translate. */
export function errorMessageOf({
  code,
  publicMessage,
  retryAfterSeconds = 0,
}: Pick<ServiceError, 'code' | 'publicMessage' | 'retryAfterSeconds'>): string | Message {
  const hasGeneralMessage = code === 'THROTTLED' && publicMessage === errorCatalogue[code].message;
  if (!hasGeneralMessage || retryAfterSeconds < MINUTE_SECONDS) return publicMessage;
  return message('tooManyRequests', { minutes: Math.ceil(retryAfterSeconds / MINUTE_SECONDS) });
}
