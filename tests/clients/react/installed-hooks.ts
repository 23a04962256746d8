/** The package of clients/react as users get it: packed, and unpacked beside its peers. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ClientPackageName } from '../../../tools/package/client-packages.ts';
import { packageClient } from '../../../tools/package/package-client.ts';

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
  const { NODE_OPTIONS: _jestOnly, ...env } = process.env;
  /** Packs a client and returns where it was unpacked, and its files. */
  const pack = async (client: ClientPackageName) => {
    const built = join(folder, client);
    await packageClient(built, client);
    const { stdout } = await run('npm', ['pack', built, '--json', '--silent'], { cwd: folder, env });
    const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
    const unpacked = join(folder, 'unpacked', client);
    mkdirSync(unpacked, { recursive: true });
    await run('tar', ['-xzf', join(folder, filename), '-C', unpacked, '--strip-components=1']);
    return { unpacked, files: files.map(({ path }) => path) };
  };
  const [hooks, client] = await Promise.all([pack('react'), pack('typescript')]);

  /** Creates a project with the packages; without `react`, as in an app of another framework. */
  const createProject = (name: string, react?: 'react' | 'react-19') => {
    const project = join(folder, name);
    const modules = join(project, 'node_modules');
    mkdirSync(join(modules, '@types'), { recursive: true });
    writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
    cpSync(hooks.unpacked, join(modules, 'subscription-management-react'), { recursive: true });
    cpSync(client.unpacked, join(modules, 'subscription-management-client'), { recursive: true });
    if (react === undefined) return project;
    for (const peer of PEERS) cpSync(join(MODULES, peer), join(modules, peer), { recursive: true });
    symlinkSync(join(MODULES, react), join(modules, 'react'));
    cpSync(join(MODULES, '@types', react), join(modules, '@types/react'), { recursive: true });
    for (const types of ['csstype', '@types/prop-types'])
      symlinkSync(join(MODULES, types), join(modules, types));
    return project;
  };
  return {
    files: hooks.files,
    packageFile: join(hooks.unpacked, 'package.json'),
    createProject,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
