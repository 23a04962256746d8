/** The supported forms of an operation: a string, a document of code generation, one of gql.tada. */

/** `DocumentTypeDecoration` of typed documents: the types of the result and of the variables. */
export type TypedDocument<Result, Variables> = {
  /** Holds the types alone: it has no value. */
  readonly __apiType?: (variables: Variables) => Result;
};

/** A string with the types of its variables and of its result. */
export class TypedDocumentString<Result, Variables>
  extends String
  implements TypedDocument<Result, Variables>
{
  /** Holds the types alone: it has no value. */
  declare readonly __apiType?: (variables: Variables) => Result;
}

/**
 * Returns the text to send.
 * @throws TypeError for a syntax tree without its source text.
 */
export function documentTextOf(document: unknown): string {
  const text = String(document);
  if (text !== '[object Object]') return text;
  const { loc } = document as { readonly loc?: { readonly source?: { readonly body?: string } } };
  const body = loc?.source?.body;
  if (!body) throw new TypeError('The document has no text: print it first.');
  return body;
}
