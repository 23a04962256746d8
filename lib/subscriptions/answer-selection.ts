/**
 * What a client wants to see of the changed object: text for the platform, made by the plan. The operations put
 * it into their own fixed documents; they neither read nor build it.
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
  /** Their values. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Fragment definitions that the selections use. */
  readonly fragments: string;
};

/** A document with the client's selection in it. `head`: `mutation`, `query`; `own`: our declarations. */
export function documentWith(
  selection: AnswerSelection,
  { head, own, body }: { readonly head: string; readonly own: readonly string[]; readonly body: string },
): string {
  const declarations = [...own, ...selection.declarations].join(', ');
  return `${head}(${declarations}) { ${body} }\n${selection.fragments}`;
}
