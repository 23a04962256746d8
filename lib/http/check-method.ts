import { ServiceError } from '../errors/service-error.ts';
import type { AllowedMethodsOf } from './allowed-methods.ts';
import type { HandlerStep } from './exchange.ts';

/** Rejects a method that the path does not allow, and lists the allowed ones in `Allow` (RFC 9110, section 15.5.6). */
export function checkMethod(allowedMethodsOf: AllowedMethodsOf): HandlerStep {
  return {
    name: 'checkMethod',
    before: ({ event: { exchange } }) => {
      const allowedMethods = allowedMethodsOf(exchange);
      if (allowedMethods.includes(exchange.request.method)) return;
      throw new ServiceError('METHOD_NOT_ALLOWED', {
        message: `This address accepts ${allowedMethods.join(', ')}.`,
        headers: { allow: allowedMethods.join(', ') },
      });
    },
  };
}
