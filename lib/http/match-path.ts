import { ServiceError } from '../errors/service-error.ts';
import type { Step } from './exchange.ts';
import type { MethodsAt } from './methods-by-path.ts';

/**
 * Refuses a path that has no methods.
 * @throws NOT_FOUND
 */
export function matchPath(methodsAt: MethodsAt): Step {
  return {
    name: 'matchPath',
    before: ({ event: { exchange } }) => {
      if (methodsAt(exchange).length === 0) throw new ServiceError('NOT_FOUND');
    },
  };
}
