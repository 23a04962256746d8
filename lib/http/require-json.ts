import { ServiceError } from '../errors/service-error.ts';
import type { Step } from './exchange.ts';

const UTF_8 = /^charset\s*=\s*(?:utf-8|"utf-8")$/i;

/** Refuses any body other than `application/json` in UTF-8. */
export const requireJson: Step = {
  name: 'requireJson',
  before: ({ event: { exchange } }) => {
    const type = exchange.request.headers['content-type'] ?? '';
    if (type === 'application/json' || isJson(type)) return;
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE');
  },
};

/** A parameter may be empty (RFC 9110, section 5.6.6); any other parameter has to be UTF-8 as charset. */
function isJson(contentType: string): boolean {
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim());
  const given = parameters.filter((parameter) => parameter !== '');
  return (
    type?.toLowerCase() === 'application/json' &&
    given.length <= 1 &&
    given.every((parameter) => UTF_8.test(parameter))
  );
}
