import { ServiceError } from '../errors/service-error.ts';
import type { AllowedMethodsOf } from './allowed-methods.ts';
import type { HandlerStep } from './exchange.ts';

/**
 * Rejects a path that does not exist.
 * @throws NOT_FOUND when no method is allowed at the path
 */
export function matchPath(allowedMethodsOf: AllowedMethodsOf): HandlerStep {
  return {
    name: 'matchPath',
    before: ({ event: { exchange } }) => {
      if (allowedMethodsOf(exchange).length === 0) throw new ServiceError('NOT_FOUND');
    },
  };
}
