/**
 * The app's sixty files as one script and one style: a page that asks for each of them, one import behind the other,
 * takes three times as long to open. Source maps lead back to the files.
 */
import { relative, sep } from 'node:path';
import { buildSync } from 'esbuild';

export type BundledFile = { readonly path: string; readonly text: string };

const ENTRIES = ['main.js', 'style/all.css'];

/** The bundles of the app's folder, by the paths of their entries, each with its source map. */
export function bundleApp(folder: string): BundledFile[] {
  const { outputFiles } = buildSync({
    absWorkingDir: folder,
    entryPoints: ENTRIES,
    outdir: folder,
    outbase: folder,
    // Nothing is written: esbuild only has to be sure that it could not overwrite its input.
    allowOverwrite: true,
    write: false,
    bundle: true,
    format: 'esm',
    sourcemap: 'linked',
  });
  return outputFiles.map(({ path, text }) => ({
    path: relative(folder, path).split(sep).join('/'),
    text,
  }));
}
