import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A path in the project, whatever folder the command was started in. */
export function inProject(path) {
  return join(root, path);
}
