import { ServiceError } from '../errors/service-error.ts';
import type { Exchange, Step } from './exchange.ts';

/** Refuses every address that takes no method at all: there is nothing. */
export function matchPath(methodsAt: (exchange: Exchange) => readonly string[]): Step {
  return {
    name: 'matchPath',
    before: ({ event: { exchange } }) => {
      if (methodsAt(exchange).length === 0) throw new ServiceError('NOT_FOUND');
    },
  };
}
