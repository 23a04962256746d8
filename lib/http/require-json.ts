import { ServiceError } from '../errors/service-error.ts';
import type { HandlerStep } from './exchange.ts';

const UTF_8_PARAMETER_PATTERN = /^charset\s*=\s*(?:utf-8|"utf-8")$/i;

/** Rejects a body whose media type is not `application/json` in UTF-8. */
export const requireJson: HandlerStep = {
  name: 'requireJson',
  before: ({ event: { exchange } }) => {
    const contentType = exchange.request.headers['content-type'] ?? '';
    if (contentType === 'application/json' || isJsonInUtf8(contentType)) return;
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE');
  },
};

/**
 * Accepts empty parameters (RFC 9110, section 5.6.6), and otherwise only the parameter `charset` with the value UTF-8.
 */
function isJsonInUtf8(contentType: string): boolean {
  const [mediaType, ...mediaTypeParameters] = contentType.split(';').map((part) => part.trim());
  const nonEmptyParameters = mediaTypeParameters.filter((parameter) => parameter !== '');
  return (
    mediaType?.toLowerCase() === 'application/json' &&
    nonEmptyParameters.length <= 1 &&
    nonEmptyParameters.every((parameter) => UTF_8_PARAMETER_PATTERN.test(parameter))
  );
}
