/** Compiles a bundle to the bytecode of Hermes, React Native's engine. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const FOLDERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  ...{ linux: 'linux64-bin', darwin: 'osx-bin', win32: 'win64-bin' },
};

/**
 * Returns the bytecode.
 * @throws Error with the compiler's complaints, if there are any.
 */
export async function compileForHermes(script: string): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-'));
  const [input, output] = [join(folder, 'bundle.js'), join(folder, 'bundle.hbc')];
  const compiler = join('node_modules/hermes-compiler/hermesc', FOLDERS[process.platform] ?? '', 'hermesc');
  try {
    writeFileSync(input, script);
    const { stdout } = await promisify(execFile)(compiler, ['-O', '-emit-binary', '-out', output, input]);
    if (stdout !== '') throw new Error(stdout);
    return readFileSync(output);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
