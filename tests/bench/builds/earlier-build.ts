/** Builds the functions of an earlier commit for a comparison: its files from git, with today's packages. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../tools/build/build-functions.ts';

/** The last commit whose GraphQL functions reached AWS through its SDK. */
const COMMIT = '5cd39b00';
/** The path of the build in that commit. */
const BUILD = 'infra/build.ts';

export type EarlierBuild = {
  /** The absolute path of a function's bundle. */
  pathOf(functionName: string): string;
  remove(): void;
};

/** Builds it; undefined where the clone does not reach that far back. */
export function buildEarlier(): EarlierBuild | undefined {
  const git = ['-C', PROJECT_ROOT];
  if (spawnSync('git', [...git, 'cat-file', '-e', `${COMMIT}^{commit}`]).status !== 0) return undefined;
  const root = mkdtempSync(join(tmpdir(), 'earlier-'));
  const archive = execFileSync('git', [...git, 'archive', COMMIT], { maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', root], { input: archive });
  symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(root, 'node_modules'));
  const printed = execFileSync(process.execPath, [join(root, BUILD)], { cwd: root, encoding: 'utf8' });
  const dir = printed.trim().split('\n').at(-1) ?? '';
  return {
    pathOf: (functionName) => join(dir, functionName, 'index.mjs'),
    remove: () => rmSync(root, { recursive: true }),
  };
}
