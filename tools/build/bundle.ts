/** Bundles each function with one esbuild run, in memory; store-outputs.ts writes the output. */
import { join, resolve } from 'node:path';
import { build, formatMessages, type Message, type Metafile, type Plugin } from 'esbuild';
import { BuildError } from './build-error.ts';
import { createSharedChunkPlugin } from './one-shared-chunk.ts';
import { plainBuiltinsPlugin } from './plain-builtins.ts';
import { withEsbuild } from './with-esbuild.ts';

export type BundleFile = {
  /** `<function>/index.mjs`, a chunk that it imports dynamically, or a source map. */
  readonly path: string;
  readonly contents: Uint8Array;
};
export type BundleRequest = {
  readonly root: string;
  readonly entries: Readonly<Record<string, string>>;
  readonly faultPoints: boolean;
};
export type BundleResult = {
  readonly outputs: readonly BundleFile[];
  /** Every bundled file, relative to the root. */
  readonly inputs: readonly string[];
};

/** The module that replaces the SDK's chain of credential providers. */
const ENVIRONMENT_CREDENTIALS_FILE = join(import.meta.dirname, 'environment-credentials.ts');

/** The source file of the customers' GraphQL endpoint. */
const CUSTOMER_HANDLER_PATH = join('functions', 'customer-graphql', 'handler.ts');
const WHOLE_TABLE_PATTERN = /\/generated\/schema-table\.ts$/;
const CUSTOMER_TABLE_PATH = '/generated/customer-table.ts';

/**
 * The plugin that bundles the customers' function with the customers' table of the schema instead of the complete one.
 * Lookups for a customer's document return the same from both. For any other handler, in the file `entry`, it does
 * nothing.
 */
function createCustomerTablePlugin(entry: string): Plugin {
  return {
    name: 'customer-table',
    setup(build) {
      if (!entry.endsWith(CUSTOMER_HANDLER_PATH)) return;
      build.onResolve({ filter: WHOLE_TABLE_PATTERN }, ({ path, importer, resolveDir, kind }) =>
        build.resolve(path.replace(WHOLE_TABLE_PATTERN, CUSTOMER_TABLE_PATH), { importer, resolveDir, kind }),
      );
    },
  };
}

/**
 * Bundles the entries: ES modules for Node 24, minified, with linked source maps. A dynamic import of an entry becomes
 * a chunk in the same folder. Entries share no chunk, because each is deployed separately.
 */
export function bundleWithEsbuild(request: BundleRequest): Promise<BundleResult> {
  return withEsbuild(() => bundleEntries(request));
}

async function bundleEntries(request: BundleRequest): Promise<BundleResult> {
  try {
    const bundleResults = await Promise.all(
      Object.entries(request.entries).map(([name, path]) => bundleEntry(request, name, path)),
    );
    const inputPaths = new Set(bundleResults.flatMap(({ inputs: bundleInputs }) => bundleInputs));
    return { outputs: bundleResults.flatMap(({ outputs }) => outputs), inputs: [...inputPaths] };
  } catch (error) {
    throw await toReadableError(error);
  }
}

async function bundleEntry(
  { root, faultPoints }: BundleRequest,
  name: string,
  path: string,
): Promise<BundleResult> {
  // The folder has the same depth as the final one, so that source maps refer to the sources.
  const outputFolder = join(root, '.build', 'bundle', name);
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [{ in: path, out: 'index' }],
    outdir: outputFolder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    chunkNames: '[hash]',
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    minify: true,
    legalComments: 'none',
    sourcemap: 'linked',
    sourcesContent: false,
    mainFields: ['module', 'main'],
    conditions: ['module'],
    loader: { '.graphql': 'text' },
    alias: { '@aws-sdk/credential-provider-node': ENVIRONMENT_CREDENTIALS_FILE },
    // Lambda sets no NODE_ENV; without it graphql-js uses slower type checks.
    define: { FAULT_POINTS: String(faultPoints), 'process.env.NODE_ENV': '"production"' },
    plugins: [
      plainBuiltinsPlugin,
      createCustomerTablePlugin(path),
      createSharedChunkPlugin(resolve(root, path)),
    ],
    metafile: true,
    logLevel: 'silent',
  });
  const outputs = outputFiles.map(({ path: outputPath, contents }) => ({
    path: `${name}${outputPath.slice(outputFolder.length)}`,
    contents,
  }));
  return { outputs, inputs: listInputPaths(metafile) };
}

function listInputPaths({ inputs }: Metafile): string[] {
  // Inputs that are not files have a namespace prefix.
  return Object.keys(inputs).filter((path) => !/^[\w()-]+:/.test(path));
}

async function toReadableError(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !('errors' in error)) return error;
  const messages = await formatMessages(error.errors as Message[], { kind: 'error' });
  return new BuildError(`The functions do not build.\n${messages.join('\n').trim()}`, { cause: error });
}
