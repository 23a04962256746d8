/** The customer endpoint has no introspection. */
import type { HandleIntrospection } from '../../plan/run-context.ts';

/** The customers' schema is closed: no document with `__schema` or `__type` passes its rules. */
export const refuseIntrospection: HandleIntrospection = () => {
  throw new Error('Introspection has passed the rules of the customer endpoint.');
};
