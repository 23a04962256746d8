/** Bundles a client into one file, so that its users need no build for TypeScript. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { withEsbuild } from '../build/with-esbuild.ts';

const CLIENTS = join(import.meta.dirname, '../../clients');
/** Supported by Hermes and by the browsers of the last two years. */
const TARGET = 'es2022';

type Package = {
  /** The modules that users import, by the subpath of the package. The first one is the package itself. */
  readonly entries: Readonly<Record<`.${string}`, string>>;
  /** The packages that the app has installed. */
  readonly peers: readonly string[];
  /** The schemas from which apps generate types. */
  readonly schemas: readonly string[];
};

/** The packages, by their folders in `clients`. */
export const PACKAGES = {
  typescript: {
    entries: { '.': 'client' },
    peers: [],
    schemas: ['customer.graphql', 'admin.graphql'],
  },
  react: {
    entries: { '.': 'react', './queries': 'queries' },
    peers: ['react', '@tanstack/react-query', 'subscription-management-client'],
    schemas: [],
  },
} as const satisfies Readonly<Record<string, Package>>;

export type PackageName = keyof typeof PACKAGES;

export type ClientBundle = {
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
      stdin: { contents: entry, resolveDir: join(CLIENTS, client, 'src'), loader: 'ts' },
      bundle: true,
      write: false,
      format,
      external: [...PACKAGES[client].peers],
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
