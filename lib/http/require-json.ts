import { ServiceError } from '../errors/service-error.ts';
import type { Step } from './exchange.ts';

const UTF_8 = /^charset\s*=\s*(?:utf-8|"utf-8")$/i;

/** Rejects a body whose media type is not `application/json` in UTF-8. */
export const requireJson: Step = {
  name: 'requireJson',
  before: ({ event: { exchange } }) => {
    const type = exchange.request.headers['content-type'] ?? '';
    if (type === 'application/json' || isJson(type)) return;
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE');
  },
};

/**
 * Accepts empty parameters (RFC 9110, section 5.6.6), and otherwise only the parameter `charset` with the value UTF-8.
 */
function isJson(contentType: string): boolean {
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim());
  const given = parameters.filter((parameter) => parameter !== '');
  return (
    type?.toLowerCase() === 'application/json' &&
    given.length <= 1 &&
    given.every((parameter) => UTF_8.test(parameter))
  );
}
