/** The forms in which an operation can be given: a text, a document of code generation, one of gql.tada. */

/** `DocumentTypeDecoration` of typed documents: the type of the result and that of the variables. */
export type TypedDocument<Result, Variables> = {
  readonly __apiType?: (variables: Variables) => Result;
};

/** A text that knows the types of its variables and of its result. */
export class TypedDocumentString<Result, Variables>
  extends String
  implements TypedDocument<Result, Variables>
{
  declare readonly __apiType?: (variables: Variables) => Result;
}

/** The text that is sent. Throws TypeError for a syntax tree that does not know its text. */
export function textOf(document: unknown): string {
  const text = String(document);
  if (text !== '[object Object]') return text;
  const { loc } = document as { readonly loc?: { readonly source?: { readonly body?: string } } };
  const body = loc?.source?.body;
  if (!body) throw new TypeError('The document has no text: print it first.');
  return body;
}
