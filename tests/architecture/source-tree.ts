/** The repository's source files and their imports of each other. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { readImports } from './read-imports.ts';
import { CODE_FOLDERS } from './rooms.ts';

/** `from` imports `to`; both are paths from the repository's root. */
export interface Arrow {
  from: string;
  to: string;
}

const SOURCE = /\.(ts|mts|mjs|js)$/;
/** Installed packages and the output of builds. */
const EXCLUDED = /(^|\/)(node_modules|\.build|\.local|dist|build|target|\.gradle)\//;

/** Returns all files below the folders of code, as paths from the root. */
export function listFiles(root: string): string[] {
  return CODE_FOLDERS.filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
    )
    .filter((file) => !EXCLUDED.test(file))
    .sort();
}

/** The arrows between source files; imports of packages and of files that are no source are left out. */
export function readArrows(root: string, files = listFiles(root)): Arrow[] {
  const sources = new Set(files.filter((file) => SOURCE.test(file)));
  return [...sources].flatMap((from) =>
    readImports(from, readFileSync(join(root, from), 'utf8'))
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => ({ from, to: normalize(join(dirname(from), specifier)) }))
      .filter(({ to }) => sources.has(to)),
  );
}
