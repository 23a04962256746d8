/**
 * The client's selection of the changed object as GraphQL text, written when the client's document is compiled.
 * Operations insert it into their own fixed documents; they neither read nor build it.
 */

export type AnswerSelection = {
  /**
   * Response key and selection (`{ cycleIndex }`) of each place where the client selects a platform object, with the
   * payload field that the place represents (`contract`, `billingCycle`). A document with these declarations must use
   * every place.
   */
  readonly places: readonly { readonly key: string; readonly field: string; readonly selection: string }[];
  /** Declarations of the variables that the selections use (`$first: Int`). */
  readonly declarations: readonly string[];
  /** The values of these variables. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Fragment definitions that the selections use. */
  readonly fragments: string;
};

/** The empty selection, for reads whose result no client receives. */
export const NO_SELECTION: AnswerSelection = { places: [], declarations: [], variables: {}, fragments: '' };

/**
 * Builds a document that contains the client's selection. `head`: `mutation` or `query`; `own`: the operation's own
 * declarations.
 */
export function documentWith(
  selection: AnswerSelection,
  { head, own, body }: { readonly head: string; readonly own: readonly string[]; readonly body: string },
): string {
  const declarations = [...own, ...selection.declarations].join(', ');
  return `${head}(${declarations}) { ${body} }\n${selection.fragments}`;
}

/**
 * Writes the selections of all places below the field with this name (`contract`), a field of a payload or of the
 * query.
 */
export function placesOf({ places }: AnswerSelection, field: string): string {
  return places.map(({ key, selection }) => `${key}: ${field} ${selection}`).join(' ');
}

/** Returns the response's objects at the places, by response key. */
export function answeredAt(
  { places }: AnswerSelection,
  data: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(places.map(({ key }) => [key, data[key] ?? null]));
}
