/** Bundles parts of a client into one file, as the bundlers of apps do. */
import { build } from 'esbuild';
import { withEsbuild } from '../../tools/build/with-esbuild.ts';
import { CLIENT_TARGET, sourcesOf } from '../../tools/package/emit-modules.ts';
import { PACKAGES, type PackageName } from '../../tools/package/packages.ts';

type ClientBundle = {
  /** The package's folder: `typescript` if absent. */
  readonly client?: PackageName;
  /** A module to bundle instead of the whole client. */
  readonly entry?: string;
  readonly minify?: boolean;
};

/** Returns the text of the bundle. */
export async function bundleClient(
  format: 'esm' | 'cjs' | 'iife',
  {
    client = 'typescript',
    entry = `export * from './${PACKAGES[client].entries['.']}.ts';`,
    minify = false,
  }: ClientBundle = {},
): Promise<string> {
  const { outputFiles } = await withEsbuild(() =>
    build({
      stdin: { contents: entry, resolveDir: sourcesOf(client), loader: 'ts' },
      bundle: true,
      write: false,
      format,
      external: [...PACKAGES[client].peers],
      ...(format === 'iife' && { globalName: 'client' }),
      target: CLIENT_TARGET,
      platform: 'neutral',
      minify,
      legalComments: 'none',
      logLevel: 'silent',
    }),
  );
  return outputFiles[0]?.text ?? '';
}
