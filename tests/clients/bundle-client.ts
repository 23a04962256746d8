/** Bundles parts of a client into one file, as the bundlers of apps do. */
import { build } from 'esbuild';
import { withEsbuild } from '../../tools/build/with-esbuild.ts';
import { CLIENT_PACKAGES, type ClientPackageName } from '../../tools/package/client-packages.ts';
import { CLIENT_TARGET, sourceFolderOfClient } from '../../tools/package/emit-modules.ts';

type ClientBundle = {
  /** The package's folder: `typescript` if absent. */
  readonly client?: ClientPackageName;
  /** A module to bundle instead of the whole client. */
  readonly entry?: string;
  readonly minify?: boolean;
};

/** Returns the text of the bundle. */
export async function bundleClient(
  format: 'esm' | 'cjs' | 'iife',
  {
    client = 'typescript',
    entry = `export * from './${CLIENT_PACKAGES[client].entries['.']}.ts';`,
    minify = false,
  }: ClientBundle = {},
): Promise<string> {
  const { outputFiles } = await withEsbuild(() =>
    build({
      stdin: { contents: entry, resolveDir: sourceFolderOfClient(client), loader: 'ts' },
      bundle: true,
      write: false,
      format,
      external: [...CLIENT_PACKAGES[client].peers],
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
