/** The package of clients/react as users get it: packed, and unpacked beside its peers and the client. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageClient } from '../../../tools/package/package-client.ts';
import { copyPackage } from '../copy-package.ts';

const MODULES = join(process.cwd(), 'node_modules');
/** Copied, because a package finds its peers from its real folder. */
const PEERS = [
  ...['react-query', 'query-core', 'react-query-persist-client', 'query-persist-client-core'],
  'query-sync-storage-persister',
].map((name) => `@tanstack/${name}`);
const run = promisify(execFile);

export type InstalledHooks = Awaited<ReturnType<typeof installHooks>>;

/** `files`: what the tarball holds. Call `remove` at the end. */
export async function installHooks() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hooks-')));
  const projects = join(folder, 'projects');
  const { NODE_OPTIONS: _jestOnly, ...env } = process.env;
  const built = { hooks: join(folder, 'built'), client: join(folder, 'client') };
  await Promise.all([packageClient(built.hooks, 'react'), packageClient(built.client)]);
  const { stdout } = await run('npm', ['pack', built.hooks, '--json', '--silent'], { cwd: folder, env });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  const unpacked = join(folder, 'unpacked');
  mkdirSync(unpacked);
  await run('tar', ['-xzf', join(folder, filename), '-C', unpacked, '--strip-components=1']);

  /** Writes the package and the client into a folder of modules. */
  const copyPackages = (modules: string, version: string) => {
    copyPackage(unpacked, join(modules, 'subscription-management-react'), version);
    copyPackage(built.client, join(modules, 'subscription-management-client'), version);
  };

  /** Creates a project with the packages; without `react`, as in an app of another framework. */
  const createProject = (name: string, react?: 'react' | 'react-19') => {
    const project = join(projects, name);
    const modules = join(project, 'node_modules');
    mkdirSync(join(modules, '@types'), { recursive: true });
    writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
    copyPackages(modules, name);
    if (react === undefined) return project;
    for (const peer of PEERS) copyPackage(join(MODULES, peer), join(modules, peer), name);
    symlinkSync(join(MODULES, react), join(modules, 'react'));
    cpSync(join(MODULES, '@types', react), join(modules, '@types/react'), { recursive: true });
    for (const types of ['csstype', '@types/prop-types'])
      symlinkSync(join(MODULES, types), join(modules, types));
    return project;
  };
  return {
    files: files.map(({ path }) => path),
    packageFile: join(unpacked, 'package.json'),
    /** The folder of the projects. */
    projects,
    createProject,
    copyPackages,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
