/** Reads the language of an operation's texts (`@inContext`) from the client's document. */
import { type OperationDefinitionNode, valueFromASTUntyped } from 'graphql';
import type { LanguageCode } from '../../../lib/messages/languages.ts';
import type { Variables } from '../../plan/client-document.ts';
import { IN_CONTEXT_DIRECTIVE_NAME } from '../../schema/table/in-context-directive.ts';

/**
 * Reads the language from the client's coerced variables, or returns undefined when the directive has no
 * language.
 */
export type ReadLanguage = (variables: Variables) => LanguageCode | undefined;

/**
 * Creates the reader of the operation's language. A value is valid, because the document has been validated.
 * @returns undefined when the operation has no `@inContext`.
 */
export function createLanguageReader({ directives = [] }: OperationDefinitionNode): ReadLanguage | undefined {
  const contextDirective = directives.find(({ name }) => name.value === IN_CONTEXT_DIRECTIVE_NAME);
  if (contextDirective === undefined) return undefined;
  const valueNode = contextDirective.arguments?.find(({ name }) => name.value === 'language')?.value;
  return (variables) => {
    const languageName = valueNode && valueFromASTUntyped(valueNode, variables);
    return (languageName ?? undefined) as LanguageCode | undefined;
  };
}
