/**
 * Bundles everything that a function's first request needs into one chunk, however many chunks are loaded later. By
 * default esbuild creates a chunk for each set of modules that the same later chunks share, and Node resolves and links
 * them all at each cold start.
 */
import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { Plugin } from 'esbuild';

const LATER_CHUNK_NAMESPACE = 'later';
/** A module or package that a handler imports for its values; bundling removes types. */
const IMPORT_PATTERN = /^import (?!type\b)[^;]*?from ('[^']+');$/gm;

/** Creates the plugin; `handlerPath` is the absolute path of the function's entry. */
export function createSharedChunkPlugin(handlerPath: string): Plugin {
  const resolveDir = dirname(handlerPath);
  return {
    name: 'one-shared-chunk',
    setup(build) {
      build.onResolve({ filter: /^\.{1,2}\// }, async ({ kind, path, importer, ...resolveArgs }) => {
        if (kind !== 'dynamic-import') return undefined;
        // Resolve as a static import, so that this plugin is not called again.
        const { path: resolvedPath, errors } = await build.resolve(path, {
          kind: 'import-statement',
          importer,
          resolveDir: resolveArgs.resolveDir,
        });
        return errors.length > 0
          ? { errors }
          : { path: `./${relative(resolveDir, resolvedPath)}`, namespace: LATER_CHUNK_NAMESPACE };
      });
      build.onLoad({ filter: /.*/, namespace: LATER_CHUNK_NAMESPACE }, ({ path }) => ({
        contents: `${writeSharedImports(handlerPath)}\n${writeReExports(path)}`,
        resolveDir,
      }));
    },
  };
}

/** A JSON module has only a default export. */
function writeReExports(path: string): string {
  const specifier = JSON.stringify(path);
  return path.endsWith('.json')
    ? `export { default } from ${specifier} with { type: 'json' };`
    : `export * from ${specifier};`;
}

/**
 * Each later module imports all modules that the handler imports, so these have the same importers and form one chunk.
 */
function writeSharedImports(handlerPath: string): string {
  const imports = readFileSync(handlerPath, 'utf8').matchAll(IMPORT_PATTERN);
  return [...imports].map(([, module]) => `import ${module};`).join('\n');
}
