/**
 * The mutations that run our own documents, each with the payload's fields that are the platform's. The operations are
 * loaded when the first one is asked for: most containers answer queries alone.
 */
import type { PerformedMutation } from '../run/running-mutation.ts';
import { type OwnMutationName, objectFieldsOf } from './object-fields.ts';

/** The mutation of that name; undefined: it is the platform's. */
export function ownMutation(name: string): PerformedMutation | undefined {
  if (!isOwn(name)) return undefined;
  return {
    objectFields: objectFieldsOf[name],
    async perform(context, request) {
      const { performOperation } = await import('./perform-operation.ts');
      return performOperation(context, name, request);
    },
  };
}

function isOwn(name: string): name is OwnMutationName {
  return Object.hasOwn(objectFieldsOf, name);
}
