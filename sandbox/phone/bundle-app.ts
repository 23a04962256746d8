/**
 * The app's sixty files as one script and one style, with the texts of each language beside them: a page that asks for each
 * file, one import behind the other, takes three times as long to open. Source maps lead back to the files.
 */
import { join } from 'node:path';
import { build } from 'esbuild';
import { withEsbuild } from '../../tools/build/with-esbuild.ts';

/** What a page asks for. */
const SCRIPT = 'main.js';
const STYLE = 'style/all.css';

/** English is part of the script. */
const LANGUAGES = ['de', 'fr', 'es', 'it', 'nl', 'pt', 'ja'].map((tag) => `words/${tag}.js`);

export const BUNDLES = [SCRIPT, STYLE, ...LANGUAGES].flatMap((name) => [name, `${name}.map`]);

/** The text of each bundle of the app's folder. */
export async function bundleApp(folder: string): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await withEsbuild(() =>
    build({
      absWorkingDir: folder,
      entryPoints: [SCRIPT, STYLE],
      outdir: folder,
      outbase: folder,
      // Nothing is written, so nothing can be overwritten either.
      ...{ write: false, allowOverwrite: true },
      bundle: true,
      ...{ splitting: true, chunkNames: 'words/[name]' },
      format: 'esm',
      sourcemap: 'linked',
    }),
  );
  const texts = new Map(outputFiles.map(({ path, text }) => [path, text]));
  return new Map(BUNDLES.map((name) => [name, texts.get(join(folder, name)) ?? '']));
}
