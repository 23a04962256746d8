/**
 * The directive that sets the language of an operation's texts. It is the service's own, so the platform does not get
 * it.
 */
import { DirectiveLocation, GraphQLDirective, type GraphQLEnumType } from 'graphql';

export const IN_CONTEXT_DIRECTIVE_NAME = 'inContext';

/** Creates the directive with the schema's own `LanguageCode`. */
export function createInContextDirective(languageCode: GraphQLEnumType): GraphQLDirective {
  return new GraphQLDirective({
    name: IN_CONTEXT_DIRECTIVE_NAME,
    description:
      "Sets the language of the messages in an operation's response. Without it, customers get the language of the header Accept-Language, and admin keys get English.",
    locations: [DirectiveLocation.QUERY, DirectiveLocation.MUTATION],
    args: {
      language: {
        type: languageCode,
        description:
          'The language. Null has no effect. `extensions.context.language` in the response names the language that was used.',
      },
    },
  });
}
