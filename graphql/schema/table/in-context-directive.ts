/**
 * The directive that sets the language of an operation's texts. It is the service's own, so the platform does not get
 * it.
 */
import { DirectiveLocation, GraphQLDirective, type GraphQLEnumType } from 'graphql';

export const IN_CONTEXT = 'inContext';

/** The directive over the schema's own `LanguageCode`. */
export function inContextDirective(languageCode: GraphQLEnumType): GraphQLDirective {
  return new GraphQLDirective({
    name: IN_CONTEXT,
    description:
      "On an operation: the language of the messages in its answer. Without it, customers are answered in the language of the header Accept-Language, and merchants' servers in English.",
    locations: [DirectiveLocation.QUERY, DirectiveLocation.MUTATION],
    args: {
      language: {
        type: languageCode,
        description:
          'null: as if the directive were not there. `extensions.context.language` tells the language.',
      },
    },
  });
}
