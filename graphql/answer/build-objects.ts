/** The answer of a root that takes ids of any type: by position, what the platform has and the entries found here. */

import type { PlannedRoot } from '../compile/plan.ts';
import { eventValue } from '../fields/event-value.ts';
import { contractsOf, type ObjectsSpecial } from '../run/evaluate-objects.ts';
import {
  addWalked,
  type Building,
  errorsOf,
  fail,
  type OwnError,
  type RootOutcome,
  tellingOf,
} from './building.ts';
import { partsOn, projectLocal } from './project-local.ts';
import { refusalError } from './refusal.ts';
import type { Path, Walk } from './walk-answer.ts';

type ObjectsOutcome = Extract<RootOutcome, { kind: 'objects' }>;
type ObjectsRoot = {
  readonly root: PlannedRoot;
  readonly special: ObjectsSpecial;
  readonly outcome: ObjectsOutcome;
};

/** Adds the root to the answer. */
export function buildObjects(building: Building, objects: ObjectsRoot): void {
  const { root, special, outcome } = objects;
  const { ids, refused } = outcome;
  const pathOf = (position: number): Path => (special.isList ? [root.key, position] : [root.key]);
  const [alone] = special.isList ? [] : refused.values();
  if (alone !== undefined) {
    building.hidesCost = true;
    fail(building, root, refusalError(alone, pathOf(0), tellingOf(building)));
    return;
  }
  const positions = [...ids.sent.keys()];
  const answered = root.read(building.answer?.data ?? {});
  const list = special.isList ? (Array.isArray(answered) ? answered : []) : [answered];
  const placed = Array.from<unknown>({ length: ids.length }).fill(null);
  for (const [index, position] of positions.entries()) {
    if (!refused.has(position)) placed[position] = list[index] ?? null;
  }
  const errors = errorsOf(building, root).flatMap((one) => atPosition(one, objects, positions));
  const value = special.isList ? placed : placed[0];
  const walk = addWalked(building, root, { value, errors });
  if (walk !== undefined) addEvents(building, objects, walk);
  for (const [position, why] of [...refused].sort(([one], [other]) => one - other)) {
    building.errors.push([refusalError(why, pathOf(position), tellingOf(building))]);
    building.hidesCost = true;
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

function addEvents(building: Building, { root, special, outcome }: ObjectsRoot, walk: Walk): void {
  const { selection, parts, isList } = special;
  const contracts = contractsOf(outcome.ids, building.context.identity);
  const answered = parts === undefined ? undefined : building.answer?.data?.[parts.key];
  for (const [position, record] of outcome.events) {
    const index = contracts.findIndex((id) => id.endsWith(`/${record.contract}`));
    const holder = Array.isArray(answered) ? (answered[index] ?? {}) : {};
    const source = partsOn(holder, [parts?.key ?? '', index]);
    const path = isList ? [root.key, position] : [root.key];
    const event = projectLocal(walk, eventValue(building.context, record, source), { selection, path });
    if (!isList) building.data[root.key] = event;
    else (building.data[root.key] as unknown[])[position] = event;
  }
}
