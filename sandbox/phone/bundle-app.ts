/**
 * Bundles the app's sixty files into one script and one style, with the texts of each language in separate files.
 * Loading each file separately, one import after the other, would take three times as long. Source maps refer to the
 * files.
 */
import { join } from 'node:path';
import { build } from 'esbuild';
import { withEsbuild } from '../../tools/build/with-esbuild.ts';

/** The files that a page requests. */
const SCRIPT = 'main.js';
const STYLE = 'style/all.css';

/** English is part of the script. */
const LANGUAGES = ['de', 'fr', 'es', 'it', 'nl', 'pt', 'ja'].map((tag) => `messages/${tag}.js`);

export const BUNDLES = [SCRIPT, STYLE, ...LANGUAGES].flatMap((name) => [name, `${name}.map`]);

/** Returns the text of each bundle of the app's folder. */
export async function bundleApp(folder: string): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await withEsbuild(() =>
    build({
      absWorkingDir: folder,
      entryPoints: [SCRIPT, STYLE],
      outdir: folder,
      outbase: folder,
      // Nothing is written, so nothing can be overwritten.
      ...{ write: false, allowOverwrite: true },
      bundle: true,
      ...{ splitting: true, chunkNames: 'messages/[name]' },
      format: 'esm',
      sourcemap: 'linked',
    }),
  );
  const texts = new Map(outputFiles.map(({ path, text }) => [path, text]));
  return new Map(BUNDLES.map((name) => [name, texts.get(join(folder, name)) ?? '']));
}
