/** Says whether an arrow is right by the picture in `rooms.ts`, and if not, why, and where the name should live. */
import { dirname } from 'node:path';
import { APART, ISLANDS, ORDER } from './rooms.ts';
import type { Arrow } from './source-tree.ts';

const LEVELS = new Map(ORDER.flatMap((rooms, level) => rooms.map((room) => [room, level] as const)));

/** A wrong arrow, and a sentence for who drew it. */
export interface WrongArrow extends Arrow {
  message: string;
}

function isIn(folder: string, file: string): boolean {
  return file.startsWith(`${folder}/`);
}

/** Returns the file's room, as `ORDER` names it, or undefined for a file outside all rooms. */
export function roomOf(file: string): string | undefined {
  const own = dirname(file);
  if (LEVELS.has(own)) return own;
  for (let folder = dirname(own); folder !== '.'; folder = dirname(folder)) {
    const found = [`${folder}/*`, folder].find((room) => LEVELS.has(room));
    if (found !== undefined) return found;
  }
  return undefined;
}

function checkIsland({ from, to }: Arrow): string | undefined {
  const left = ISLANDS.find(
    ({ folder, mayImport = [] }) =>
      isIn(folder, from) && ![folder, ...mayImport].some((allowed) => isIn(allowed, to)),
  );
  if (left) return `nothing in ${left.folder} imports from outside, for ${left.because}`;
  const entered = ISLANDS.find(({ folder }) => isIn(folder, to) && !isIn(folder, from));
  if (!entered || entered.importedBy.some((folder) => isIn(folder, from))) return undefined;
  return `only ${entered.importedBy.join(' and ')} may import ${entered.folder}, for ${entered.because}`;
}

/** Returns the description of a room: `a/b` and `a/b/*` are different rooms. */
function describeRoom(room: string): string {
  if (room.endsWith('/*')) return `the subfolders of ${room.slice(0, -2)}`;
  return LEVELS.has(`${room}/*`) ? `${room} itself` : room;
}

function checkSeparate({ from, to }: Arrow): string | undefined {
  for (const { rooms, because } of APART) {
    const [one, other] = [from, to].map((file) => rooms.find((room) => isIn(room, file)));
    if (one !== undefined && other !== undefined && one !== other)
      return `${one} and ${other} know nothing of each other, for ${because}`;
  }
  return undefined;
}

function checkLevels({ from, to }: Arrow): string | undefined {
  const [user, used] = [roomOf(from), roomOf(to)];
  if (user === undefined || used === undefined || user === used) return undefined;
  const [above, below] = [describeRoom(used), describeRoom(user)];
  const depth = (LEVELS.get(used) ?? 0) - (LEVELS.get(user) ?? 0);
  if (depth > 0) return undefined;
  if (depth === 0)
    return `${below} and ${above} know nothing of each other: what both use belongs in a room below both`;
  return (
    `${below} may not use ${above}, which stands above: a type or a rule that both use belongs in ${below} or in a room ` +
    `under it, and a function of ${above} is passed in by whoever calls`
  );
}

/** Returns the rule that the import breaks, or undefined. */
export function checkArrow(arrow: Arrow): WrongArrow | undefined {
  const why = checkIsland(arrow) ?? checkSeparate(arrow) ?? checkLevels(arrow);
  if (why === undefined) return undefined;
  return { ...arrow, message: `${arrow.from} imports ${arrow.to}, but ${why}.` };
}
