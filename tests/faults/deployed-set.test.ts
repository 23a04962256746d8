/** Checks the deployed files: no crash point, no hook, not even their names, and no unneeded file. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { CRASH_POINTS } from '../../lib/sign-in/crash-point.ts';
import { type BuiltFunction, buildFunctions } from '../../tools/build/build-functions.ts';

const traces = [...CRASH_POINTS, 'onCrashPoint', 'FAULT_POINTS'];

function bundlesOf(dir: string): string {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.mjs'),
  );
  return files.map((name) => readFileSync(join(dir, name), 'utf8')).join('\n');
}

test('the deployed bundles have none of the crash points', async () => {
  const text = bundlesOf((await buildFunctions()).dir);
  expect(traces.filter((trace) => text.includes(trace))).toEqual([]);
});

test('the bundles for fault tests have all of them', async () => {
  const text = bundlesOf((await buildFunctions({ faultPoints: true })).dir);
  expect(CRASH_POINTS.filter((point) => !text.includes(point))).toEqual([]);
  expect(text).toContain('onCrashPoint');
});

/** The files that a bundle loads, itself and its chunks. */
function loadedBy(bundle: string, found = new Set<string>()): Set<string> {
  found.add(bundle);
  for (const [, path = ''] of readFileSync(bundle, 'utf8').matchAll(/["'](\.{1,2}\/[^"']+\.mjs)["']/g)) {
    const chunk = join(dirname(bundle), path);
    if (!found.has(chunk) && existsSync(chunk)) loadedBy(chunk, found);
  }
  return found;
}

function sourcesOf({ path }: BuiltFunction): string[] {
  return [...loadedBy(path)].flatMap((file) => JSON.parse(readFileSync(`${file}.map`, 'utf8')).sources);
}

test('the functions that answer people have nothing of the AWS SDK on board', async () => {
  const { functions } = await buildFunctions();
  for (const name of ['customer-graphql', 'admin-graphql', 'headless-auth'] as const) {
    const sources = sourcesOf(functions[name]);
    expect(sources.some((path) => path.includes('lib/storage/aws-client/sign-request.ts'))).toBe(true);
    expect([name, sources.filter((path) => /@aws-sdk|@smithy/.test(path))]).toEqual([name, []]);
  }
  expect(sourcesOf(functions['scheduled-work']).some((path) => path.includes('@aws-sdk'))).toBe(true);
});
