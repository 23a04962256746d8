/** The client as one file: its sources need no build of the user's own that knows TypeScript. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { withEsbuild } from '../build/with-esbuild.ts';

const SOURCES = join(import.meta.dirname, '../../clients/typescript/src');
/** What Hermes and the browsers of the last two years understand. */
const TARGET = 'es2022';

export type ClientBundle = {
  /** A module to bundle in place of the whole client. */
  readonly entry?: string;
  readonly minify?: boolean;
};

/** The text of the bundle. */
export async function bundleClient(
  format: 'esm' | 'cjs' | 'iife',
  { entry = "export * from './client.ts';", minify = false }: ClientBundle = {},
): Promise<string> {
  const { outputFiles } = await withEsbuild(() =>
    build({
      stdin: { contents: entry, resolveDir: SOURCES, loader: 'ts' },
      bundle: true,
      write: false,
      format,
      ...(format === 'iife' && { globalName: 'client' }),
      target: TARGET,
      platform: 'neutral',
      minify,
      legalComments: 'none',
      logLevel: 'silent',
    }),
  );
  return outputFiles[0]?.text ?? '';
}
