/** Runs the start of every npm script in a small separate project, with an npm that the test writes. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

const INSTALL = join(import.meta.dirname, '../../tools/install.mjs');
const made: string[] = [];
afterAll(() => {
  for (const dir of made) rmSync(dir, { recursive: true, force: true });
});

/** Replaces npm: takes a moment, and records concurrent runs. */
const NPM = `
import { appendFileSync, copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
console.log('npm', ...process.argv.slice(2));
if (process.env.NPM_FAILS) { console.error('npm error code E404'); process.exit(1); }
if (existsSync('installing')) { appendFileSync('installs', 'two at once\\n'); process.exit(1); }
writeFileSync('installing', '');
if (process.env.NPM_HANGS) await sleep(60_000);
await sleep(300);
mkdirSync('node_modules/.bin', { recursive: true });
if (!process.env.NPM_NO_SCRIPTS && !existsSync('node_modules/.bin/node')) symlinkSync(process.execPath, 'node_modules/.bin/node');
copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
rmSync('installing');
appendFileSync('installs', 'done\\n');
`;

function writeLock(root: string, packages: object, file = 'package-lock.json'): void {
  writeFileSync(join(root, file), JSON.stringify({ packages }));
}

function project(): string {
  const root = mkdtempSync(join(tmpdir(), 'install-'));
  made.push(root);
  writeFileSync(join(root, 'npm.js'), NPM);
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  writeLock(root, { '': {}, 'node_modules/a': { version: '1.0.0' } });
  return root;
}

type Ended = { code: number | null; output: string };
type Run = { child: ChildProcess; ended: Promise<Ended>; shows: (text: string) => Promise<void> };

function run(root: string, variables: Record<string, string> = {}): Run {
  const { NODE_OPTIONS: _jestOnly, ...environment } = process.env;
  const child = spawn(process.execPath, [INSTALL], {
    cwd: root,
    env: { ...environment, npm_execpath: join(root, 'npm.js'), ...variables },
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
      const readInstalled = () => {
        if (output.includes(text)) resolve();
      };
      listeners.add(readInstalled);
      readInstalled();
    });
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, output })));
  return { child, ended, shows };
}

const installsOf = (root: string) => readFileSync(join(root, 'installs'), 'utf8');
const isLocked = (root: string) =>
  lstatSync(join(root, '.local/install.lock'), { throwIfNoEntry: false }) !== undefined;

test.concurrent('shows the last words of an npm that fails, without a stack trace', async () => {
  const root = project();
  const { code, output } = await run(root, { NPM_FAILS: '1' }).ended;
  expect(code).toBe(1);
  expect(output).toContain('npm error code E404');
  expect(output).toContain('npm ci failed: fix the cause and run the command again');
  expect(output).not.toMatch(/^\s+at /m);
  expect(isLocked(root)).toBe(false);
});

test.concurrent('says to install npm where there is none', async () => {
  const { code, output } = await run(project(), { npm_execpath: '', PATH: '/nowhere' }).ended;
  expect(code).toBe(1);
  expect(output).toContain('install npm and try again');
});

test.concurrent('says to allow install scripts where they are switched off', async () => {
  const { code, output } = await run(project(), { NPM_NO_SCRIPTS: '1' }).ended;
  expect(code).toBe(1);
  expect(output).toContain('allow install scripts');
});

test.concurrent('leaves no lock, and installs again, after an interrupted install', async () => {
  const root = project();
  const { child, ended, shows } = run(root, { NPM_HANGS: '1' });
  await shows('Installing the packages');
  child.kill('SIGINT');
  expect(await ended).toMatchObject({
    code: 1,
    output: expect.stringContaining('interrupted: run it again'),
  });
  expect(isLocked(root)).toBe(false);
  rmSync(join(root, 'installing'), { force: true });
  expect((await run(root).ended).code).toBe(0);
  expect(installsOf(root)).toBe('done\n');
});

test.concurrent('installs once, and says so', async () => {
  const root = project();
  expect(await run(root).ended).toEqual({ code: 0, output: 'Installing the packages (about a minute) …\n' });
  expect(await run(root).ended).toEqual({ code: 0, output: '' });
  expect(installsOf(root)).toBe('done\n');
});

test.concurrent('installs a changed lock file anew', async () => {
  const root = project();
  await run(root).ended;
  writeLock(root, { '': {}, 'node_modules/a': { version: '1.0.1' } });
  await run(root).ended;
  expect(installsOf(root)).toBe('done\ndone\n');
});

test.concurrent('takes what npm itself has installed, and needs no package of another system', async () => {
  const root = project();
  await run(root).ended;
  writeLock(root, {
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '1.0.0', optional: true },
  });
  expect(await run(root).ended).toEqual({ code: 0, output: '' });
  writeLock(root, { 'node_modules/a': { version: '0.9.0' } }, 'node_modules/.package-lock.json');
  await run(root).ended;
  expect(installsOf(root)).toBe('done\ndone\n');
});

test.concurrent('waits for another process that installs, and names it', async () => {
  const root = project();
  const both = await Promise.all([run(root).ended, run(root).ended]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(installsOf(root)).toBe('done\n');
  const waited = both.filter(({ output }) => /Process \d+ is installing the packages; waiting/.test(output));
  expect(waited).toHaveLength(1);
});

test.concurrent('takes the lock of a process that is gone, in one of several at once', async () => {
  const root = project();
  const gone = run(project());
  await gone.ended;
  mkdirSync(join(root, '.local'));
  symlinkSync(`${gone.child.pid}`, join(root, '.local/install.lock'));
  const several = await Promise.all([1, 2, 3].map(() => run(root).ended));
  expect(several.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(installsOf(root)).toBe('done\n');
  expect(isLocked(root)).toBe(false);
});

test('every script with a program of the project installs first and leaves no shell in between', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const programs = Object.values(scripts).filter((script) => /\bnode\b/.test(script));
  expect(programs.length).toBeGreaterThan(10);
  for (const script of programs) {
    expect(script).toMatch(/^node tools\/install\.mjs && (\w+=\S+ )?exec node_modules\/\.bin\/node /);
    const entry = script
      .replace('node tools/install.mjs', '')
      .split(' ')
      .find((word) => /^(operator|sandbox|tests|tools|node_modules\/jest)\S+\.(ts|js|mjs)$/.test(word));
    expect([script, existsSync(entry ?? '')]).toEqual([script, true]);
  }
});

test('the lock file names a version of every package, and no download address', () => {
  type Package = { readonly version?: string; readonly resolved?: string };
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const all = Object.entries<Package>(packages).filter(([path]) => path !== '');
  expect(all.length).toBeGreaterThan(700);
  const broken = all.filter(([, { version, resolved }]) => version === undefined || resolved !== undefined);
  expect(broken.map(([path]) => path)).toEqual([]);
});
