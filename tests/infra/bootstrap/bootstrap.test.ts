/** The bootstrap of a fresh clone, with an npm that only notes that it was called. */
import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

/** Makes `node_modules/.bin/node`, and fails if two of it run at once. */
const FAKE_NPM = `#!/usr/bin/env bash
set -e
mkdir running
echo "$*" >> npm-calls
\${NPM_FAILS:+exit 1}
mkdir -p node_modules/.bin
ln -sf "$REAL_NODE" node_modules/.bin/node
rmdir running
`;

let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'clone-'));
  mkdirSync(join(clone, 'infra'));
  mkdirSync(join(clone, 'bin'));
  cpSync('infra/bootstrap.mjs', join(clone, 'infra/bootstrap.mjs'));
  cpSync('infra/bootstrap', join(clone, 'infra/bootstrap'), { recursive: true });
  writeFileSync(join(clone, 'package-lock.json'), '{}');
  writeFileSync(join(clone, 'infra/build.ts'), "console.log('built', process.argv.slice(2).join(' '));");
  writeFileSync(join(clone, 'bin/npm'), FAKE_NPM);
  chmodSync(join(clone, 'bin/npm'), 0o755);
});
afterEach(() => rmSync(clone, { recursive: true }));

type Ended = { code: number | null; out: string; err: string };

function bootstrap(args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
  const child = spawn(process.execPath, [join(clone, 'infra/bootstrap.mjs'), ...args], {
    cwd: clone,
    env: { PATH: `${join(clone, 'bin')}:/usr/bin:/bin`, REAL_NODE: process.execPath, ...environment },
  });
  const ended = { code: null as number | null, out: '', err: '' };
  child.stdout.on('data', (data) => {
    ended.out += data;
  });
  child.stderr.on('data', (data) => {
    ended.err += data;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ ...ended, code })));
}

const npmCalls = () => readFileSync(join(clone, 'npm-calls'), 'utf8').trim().split('\n');

describe('the bootstrap', () => {
  test('an unknown command, a missing file and a failed install are one sentence each', async () => {
    const unknown = await bootstrap(['dance']);
    expect(unknown).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Name a command: start, test, .*\n$/),
    });
    const missing = await bootstrap(['start']);
    expect(missing).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^infra\/local\/start\.ts is missing\..*\n$/),
    });
    const failed = await bootstrap(['build'], { NPM_FAILS: '1' });
    expect(failed.code).toBe(1);
    expect(failed.err).toContain(
      'The packages could not be installed: npm ci failed, see .local/install.log.',
    );
    expect(failed.err).not.toContain('    at ');
  });

  test('installs once, however many commands are started at the same moment', async () => {
    const ended = await Promise.all([1, 2, 3, 4].map((n) => bootstrap(['build', `${n}`])));
    expect(ended.map(({ code, out }) => [code, out])).toEqual([1, 2, 3, 4].map((n) => [0, `built ${n}\n`]));
    expect(npmCalls()).toEqual(['ci --no-audit --no-fund']);
  });

  test('installs again when the lock file has changed, and never without need', async () => {
    await bootstrap(['build']);
    await bootstrap(['build']);
    expect(npmCalls()).toHaveLength(1);
    writeFileSync(join(clone, 'package-lock.json'), '{"changed":true}');
    await bootstrap(['build']);
    expect(npmCalls()).toHaveLength(2);
  });

  test('the lock of a process that died is void', async () => {
    mkdirSync(join(clone, '.local'));
    writeFileSync(join(clone, '.local/install.lock'), '4194303');
    expect(await bootstrap(['build'])).toMatchObject({ code: 0, out: 'built \n' });
  });

  test("the command's exit code is the bootstrap's", async () => {
    writeFileSync(join(clone, 'infra/build.ts'), 'process.exit(7);');
    expect((await bootstrap(['build'])).code).toBe(7);
  });
});
