/** The beginning of every npm script, in a small project of its own, with an npm that the test writes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

const bootstrap = join(import.meta.dirname, '../../../../infra/tools/bootstrap/bootstrap.mjs');
const made: string[] = [];
afterAll(() => {
  for (const dir of made) rmSync(dir, { recursive: true, force: true });
});

/** Installs as slowly as the test wants; two at once are what must not be. */
const NPM = `
import { appendFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
console.log('npm', ...process.argv.slice(2));
if (process.env.NPM_FAILS) { console.error('npm error code E404'); process.exit(1); }
if (existsSync('installing')) { appendFileSync('installs', 'two at once\\n'); process.exit(1); }
writeFileSync('installing', '');
if (process.env.NPM_HANGS) { process.send?.('installing'); await sleep(60_000); }
await sleep(300);
mkdirSync('node_modules/.bin', { recursive: true });
if (!process.env.NPM_NO_SCRIPTS && !existsSync('node_modules/.bin/node')) symlinkSync(process.execPath, 'node_modules/.bin/node');
rmSync('installing');
appendFileSync('installs', 'done\\n');
`;
const SCRIPT = `console.log('script', process.version, ...process.argv.slice(2));
if (process.argv.includes('--fail')) process.exit(7);
if (process.argv.includes('--wait')) {
  process.on('SIGTERM', () => { console.log('ended'); process.exit(0); });
  console.log('waiting');
  setInterval(() => {}, 1000);
}`;

function project(): string {
  const root = mkdtempSync(join(tmpdir(), 'bootstrap-'));
  made.push(root);
  mkdirSync(join(root, 'infra/tools/build'), { recursive: true });
  writeFileSync(join(root, 'infra/tools/build/build-functions.ts'), SCRIPT);
  writeFileSync(join(root, 'npm.js'), NPM);
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  writeFileSync(join(root, 'package-lock.json'), '{"packages":{}}');
  return root;
}

type Ended = { code: number | null; output: string };
type Run = { child: ChildProcess; ended: Promise<Ended>; shows: (text: string) => Promise<void> };

function run(root: string, args: string[], variables: Record<string, string> = {}): Run {
  const { NODE_OPTIONS: _jestOnly, NODE_COMPILE_CACHE: _tests, ...environment } = process.env;
  const child = spawn(process.execPath, [bootstrap, ...args], {
    env: { ...environment, BOOTSTRAP_ROOT: root, npm_execpath: join(root, 'npm.js'), ...variables },
  });
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const listener of listeners) listener();
    });
  }
  const shows = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (output.includes(text)) resolve();
      };
      listeners.add(look);
      look();
    });
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, output })));
  return { child, ended, shows };
}

const installsOf = (root: string) => readFileSync(join(root, 'installs'), 'utf8');

test.concurrent('the command line is compiled once, and found again only as it is', async () => {
  const root = project();
  mkdirSync(join(root, 'infra/operator/command-line'), { recursive: true });
  const entry = join(root, 'infra/operator/command-line/main.ts');
  writeFileSync(entry, "console.log('first' as string);");
  await run(root, ['operator']).ended;
  expect(existsSync(join(root, '.local/compile-cache'))).toBe(true);
  writeFileSync(entry, "console.log('second' as string);");
  expect((await run(root, ['operator']).ended).output).toContain('second');
});

test.concurrent('a script that does not exist', async () => {
  const { code, output } = await run(project(), ['nonsense']).ended;
  expect(code).toBe(1);
  expect(output).toMatch(/^There is no script "nonsense"; there are start, test, .*\.\n$/);
});

test.concurrent('npm fails: its last words, one sentence, no stack trace', async () => {
  const root = project();
  const { code, output } = await run(root, ['build'], { NPM_FAILS: '1' }).ended;
  expect(code).toBe(1);
  expect(output).toContain('npm error code E404');
  expect(output).toContain('npm ci failed: look above');
  expect(output).not.toMatch(/^\s+at /m);
  expect(existsSync(join(root, '.local/install.lock'))).toBe(false);
});

test.concurrent('npm is not there', async () => {
  const { code, output } = await run(project(), ['build'], { npm_execpath: '', PATH: '/nowhere' }).ended;
  expect(code).toBe(1);
  expect(output).toContain('install npm and try again');
});

test.concurrent('install scripts are switched off', async () => {
  const { code, output } = await run(project(), ['build'], { NPM_NO_SCRIPTS: '1' }).ended;
  expect(code).toBe(1);
  expect(output).toContain('allow install scripts');
});

test.concurrent('the file of the script is missing', async () => {
  const { code, output } = await run(project(), ['generate']).ended;
  expect(code).toBe(1);
  expect(output).toContain('infra/tools/generate/generate.ts is missing');
});

test.concurrent('an interrupted install leaves no lock and no stamp', async () => {
  const root = project();
  const { child, ended, shows } = run(root, ['build'], { NPM_HANGS: '1' });
  await shows('Installing the packages');
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
  expect(existsSync(join(root, '.local/install.lock'))).toBe(false);
  expect(existsSync(join(root, 'node_modules/.lock-hash'))).toBe(false);
});

test.concurrent('installs once, says so, and runs the script with its arguments', async () => {
  const root = project();
  const first = await run(root, ['build', 'a', '--b']).ended;
  expect(first.code).toBe(0);
  expect(first.output).toContain('Installing the packages');
  expect(first.output).toMatch(/script v\d+\S* a --b/);
  const second = await run(root, ['build']).ended;
  expect(second.output).not.toContain('Installing');
  expect(installsOf(root)).toBe('done\n');
});

test.concurrent('a changed lock file is installed anew', async () => {
  const root = project();
  await run(root, ['build']).ended;
  writeFileSync(join(root, 'package-lock.json'), '{"packages":{"":{}}, "changed":true}');
  await run(root, ['build']).ended;
  expect(installsOf(root)).toBe('done\ndone\n');
});

test.concurrent('what npm itself has installed is not installed again', async () => {
  const root = project();
  const packages = {
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '1.0.0', optional: true },
  };
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
  await run(root, ['build']).ended;
  rmSync(join(root, 'node_modules/.lock-hash'));
  const hidden = { packages: { 'node_modules/a': { version: '1.0.0' } } };
  writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify(hidden));
  await run(root, ['build']).ended;
  expect(installsOf(root)).toBe('done\n');
  rmSync(join(root, 'node_modules/.lock-hash'));
  writeFileSync(
    join(root, 'node_modules/.package-lock.json'),
    JSON.stringify({ packages: { 'node_modules/a': { version: '0.9.0' } } }),
  );
  await run(root, ['build']).ended;
  expect(installsOf(root)).toBe('done\ndone\n');
});

test.concurrent('two at once on a fresh clone: one installs, the other waits and says for whom', async () => {
  const root = project();
  const both = await Promise.all([run(root, ['build', 'one']).ended, run(root, ['build', 'two']).ended]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(installsOf(root)).toBe('done\n');
  const waited = both.filter(({ output }) => /Process \d+ is installing the packages; waiting/.test(output));
  expect(waited).toHaveLength(1);
});

test.concurrent('the lock of a process that is gone is void', async () => {
  const root = project();
  const gone = run(project(), ['nonsense']);
  await gone.ended;
  mkdirSync(join(root, '.local'));
  writeFileSync(join(root, '.local/install.lock'), `${gone.child.pid}`);
  const several = await Promise.all([1, 2, 3].map(() => run(root, ['build']).ended));
  expect(several.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(installsOf(root)).toBe('done\n');
});

test.concurrent("the script's exit code is passed on", async () => {
  expect((await run(project(), ['build', '--fail']).ended).code).toBe(7);
});

test.concurrent('a signal reaches the script', async () => {
  const { child, ended, shows } = run(project(), ['build', '--wait']);
  await shows('waiting\n');
  child.kill('SIGTERM');
  const { code, output } = await ended;
  expect(code).toBe(0);
  expect(output).toContain('ended');
});
