/**
 * What a function's first request needs is one chunk, however many chunks are loaded later. By itself esbuild makes a
 * chunk of each set of modules that the same later ones share, and Node resolves and links them all at each cold start.
 */
import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { Plugin } from 'esbuild';

const NAMESPACE = 'later';
/** A module or package that a handler imports for its values; types are gone when it is bundled. */
const IMPORT = /^import (?!type\b)[^;]*?from ('[^']+');$/gm;

/** The plugin. `handler`: the absolute path of the function's entry. */
export function oneSharedChunk(handler: string): Plugin {
  const resolveDir = dirname(handler);
  return {
    name: 'one-shared-chunk',
    setup(build) {
      build.onResolve({ filter: /^\.{1,2}\// }, async ({ kind, path, importer, ...from }) => {
        if (kind !== 'dynamic-import') return undefined;
        // As a static import it is not asked for here again.
        const { path: found, errors } = await build.resolve(path, {
          kind: 'import-statement',
          importer,
          resolveDir: from.resolveDir,
        });
        return errors.length > 0
          ? { errors }
          : { path: `./${relative(resolveDir, found)}`, namespace: NAMESPACE };
      });
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({
        contents: `${sharedBy(handler)}\n${exportsOf(path)}`,
        resolveDir,
      }));
    },
  };
}

/** JSON has a default export alone. */
function exportsOf(path: string): string {
  const specifier = JSON.stringify(path);
  return path.endsWith('.json')
    ? `export { default } from ${specifier} with { type: 'json' };`
    : `export * from ${specifier};`;
}

/** Each later module imports what the handler does: so all of that has the same importers, and is one chunk. */
function sharedBy(handler: string): string {
  const imports = readFileSync(handler, 'utf8').matchAll(IMPORT);
  return [...imports].map(([, module]) => `import ${module};`).join('\n');
}
