/** Builds of small functions: named by content, reused, never in each other's way. */

import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { buildEntries, buildFunctions } from '../../../tools/build/build-functions.ts';
import { pruneBuilds } from '../../../tools/build/prune-builds.ts';
import { markBuildInUse } from '../../../tools/build/use-build.ts';

const made: string[] = [];
afterAll(() => {
  for (const dir of made) rmSync(dir, { recursive: true });
});

/** A project with one function, whose handler imports a text. */
function project(text = 'hello'): string {
  const root = mkdtempSync(join(tmpdir(), 'build-'));
  made.push(root);
  mkdirSync(join(root, 'functions/greet'), { recursive: true });
  writeFileSync(join(root, 'functions/greet/schema.graphql'), text);
  writeFileSync(
    join(root, 'functions/greet/handler.ts'),
    `import schema from './schema.graphql';
declare const FAULT_POINTS: boolean;
export const handler = async (name: string): Promise<string> => schema + name + (FAULT_POINTS ? '!' : '');`,
  );
  return root;
}

function build(root: string, faultPoints = false) {
  return buildEntries({ root, entries: { greet: 'functions/greet/handler.ts' }, faultPoints });
}

function buildsOf(root: string): string[] {
  return readdirSync(join(root, '.build')).filter((name) => /^[0-9a-f]{16}$/.test(name));
}

test('a handler that does not compile is told with its file and line', async () => {
  const root = project();
  writeFileSync(join(root, 'functions/greet/handler.ts'), "import './absent.ts';");
  const error = await build(root).catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ name: 'BuildError' });
  expect((error as Error).message).toMatch(/functions\/greet\/handler\.ts:1:7/);
});

test('a missing handler is told by its name', async () => {
  await expect(buildFunctions({ root: project() })).rejects.toThrow(
    'functions/headless-auth/handler.ts is missing (there are greet). Restore it and start again.',
  );
});

test('the bundle runs, and its source map leads to the sources', async () => {
  const root = project();
  const { dir, functions } = await build(root);
  const { handler } = await import(String(functions.greet?.path));
  expect(await handler(' you')).toBe('hello you');
  const map = JSON.parse(readFileSync(join(dir, 'greet/index.mjs.map'), 'utf8'));
  expect(map.sources).toContain('../../../functions/greet/handler.ts');
  expect(functions.greet?.bytes).toBe(readFileSync(join(dir, 'greet/index.mjs')).byteLength);
});

test('what a handler imports when it is asked for is a chunk of its own, beside it', async () => {
  const root = project();
  writeFileSync(join(root, 'functions/greet/seldom.ts'), "export const text = 'seldom needed';");
  writeFileSync(
    join(root, 'functions/greet/handler.ts'),
    "export const handler = async (): Promise<string> => (await import('./seldom.ts')).text;",
  );
  const { dir, functions } = await build(root);
  const { handler } = await import(String(functions.greet?.path));
  expect(await handler()).toBe('seldom needed');
  expect(readFileSync(join(dir, 'greet/index.mjs'), 'utf8')).not.toContain('seldom needed');
  const scripts = readdirSync(join(dir, 'greet')).filter((name) => name.endsWith('.mjs'));
  expect(scripts).toHaveLength(2);
  const bytes = scripts.map((name) => readFileSync(join(dir, 'greet', name)).byteLength);
  expect(functions.greet?.bytes).toBe(bytes.reduce((sum, each) => sum + each, 0));
});

test('what a handler shares with what is loaded later is one chunk', async () => {
  const root = project();
  const files = {
    one: "export const one = () => 'one';",
    two: "import { one } from './one.ts';\nexport const two = () => one() + ' two';",
    three: "import { one } from './one.ts';\nexport const three = () => one() + ' three';",
    four: "import { two } from './two.ts';\nimport { three } from './three.ts';\nexport const four = () => two() + three();",
    handler: [
      "import {\n  one,\n} from './one.ts';",
      "import { two } from './two.ts';",
      "const later = [() => import('./three.ts'), () => import('./four.ts')] as const;",
      'export const handler = async () =>',
      '  [one(), two(), (await later[0]()).three(), (await later[1]()).four()];',
    ].join('\n'),
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(root, `functions/greet/${name}.ts`), text);
  }
  const { functions } = await build(root);
  const path = String(functions.greet?.path);
  const { handler } = await import(path);
  expect(await handler()).toEqual(['one', 'one two', 'one three', 'one twoone three']);
  expect(readFileSync(path, 'utf8').match(/from"\.\/[^"]+"/g)).toHaveLength(1);
});

test('a CommonJS part of a package gets Node’s own modules', async () => {
  const root = project();
  const files = {
    'asks.cjs':
      "const { createHash } = require('crypto'); exports.name = createHash.name + require('node:url').URL.name;",
    'handler.ts': "import { name } from './asks.cjs'; export const handler = (): string => name;",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, 'functions/greet', name), text);
  const { functions } = await build(root);
  const { handler } = await import(String(functions.greet?.path));
  expect(handler()).toBe('createHashURL');
});

test('Node’s own modules are there without what they load for names that nobody uses', async () => {
  const root = project();
  writeFileSync(
    join(root, 'functions/greet/handler.ts'),
    `import { Agent } from 'node:http'; import http from 'http'; import { createHash } from 'crypto';
import * as crypto from 'node:crypto'; import { setTimeout as wait } from 'node:timers/promises';
export const handler = () => [Agent === http.Agent, http.request.name, createHash === crypto.createHash, wait.name];`,
  );
  const { functions } = await build(root);
  const path = pathToFileURL(String(functions.greet?.path)).href;
  const script = `import { handler } from '${path}'; console.log(...handler(), process.moduleLoadList.filter((name) => /undici|webcrypto/.test(name)).length)`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(stdout).toBe('true request true setTimeout 0\n');
});

test('the same sources give the same build, in whatever folder', async () => {
  const [one, other] = await Promise.all([build(project()), build(project())]);
  expect(basename(one.dir)).toBe(basename(other.dir));
  expect(basename((await build(project('different'))).dir)).not.toBe(basename(one.dir));
});

test('two builds at once are one build', async () => {
  const root = project();
  const built = await Promise.all([build(root), build(root), build(root)]);
  expect(new Set(built.map(({ dir }) => dir)).size).toBe(1);
  expect(buildsOf(root)).toHaveLength(1);
  expect(readdirSync(join(root, '.build')).filter((name) => name.startsWith('.unfinished'))).toEqual([]);
});

test('unchanged sources are not bundled again, changed ones are', async () => {
  const root = project();
  const past = new Date(Date.now() - 60_000);
  for (const name of ['handler.ts', 'schema.graphql']) {
    utimesSync(join(root, 'functions/greet', name), past, past);
  }
  const first = await build(root);
  const record = readdirSync(join(root, '.build')).find((name) => name.startsWith('inputs-'));
  expect(record).toBeDefined();
  writeFileSync(first.functions.greet?.path ?? '', 'left alone');
  expect((await build(root)).dir).toBe(first.dir);
  expect(readFileSync(first.functions.greet?.path ?? '', 'utf8')).toBe('left alone');
  writeFileSync(join(root, 'functions/greet/schema.graphql'), 'changed');
  expect((await build(root)).dir).not.toBe(first.dir);
});

test('fault points are compiled in on demand only', async () => {
  const root = project();
  const [without, withPoints] = [await build(root), await build(root, true)];
  expect(readFileSync(withPoints.functions.greet?.path ?? '', 'utf8')).toContain('"!"');
  expect(readFileSync(without.functions.greet?.path ?? '', 'utf8')).not.toContain('"!"');
});

test('old builds are removed, but for the newest three and those in use', async () => {
  const root = project();
  const dirs: string[] = [];
  for (const text of ['1', '2', '3', '4', '5']) {
    writeFileSync(join(root, 'functions/greet/schema.graphql'), text);
    dirs.push((await build(root)).dir);
  }
  for (const [at, dir] of dirs.entries()) {
    const seconds = Date.now() / 1000 - 3600 + at;
    utimesSync(dir, seconds, seconds);
  }
  const release = markBuildInUse(String(dirs[0]));
  pruneBuilds(join(root, '.build'));
  expect(buildsOf(root).sort()).toEqual([0, 2, 3, 4].map((at) => basename(String(dirs[at]))).sort());
  release();
  pruneBuilds(join(root, '.build'));
  expect(buildsOf(root)).toHaveLength(3);
});
