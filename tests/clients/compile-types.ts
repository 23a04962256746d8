/** Checks the types of an app's files with a compiler, as the app's developer does. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** A package of this repository: the oldest supported compiler, and the newest. */
export type Compiler = 'typescript-5.4' | 'typescript';

type Project = {
  /** A folder in which the packages are installed. */
  readonly folder: string;
  readonly compiler: Compiler;
  /** Options in addition to `strict`. */
  readonly options: object;
  /** The texts by the paths of the files in the folder. */
  readonly files: Readonly<Record<string, string>>;
};

/** For bundlers, and for Node, which distinguishes ES modules (.mts) and CommonJS (.cts). */
export const BUNDLER = { module: 'esnext', moduleResolution: 'bundler' } as const;
export const NODE = { module: 'node16', moduleResolution: 'node16' } as const;

/**
 * Returns the compiler's complaints, which begin with the path of their file. The files are one program: most of the
 * time goes into the declarations that they share.
 */
export async function compileTypes(project: Project): Promise<readonly string[]> {
  const { folder, compiler, options, files } = project;
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const compilerOptions = {
    ...{ strict: true, noEmit: true, target: 'es2022', lib: ['es2022'], types: [] },
    // Half of the time would go into the compiler's own declarations, of which nothing is to be proved.
    skipDefaultLibCheck: true,
    ...options,
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: Object.keys(files) }),
  );
  const tsc = join(process.cwd(), 'node_modules', compiler, 'bin/tsc');
  const checked = promisify(execFile)(process.execPath, [tsc, '-p', '.'], { cwd: folder });
  const { stdout } = await checked.catch(({ stdout }) => ({ stdout }));
  // Further lines of a complaint are indented.
  return stdout.split(/\n(?=\S)/).filter((text: string) => text !== '');
}
