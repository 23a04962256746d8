/** A root whose value is made here is answered as the client selected it. */
import { addWalked, waitFor } from '../answer/answer-builder.ts';
import { projectServiceValue } from '../answer/project-service-value.ts';
import { startWalk } from '../answer/walk-answer.ts';
import type { ServiceSelection } from '../plan/answer-shape.ts';
import type { Path } from '../plan/result-error.ts';
import type { PlacedError } from '../plan/root-answer.ts';
import type { AnswerBuilder, CompiledRoot } from '../plan/root-kind.ts';

/** A root's part that keeps what a client selects of the value. */
export type SelectedValue = { readonly selection: ServiceSelection };

/** The value by the names of its fields, or a list of such; null if there is none. And the platform's errors on the way to it. */
export type FoundValue = { readonly value: unknown; readonly errors: readonly PlacedError[] };

/** Puts what the client selects of the value into the answer. */
export function answerServiceValue(
  builder: AnswerBuilder,
  root: CompiledRoot<SelectedValue>,
  { value, errors }: FoundValue,
): void {
  if ((value ?? null) === null) {
    addWalked(builder, root, { value, errors });
    return;
  }
  const { selection } = root.special;
  const walk = startWalk(builder.context, builder.variables);
  const project = (made: unknown, path: Path) =>
    projectServiceValue(walk, made as Readonly<Record<string, unknown>>, { selection, path });
  builder.data[root.key] = Array.isArray(value)
    ? value.map((one, index) => project(one, [root.key, index]))
    : project(value, [root.key]);
  waitFor(builder, { root, walk, platformErrors: errors });
}
