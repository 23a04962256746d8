import { ServiceError } from '../../lib/errors/service-error.ts';
import type { Step } from '../../lib/http/exchange.ts';
import { methodsAt } from './endpoints.ts';

/** Refuses every address that is no sign-in endpoint; `$default` of the whole API ends here. */
export const matchEndpoint: Step = {
  name: 'matchEndpoint',
  before: ({ event: { exchange } }) => {
    if (methodsAt(exchange).length === 0) throw new ServiceError('NOT_FOUND');
  },
};
