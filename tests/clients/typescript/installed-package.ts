/** The package as users get it: packed, and installed into an empty project without a network. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageClient } from '../../../tools/package/package-client.ts';

const NAME = 'subscription-management-client';
const run = promisify(execFile);

export type InstalledPackage = Awaited<ReturnType<typeof installPackage>>;

/** `files`: what the tarball holds. Call `remove` at the end. */
export async function installPackage() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'client-')));
  const { NODE_OPTIONS: _jestOnly, ...env } = process.env;
  const npm = (cwd: string, ...args: string[]) => run('npm', args, { cwd, env });
  await packageClient(join(folder, 'package'));
  const { stdout } = await npm(folder, 'pack', './package', '--json', '--silent');
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  await npm(project, 'install', join(folder, filename), '--offline', '--ignore-scripts', '--silent');
  return {
    project,
    files: files.map(({ path }) => path),
    /** The module as an import in the project finds it. */
    entry: join(project, 'node_modules', NAME, 'esm/client.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
