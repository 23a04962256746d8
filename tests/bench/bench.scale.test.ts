/** Checks that the benchmark runs, without bounds on its figures. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { clientSizes } from '../clients/typescript/client-sizes.ts';
import { isFullSize } from '../full-size.ts';

// It bundles and starts ten processes, and nothing else in `npm test` uses it.
const run = isFullSize ? test : test.skip;

run('every contender answers, and every figure is printed', () => {
  const bench = join(import.meta.dirname, 'bench.ts');
  const { stdout, stderr, status } = spawnSync(process.execPath, [bench, '--quick'], { encoding: 'utf8' });
  expect(status === 0 ? '' : stderr).toBe('');
  for (const line of [
    'As deployed',
    'requests 2–200, this service / forwarder',
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
  expect(stdout).toMatch(/round trips, opening screen, first visit +2 /);
  expect(stdout).toMatch(/round trips, opening screen, returning +1 /);
});

run('the client’s sizes and times are printed', async () => {
  const bench = join(import.meta.dirname, 'bench.ts');
  const { stdout, stderr, status } = spawnSync(process.execPath, [bench, 'client'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout.match(/\d of \d+ bytes$/gm)).toHaveLength((await clientSizes()).length);
  expect(stdout.match(/\d (?:ms|µs)$/gm)).toHaveLength(3);
});
