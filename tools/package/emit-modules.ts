/**
 * The JavaScript of a client, one file for each module, so that apps and other GraphQL clients can import one document
 * alone.
 */
import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { withEsbuild } from '../build/with-esbuild.ts';
import type { ClientPackageName } from './client-packages.ts';

/**
 * Supported by Hermes and by the browsers of the last two years.
 *
 * @internal Tests bundle parts of the clients.
 */
export const CLIENT_TARGET = 'es2022';

const IMPORT_PATTERN = /((?:from|require\()\s*["']\.[^"']*)\.ts(["'])/g;

/** @internal Tests bundle parts of the clients. */
export const sourceFolderOfClient = (client: ClientPackageName) =>
  join(import.meta.dirname, '../../clients', client, 'src');

/** Returns the text of each file by its name below the package's folder of a format. */
export async function emitModules(
  client: ClientPackageName,
  format: 'esm' | 'cjs',
): Promise<ReadonlyMap<string, string>> {
  const folder = sourceFolderOfClient(client);
  const { outputFiles } = await withEsbuild(() =>
    build({
      entryPoints: globSync('**/*.ts', { cwd: folder }).map((name) => join(folder, name)),
      outdir: folder,
      outbase: folder,
      write: false,
      format,
      target: CLIENT_TARGET,
      platform: 'neutral',
      logLevel: 'silent',
    }),
  );
  return new Map(
    outputFiles.map(({ path, text }) => [relative(folder, path), text.replace(IMPORT_PATTERN, '$1.js$2')]),
  );
}
