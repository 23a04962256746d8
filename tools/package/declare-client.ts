/** The declarations of clients/typescript, made by the compiler; their imports name the files that are published. */
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** By their names below the package's folder of a format. */
export async function declareClient(root: string): Promise<ReadonlyMap<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'declarations-'));
  try {
    const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', folder];
    const project = [
      '-p',
      join(root, 'clients/typescript'),
      '--rootDir',
      join(root, 'clients/typescript/src'),
    ];
    await promisify(execFile)(process.execPath, [
      join(root, 'node_modules/typescript/bin/tsc'),
      ...project,
      ...options,
    ]);
    const names = globSync('**/*.d.ts', { cwd: folder });
    return new Map(
      names.map((name) => [name, readFileSync(join(folder, name), 'utf8').replace(IMPORT, '$1.js$2')]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const IMPORT = /((?:from|import\()\s*['"]\.[^'"]*)\.ts(['"])/g;
