/** The declarations of a client, made by the compiler; their imports name the files that are published. */
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Returns the declarations by their names below the package's folder of a format.
 * @param project the client's folder, such as `clients/typescript`
 */
export async function declareClient(root: string, project: string): Promise<ReadonlyMap<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'declarations-'));
  try {
    const compilerOptions = [
      '--noEmit',
      'false',
      '--declaration',
      '--emitDeclarationOnly',
      '--outDir',
      folder,
    ];
    // Beside its own files the compiler declares those of the clients that it imports.
    const sourceArguments = ['-p', join(root, project), '--rootDir', join(root, 'clients')];
    await promisify(execFile)(process.execPath, [
      join(root, 'node_modules/typescript/bin/tsc'),
      ...sourceArguments,
      ...compilerOptions,
    ]);
    const declarationsFolder = join(folder, project.replace(/^clients\//, ''), 'src');
    const names = globSync('**/*.d.ts', { cwd: declarationsFolder });
    return new Map(
      names.map((name) => [
        name,
        readFileSync(join(declarationsFolder, name), 'utf8').replace(IMPORT_PATTERN, '$1.js$2'),
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const IMPORT_PATTERN = /((?:from|import\()\s*['"]\.[^'"]*)\.ts(['"])/g;
