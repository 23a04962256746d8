/**
 * Bundles the functions: the same files are deployed and run by the local stack. CDK (infra/cdk/app.ts) and the local
 * stack call `buildFunctions`. `npm run build` prints the sizes; with `-- --fault-points` it builds for fault tests.
 */
import { existsSync, globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { BUNDLE_NAMES, type BundleName } from '../../infra/definition/function-definitions.ts';
import { BuildError } from './build-error.ts';
import { bundleWithEsbuild } from './bundle.ts';
import { findEarlierBuild, writeBuildRecord } from './earlier-build.ts';
import { GRAPHIQL_FUNCTION, readGraphiqlFiles } from './graphiql-files.ts';
import { pruneBuilds } from './prune-builds.ts';
import { storeOutputs } from './store-outputs.ts';

export type BuiltFunction = { readonly path: string; readonly bytes: number };
export type FunctionsBuild<Name extends string = BundleName> = {
  /** The folder of the build, named by the hash of its files, so that a rebuild replaces nothing in use. */
  readonly dir: string;
  /** The absolute path of each function's `index.mjs`, and the size of its scripts. */
  readonly functions: Readonly<Record<Name, BuiltFunction>>;
};
export type BuildOptions = {
  /** Absolute path of the folder that has `functions/<name>/handler.ts`; the project's own by default. */
  readonly root?: string;
  /** Whether the bundles contain the points at which tests crash a function. */
  readonly faultPoints?: boolean;
};

export const PROJECT_ROOT = join(import.meta.dirname, '../..');

/**
 * Builds every function into `.build/<hash>/<function>/index.mjs`, or returns the earlier build of unchanged sources.
 * Several builds can run at the same time.
 * @throws BuildError with the cause and its place
 */
export async function buildFunctions(options: BuildOptions = {}): Promise<FunctionsBuild> {
  const root = options.root ?? PROJECT_ROOT;
  const entries = Object.fromEntries(BUNDLE_NAMES.map((name) => [name, formatHandlerPath(root, name)]));
  const buildResult = await buildEntries({ root, entries, faultPoints: options.faultPoints ?? false });
  return buildResult as FunctionsBuild;
}

export type BuildRequest = {
  readonly root: string;
  /** The file of each function's handler. */
  readonly entries: Readonly<Record<string, string>>;
  readonly faultPoints: boolean;
};

/** Builds the given functions as `buildFunctions` does. */
export async function buildEntries(request: BuildRequest): Promise<FunctionsBuild<string>> {
  const buildsDir = join(request.root, '.build');
  const earlierBuild = findEarlierBuild(buildsDir, request);
  if (earlierBuild !== undefined) return earlierBuild;
  const startedAtMs = Date.now();
  const { outputs, inputs } = await bundleWithEsbuild(request);
  const files = GRAPHIQL_FUNCTION in request.entries ? await readGraphiqlFiles(PROJECT_ROOT) : [];
  const newBuild = storeOutputs(buildsDir, [...outputs, ...files]);
  writeBuildRecord(buildsDir, { request, inputs, built: newBuild, startedAtMs });
  pruneBuilds(buildsDir);
  return newBuild;
}

function formatHandlerPath(root: string, name: BundleName): string {
  const handlerFile = join(root, 'functions', name, 'handler.ts');
  if (existsSync(handlerFile)) return handlerFile;
  const functionNames = globSync('functions/*/handler.ts', { cwd: root }).map((path) =>
    basename(dirname(path)),
  );
  throw new BuildError(
    `functions/${name}/handler.ts is missing (there are ${functionNames.join(', ') || 'none'}). Restore it and start again.`,
  );
}

if (import.meta.main) {
  try {
    const { values } = parseArgs({ options: { 'fault-points': { type: 'boolean', default: false } } });
    const { dir, functions } = await buildFunctions({ faultPoints: values['fault-points'] });
    for (const [name, { bytes }] of Object.entries(functions)) {
      console.log(`${name.padEnd(18)} ${(bytes / 1000).toFixed(0).padStart(6)} kB`);
    }
    console.log(dir);
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
