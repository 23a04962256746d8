/**
 * The service's own directive `@idempotent`. graphql/policy/meaning/idempotent-roots.ts checks where clients may use
 * it.
 */
import { DirectiveLocation, GraphQLDirective, GraphQLNonNull, GraphQLString } from 'graphql';

export const IDEMPOTENT_DIRECTIVE_NAME = 'idempotent';

export const idempotentDirective = new GraphQLDirective({
  name: IDEMPOTENT_DIRECTIVE_NAME,
  description:
    'Makes a field of a mutation safe to retry: within 24 hours, the change is made once per key, caller, field and arguments. A retry returns the result of the first request, with the current state of the selected fields.',
  locations: [DirectiveLocation.FIELD],
  args: {
    key: {
      type: new GraphQLNonNull(GraphQLString),
      description:
        'A unique text of 1 to 255 characters, such as a random UUID. Create one for each change, and reuse it only for retries.',
    },
  },
});
