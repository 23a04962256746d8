/** The answer of a root that takes ids of any type: by position, what the platform has and the entries found here. */

import {
  type AnswerBuilder,
  addWalked,
  errorsOf,
  fail,
  type OwnError,
  type RootOutcome,
  tellingOf,
} from '../answer/answer-builder.ts';
import { partsOn, projectServiceValue } from '../answer/project-service-value.ts';
import { refusalError } from '../answer/refusal.ts';
import type { Path, Walk } from '../answer/walk-answer.ts';
import type { CompiledRoot } from '../compile/plan.ts';
import { eventValue } from '../fields/event-value.ts';
import { contractsOf, type ObjectsSpecial } from './evaluate-ids.ts';

type ObjectsOutcome = Extract<RootOutcome, { kind: 'objects' }>;
type ObjectsRoot = {
  readonly root: CompiledRoot;
  readonly special: ObjectsSpecial;
  readonly outcome: ObjectsOutcome;
};

/** Adds the root to the answer. */
export function buildObjects(builder: AnswerBuilder, objects: ObjectsRoot): void {
  const { root, special, outcome } = objects;
  const { ids, refused } = outcome;
  const pathOf = (position: number): Path => (special.isList ? [root.key, position] : [root.key]);
  const [alone] = special.isList ? [] : refused.values();
  if (alone !== undefined) {
    builder.hidesCost = true;
    fail(builder, root, refusalError(alone, pathOf(0), tellingOf(builder)));
    return;
  }
  const positions = [...ids.sent.keys()];
  const answered = root.read(builder.answer?.data ?? {});
  const list = special.isList ? (Array.isArray(answered) ? answered : []) : [answered];
  const placed = Array.from<unknown>({ length: ids.length }).fill(null);
  for (const [index, position] of positions.entries()) {
    if (!refused.has(position)) placed[position] = list[index] ?? null;
  }
  const errors = errorsOf(builder, root).flatMap((one) => atPosition(one, objects, positions));
  const value = special.isList ? placed : placed[0];
  const walk = addWalked(builder, root, { value, errors });
  if (walk !== undefined) addEvents(builder, objects, walk);
  for (const [position, why] of [...refused].sort(([one], [other]) => one - other)) {
    builder.errors.push([refusalError(why, pathOf(position), tellingOf(builder))]);
    builder.hidesCost = true;
  }
}

/** The platform's list holds only the ids that were sent to it. What a refused position met is not told. */
function atPosition(
  { error, path }: OwnError,
  objects: ObjectsRoot,
  positions: readonly number[],
): OwnError[] {
  const { root, special, outcome } = objects;
  const [key, index, ...rest] = path;
  if (key !== root.key || !special.isList) return [{ error, path }];
  if (typeof index !== 'number') {
    const isShown = positions.some((one) => !outcome.refused.has(one));
    return isShown ? [{ error, path }] : [];
  }
  const position = positions[index];
  if (position === undefined || outcome.refused.has(position)) return [];
  return [{ error, path: [key, position, ...rest] }];
}

function addEvents(builder: AnswerBuilder, { root, special, outcome }: ObjectsRoot, walk: Walk): void {
  const { selection, parts, isList } = special;
  const contracts = contractsOf(outcome.ids, builder.context.identity);
  const answered = parts === undefined ? undefined : builder.answer?.data?.[parts.key];
  for (const [position, record] of outcome.events) {
    const index = contracts.findIndex((id) => id.endsWith(`/${record.contract}`));
    const holder = Array.isArray(answered) ? (answered[index] ?? {}) : {};
    const source = partsOn(holder, [parts?.key ?? '', index]);
    const path = isList ? [root.key, position] : [root.key];
    const event = projectServiceValue(walk, eventValue(builder.context, record, source), { selection, path });
    if (!isList) builder.data[root.key] = event;
    else (builder.data[root.key] as unknown[])[position] = event;
  }
}
