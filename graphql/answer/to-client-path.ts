/** A path of the platform's answer leads elsewhere in the client's, once foreign objects have been taken out. */
import type { Path } from '../plan/result-error.ts';
import type { Removal } from '../plan/walk.ts';

/** The path in the client's answer; undefined if the object there has been taken out. */
export function toClientPath(path: Path, removals: readonly Removal[]): Path | undefined {
  if (removals.length === 0) return path;
  if (removals.some((removal) => startsWith(path, removal.path))) return undefined;
  return path.map((name, depth) => {
    if (typeof name === 'string') return name;
    const before = removals.filter(
      (removal) =>
        removal.isItem &&
        removal.path.length === depth + 1 &&
        startsWith(path, removal.path.slice(0, depth)) &&
        Number(removal.path[depth]) < name,
    );
    return name - before.length;
  });
}

function startsWith(path: Path, prefix: Path): boolean {
  return prefix.length <= path.length && prefix.every((name, index) => path[index] === name);
}
