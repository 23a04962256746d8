/** Bundles the client into one file, so that its users need no build for TypeScript. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { withEsbuild } from '../build/with-esbuild.ts';

const SOURCES = join(import.meta.dirname, '../../clients/typescript/src');
/** Supported by Hermes and by the browsers of the last two years. */
const TARGET = 'es2022';

export type ClientBundle = {
  /** A module to bundle instead of the whole client. */
  readonly entry?: string;
  readonly minify?: boolean;
};

/** Returns the text of the bundle. */
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
