/** The drill is the runbook's restore, so it is what tests it too; and it tells when something does not hold. */
import { expect, test } from '@jest/globals';
import { runCommandLine } from '../../../infra/operator/command-line/program.ts';
import { runDrill } from '../../../infra/operator/drill/run-drill.ts';
import type { Terminal } from '../../../infra/operator/terminal.ts';

test('a restore by the runbook loses no sign-in, and brings back nothing that was ended', async () => {
  const out: string[] = [];
  const terminal = { out: (line: string) => void out.push(line), err: () => undefined, columns: 200 };
  expect(await runCommandLine(['drill', '--json'], terminal as unknown as Terminal)).toBe(0);
  const { ok, ms, steps } = JSON.parse(out.join('\n'));
  const checks = steps.flatMap((step: { checks: { what: string; holds: boolean }[] }) => step.checks);
  expect(checks.filter(({ holds }: { holds: boolean }) => !holds)).toEqual([]);
  expect([ok, steps.length, checks.length]).toEqual([true, 8, 19]);
  expect(ms).toBe(steps.reduce((sum: number, step: { ms: number }) => sum + step.ms, 0));
});

const watch = { now: () => 0, columns: 200, progress: () => undefined };

test('what does not hold is told, and is bad', async () => {
  const { lines, isBad, json } = await runDrill(watch, async (step) => {
    await step('first', async (check) => check('this', true));
    await step('second', async (check) => check('that', false));
  });
  expect(lines).toEqual(expect.arrayContaining(['  held: this', '  NOT HELD: that']));
  expect([isBad, json]).toEqual([true, expect.objectContaining({ ok: false })]);
});

test('a step that breaks off is told, and those after it are not played', async () => {
  const { lines, isBad } = await runDrill(watch, async (step) => {
    await step('first', async () => Promise.reject(new Error('no table')));
    await step('second', async (check) => check('this', true));
  });
  expect(lines.join('\n')).toMatch(/BROKE OFF: .*no table/);
  expect(lines.join('\n')).not.toContain('second');
  expect(isBad).toBe(true);
});
