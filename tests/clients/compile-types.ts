/** Checks the types of an app's files with a compiler, as the app's developer does. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A package of this repository: the oldest supported compiler, and the newest. */
export type Compiler = 'typescript-5.4' | 'typescript';

type Project = {
  /** A folder in which the packages are installed. */
  readonly folder: string;
  readonly compiler: Compiler;
  /** Options in addition to `strict`. */
  readonly options: object;
  /** The texts by the names of the files. */
  readonly files: Readonly<Record<string, string>>;
};

/** For bundlers, and for Node, which distinguishes ES modules (.mts) and CommonJS (.cts). */
export const BUNDLER = { module: 'esnext', moduleResolution: 'bundler' } as const;
export const NODE = { module: 'node16', moduleResolution: 'node16' } as const;

/** Returns the compiler's complaints: an empty text if there are none. */
export async function compileTypes({ folder, compiler, options, files }: Project): Promise<string> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const compilerOptions = {
    ...{ strict: true, noEmit: true, target: 'es2022', lib: ['es2022'], types: [] },
    // Half of the time would go into the compiler's own declarations, of which nothing is to be proved.
    skipDefaultLibCheck: true,
    ...options,
  };
  const project = join(folder, `tsconfig-${compiler}-${Object.keys(files)[0]}.json`);
  writeFileSync(project, JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  const tsc = join(process.cwd(), 'node_modules', compiler, 'bin/tsc');
  const checked = promisify(execFile)(process.execPath, [tsc, '-p', project]);
  return (await checked.catch(({ stdout }) => ({ stdout }))).stdout;
}
