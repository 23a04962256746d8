/**
 * The bundles of a quick run, in one go: what they have in common is read once, and is in files that they share. A run that
 * measures has each bundle built alone, as the functions are deployed.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { PROJECT_ROOT } from '../../../tools/build/build-functions.ts';
import { plainBuiltinsPlugin } from '../../../tools/build/plain-builtins.ts';
import { withEsbuild } from '../../../tools/build/with-esbuild.ts';

type Bundles = AsyncDisposable & { readonly functions: Readonly<Record<string, { readonly path: string }>> };

/** Entries by name, absolute paths. The bundles are gone when they are disposed of. */
export async function buildTogether(entries: Readonly<Record<string, string>>): Promise<Bundles> {
  const builds = join(PROJECT_ROOT, '.build');
  mkdirSync(builds, { recursive: true });
  const outdir = mkdtempSync(join(builds, '.unfinished-quick-'));
  const names = Object.keys(entries);
  await withEsbuild(() =>
    build({
      absWorkingDir: PROJECT_ROOT,
      entryPoints: names.map((name) => ({ in: entries[name] ?? '', out: name })),
      outdir,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      mainFields: ['module', 'main'],
      conditions: ['module'],
      loader: { '.graphql': 'text' },
      alias: {
        '@aws-sdk/credential-provider-node': join(PROJECT_ROOT, 'tools/build/environment-credentials.ts'),
      },
      define: { FAULT_POINTS: 'false', 'process.env.NODE_ENV': '"production"' },
      plugins: [plainBuiltinsPlugin],
      logLevel: 'error',
    }),
  );
  return {
    functions: Object.fromEntries(names.map((name) => [name, { path: join(outdir, `${name}.mjs`) }])),
    [Symbol.asyncDispose]: async () => rmSync(outdir, { recursive: true }),
  };
}
