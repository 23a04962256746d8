/**
 * The client's selection of the changed object as GraphQL text, written when the client's document is compiled.
 * Operations insert it into their own fixed documents; they neither read nor build it.
 */

export type AnswerSelection = {
  /**
   * One entry for each field of the payload, such as `contract`, whose object comes from the platform. `key` is the
   * response key, `field` the payload field, `selection` GraphQL text such as `{ cycleIndex }`. A document that
   * declares the variables below must contain every entry, because GraphQL forbids unused variables.
   */
  readonly places: readonly { readonly key: string; readonly field: string; readonly selection: string }[];
  /** GraphQL declarations of the variables that the selections use, for example `$first: Int`. */
  readonly declarations: readonly string[];
  /** The values of these variables, by name without `$`. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** GraphQL text of the fragment definitions that the selections use. */
  readonly fragments: string;
};

/** The empty selection, for reads whose result is not returned to a client. */
export const NO_SELECTION: AnswerSelection = { places: [], declarations: [], variables: {}, fragments: '' };

/**
 * Builds a GraphQL document that contains the client's selection.
 * @param head the operation type: `mutation` or `query`
 * @param own declarations of the operation's own variables
 */
export function documentWith(
  selection: AnswerSelection,
  { head, own, body }: { readonly head: string; readonly own: readonly string[]; readonly body: string },
): string {
  const declarations = [...own, ...selection.declarations].join(', ');
  return `${head}(${declarations}) { ${body} }\n${selection.fragments}`;
}

/** Writes the selections for one field of the payload or the query, for example all aliases of `contract`. */
export function placesOf({ places }: AnswerSelection, field: string): string {
  return places.map(({ key, selection }) => `${key}: ${field} ${selection}`).join(' ');
}

/** Returns the response's objects by response key, null where the response has none. */
export function answeredAt(
  { places }: AnswerSelection,
  data: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(places.map(({ key }) => [key, data[key] ?? null]));
}
