/** Writes a build into a folder that is named by its content. Called after bundle.ts, before the build is used. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BundleFile } from './bundle.ts';

export type StoredBuild = {
  readonly dir: string;
  readonly functions: Readonly<Record<string, { readonly path: string; readonly bytes: number }>>;
};

const HASH_LENGTH = 16;

/** Stores the outputs. The folder appears complete or not at all, also when several builds run concurrently. */
export function storeOutputs(buildsDir: string, outputs: readonly BundleFile[]): StoredBuild {
  mkdirSync(buildsDir, { recursive: true });
  const dir = join(buildsDir, hashOutputs(outputs));
  const temporaryFolder = mkdtempSync(join(buildsDir, '.unfinished-'));
  try {
    for (const { path, contents } of outputs) {
      mkdirSync(dirname(join(temporaryFolder, path)), { recursive: true });
      writeFileSync(join(temporaryFolder, path), contents);
    }
    renameUnlessExisting(temporaryFolder, dir);
  } finally {
    rmSync(temporaryFolder, { recursive: true, force: true });
  }
  return { dir, functions: mapFunctionPaths(dir, outputs) };
}

function hashOutputs(outputs: readonly BundleFile[]): string {
  const hash = createHash('sha256');
  for (const { path, contents } of outputs.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    hash.update(`${path}\0${contents.byteLength}\0`).update(contents);
  }
  return hash.digest('hex').slice(0, HASH_LENGTH);
}

/** The same name means the same content, so an existing folder can be used. */
function renameUnlessExisting(temporaryFolder: string, finalFolder: string): void {
  try {
    renameSync(temporaryFolder, finalFolder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
}

function mapFunctionPaths(dir: string, outputs: readonly BundleFile[]): StoredBuild['functions'] {
  const scriptsByBundle = Object.groupBy(
    outputs.filter(({ path }) => path.endsWith('.mjs')),
    ({ path }) => dirname(path),
  );
  return Object.fromEntries(
    Object.entries(scriptsByBundle).map(([name, files = []]) => [
      name,
      {
        path: join(dir, name, 'index.mjs'),
        bytes: files.reduce((sum, { contents }) => sum + contents.byteLength, 0),
      },
    ]),
  );
}
