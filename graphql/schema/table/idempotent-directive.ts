/** The one directive of the service's own that clients may use. graphql/policy/meaning/idempotent-roots.ts says where. */
import { DirectiveLocation, GraphQLDirective, GraphQLNonNull, GraphQLString } from 'graphql';

export const IDEMPOTENT = 'idempotent';

export const idempotentDirective = new GraphQLDirective({
  name: IDEMPOTENT,
  description:
    'On a field of a mutation: within 24 hours the change is made once for this key, the caller, the field and its arguments. A repeat is answered with what came of the first, and with the state that its selection has now.',
  locations: [DirectiveLocation.FIELD],
  args: {
    key: {
      type: new GraphQLNonNull(GraphQLString),
      description:
        'A text unlike any other, of 1 to 255 characters: a random UUID for each change that is asked for.',
    },
  },
});
