/** Checks that the benchmark runs, without bounds on its figures. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { clientSizes } from '../clients/typescript/client-sizes.ts';
import { measuredCommit } from './builds/measured-commit.ts';
import { formatValue } from './figures.ts';
import { performanceChart } from './performance-chart.ts';
import { performancePage } from './performance-page.ts';
import { CONTENDERS, type Contender, type Measured } from './run-contenders.ts';
import { SERVERS } from './run-deployed.ts';

test('every contender answers, and every figure is printed', () => {
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

test('the client’s sizes and times are printed', async () => {
  const bench = join(import.meta.dirname, 'bench.ts');
  const { stdout, stderr, status } = spawnSync(process.execPath, [bench, 'client'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout.match(/\d of \d+ bytes$/gm)).toHaveLength((await clientSizes()).length);
  expect(stdout.match(/\d (?:ms|µs)$/gm)).toHaveLength(3);
});

const each = <Name extends string, Value>(names: Readonly<Record<Name, unknown>>, value: Value) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, value])) as Record<Name, Value>;
const container = { init: 1000, first: 2000, to20: 300, to200: 200, to1000: 100 };
const measured: Measured = {
  rounds: each<Contender, number[]>(CONTENDERS, [100]),
  coldMs: each<Contender, number>(CONTENDERS, 3),
  deployed: {
    containers: each(SERVERS, [container]),
    warm: { ...each(SERVERS, [[100]]), 'customer-graphql': [[90, 91, 95], [70, 70], [80]] },
    loadedBytes: 390_000,
    changes: undefined,
  },
  tableReadUs: 1,
  platformRequests: 1,
  openingTrips: { first: 2, returning: 1 },
  documents: {
    ...{ firstUs: 1, compileUs: 1, grownMb: 1, heapMb: 1 },
    hostile: { surface: 'admin', kind: 'deep', ms: 1, largeAccepted: 0, acceptedMs: 1, accepted: [] },
  },
};
const figure = { name: 'a figure', unit: '', value: 0.604, must: 0.6, aim: 0.45 };
const pageOf = (value: number) =>
  performancePage({
    measured,
    figures: {
      deployed: [
        { ...figure, value },
        { name: 'another', unit: 'MB', value: 1 },
      ],
      alone: [],
    },
    commit: 'abcd1234',
  });

describe('the report', () => {
  test.each([
    [{ ...figure, value: 0.604 }, '0.604'],
    [{ ...figure, value: 0.5999 }, '0.5999'],
    [{ ...figure, value: 0.6 }, '0.6'],
    [{ ...figure, value: 0.4504 }, '0.4504'],
    [{ ...figure, value: 0.58 }, '0.58'],
    [{ ...figure, value: 400.3, unit: 'KB', must: 400 }, '400.3 KB'],
    [{ name: 'reported', unit: 'KB', value: 392.7 }, '393 KB'],
  ])('shows what tells %j from its bounds', (given, text) => {
    expect(formatValue(given)).toBe(text);
  });

  test('says what follows from a bound that is missed, and explains each verdict', () => {
    expect(pageOf(0.604)).toContain('| a figure | 0.604 | 0.6 | missed | 0.45 | not yet |');
    expect(pageOf(0.604)).toContain('Missed in this run: "a figure".');
    expect(pageOf(0.59)).toContain('This run keeps every bound.');
    for (const verdict of ['missed', 'reported']) expect(pageOf(0.59)).toContain(`*${verdict}*`);
  });

  test('takes the middle process after the warm-up, and says how many there are of whom', () => {
    expect(pageOf(0.59)).toMatch(/^\| this service \|.*\| 80 µs \|$/m);
    expect(pageOf(0.59)).toContain('The ratio of "this service" has a bound.');
    expect(pageOf(0.59)).toContain('have 3 processes each, and the middle one');
  });

  test('draws every contender that it has measured', () => {
    const chart = performanceChart(measured.deployed);
    for (const label of Object.values(SERVERS)) expect(chart.split(`>${label}<`)).toHaveLength(3);
  });

  test('names the commit, with a mark where more than documents differ from it', () => {
    const root = mkdtempSync(join(tmpdir(), 'measured-'));
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', root, '-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args]);
    git('init', '-q');
    mkdirSync(join(root, 'docs'));
    for (const name of ['code.ts', 'docs/page.md', 'docs/chart.svg']) writeFileSync(join(root, name), 'a');
    git('add', '-A');
    git('commit', '-qm', 'first');
    for (const name of ['docs/page.md', 'docs/chart.svg', 'NOTES.md']) writeFileSync(join(root, name), 'b');
    expect(measuredCommit(root)).toMatch(/^[0-9a-f]{8,}$/);
    writeFileSync(join(root, 'code.ts'), 'b');
    expect(measuredCommit(root)).toMatch(/^[0-9a-f]{8,}, with changes that are in no commit$/);
    rmSync(root, { recursive: true });
  });
});
