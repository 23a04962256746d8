/** What is deployed cannot be broken off: no crash point, no hook, and not even their names. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { buildFunctions } from '../../infra/tools/build/build-functions.ts';
import { CRASH_POINTS } from '../../lib/sign-in/crash-point.ts';

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
