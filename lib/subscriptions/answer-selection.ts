/**
 * The client's selection of the changed object is text for the platform, written when the document is compiled. The
 * operations put it into their own fixed documents; they neither read nor build it.
 */

export type AnswerSelection = {
  /**
   * Response key and selection (`{ cycleIndex }`) of each place where the client asks for an object of the
   * platform, with the payload's field that it stands for (`contract`, `billingCycle`). A document with the
   * selection's declarations has to use every place.
   */
  readonly places: readonly { readonly key: string; readonly field: string; readonly selection: string }[];
  /** Variables that the selections use, declared (`$first: Int`). */
  readonly declarations: readonly string[];
  /** The values of these variables. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Fragment definitions that the selections use. */
  readonly fragments: string;
};

/** The selection of a read that answers no client. */
export const NO_SELECTION: AnswerSelection = { places: [], declarations: [], variables: {}, fragments: '' };

/** A document with the client's selection in it. `head`: `mutation`, `query`; `own`: the operation's declarations. */
export function documentWith(
  selection: AnswerSelection,
  { head, own, body }: { readonly head: string; readonly own: readonly string[]; readonly body: string },
): string {
  const declarations = [...own, ...selection.declarations].join(', ');
  return `${head}(${declarations}) { ${body} }\n${selection.fragments}`;
}

/** The object at each place, below a field of a payload or of the query that has this name (`contract`). */
export function placesOf({ places }: AnswerSelection, field: string): string {
  return places.map(({ key, selection }) => `${key}: ${field} ${selection}`).join(' ');
}

/** The objects that an answer holds at the places, by their response keys. */
export function answeredAt(
  { places }: AnswerSelection,
  data: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(places.map(({ key }) => [key, data[key] ?? null]));
}
