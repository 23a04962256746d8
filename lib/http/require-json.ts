import { ServiceError } from '../errors/service-error.ts';
import type { Step } from './exchange.ts';

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** Refuses any body but `application/json` in UTF-8: no form, no multipart, no text. */
export const requireJson: Step = {
  name: 'requireJson',
  before: ({ event: { exchange } }) => {
    const type = exchange.request.headers['content-type'] ?? '';
    if (type === 'application/json' || JSON_TYPE.test(type)) return;
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE');
  },
};
