import { ServiceError } from '../errors/service-error.ts';
import type { Step } from './exchange.ts';
import type { MethodsAt } from './methods-by-path.ts';

/** Refuses an address that takes no method: nothing is there. */
export function matchPath(methodsAt: MethodsAt): Step {
  return {
    name: 'matchPath',
    before: ({ event: { exchange } }) => {
      if (methodsAt(exchange).length === 0) throw new ServiceError('NOT_FOUND');
    },
  };
}
