/** The benchmark runs; what it measures is not judged here. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

test('every contender answers, and every figure is printed', () => {
  const bench = join(import.meta.dirname, 'bench.ts');
  const { stdout, stderr, status } = spawnSync(process.execPath, [bench, '--quick'], { encoding: 'utf8' });
  expect(status === 0 ? '' : stderr).toBe('');
  for (const line of [
    'As deployed',
    'requests 2–200, ours / forwarder',
    'Apollo Server 5, our AWS client',
    'bare JSON forwarder',
    'yoga, same plan',
    'Apollo Server 5',
    'CPU of the table read',
  ]) {
    expect(stdout).toContain(line);
  }
  expect(stdout).not.toContain('NaN');
  expect(stdout).toMatch(/platform requests for a query +1 /);
});

test('the client’s sizes and times are printed', () => {
  const bench = join(import.meta.dirname, 'bench.ts');
  const { stdout, stderr, status } = spawnSync(process.execPath, [bench, 'client'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout.match(/\d (?:of \d+ bytes|ms|µs)$/gm)).toHaveLength(10);
});
