/** Converts a path of the platform's response to the client's response, from which the walk has removed objects. */
import type { ResponsePath } from '../plan/result-error.ts';
import type { RemovedObject } from '../plan/walk.ts';

/**
 * Returns the path in the client's response. Indexes after removed list items are lower.
 * @returns undefined when the object at the path, or one around it, was removed
 */
export function toClientPath(
  path: ResponsePath,
  removals: readonly RemovedObject[],
): ResponsePath | undefined {
  if (removals.length === 0) return path;
  if (removals.some((removal) => pathStartsWith(path, removal.path))) return undefined;
  return path.map((name, depth) => {
    if (typeof name === 'string') return name;
    const earlierRemovedItems = removals.filter(
      (removal) =>
        removal.isItem &&
        removal.path.length === depth + 1 &&
        pathStartsWith(path, removal.path.slice(0, depth)) &&
        Number(removal.path[depth]) < name,
    );
    return name - earlierRemovedItems.length;
  });
}

function pathStartsWith(path: ResponsePath, prefix: ResponsePath): boolean {
  return prefix.length <= path.length && prefix.every((name, index) => path[index] === name);
}
