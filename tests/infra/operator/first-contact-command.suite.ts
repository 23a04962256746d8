/** The command line of a first contact: options, consent, the report's file, and its end. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { watchInterrupts } from '../../../infra/operator/first-contact/interruption.ts';
import { allSteps } from '../../../infra/operator/first-contact/steps/all-steps.ts';
import type { FirstContactWorld } from './first-contact-world.ts';
import type { OperatorWorld } from './operator-world.ts';

let world: FirstContactWorld;

export function theCommand(given: () => OperatorWorld, measured: () => FirstContactWorld): void {
  beforeAll(() => {
    world = measured();
  });

  const run = (...line: string[]) =>
    given().run(['first-contact', '--shop', 'harbor-coffee.myshopify.com', ...line]);
  const asked = (answers: boolean[], ...line: string[]) =>
    given().run(['first-contact', '--shop', 'harbor-coffee.myshopify.com', ...line], { answers });

  describe('the command', () => {
    test('asks for each step with what it does and changes, and skips what nobody agrees to', async () => {
      const contract = ['--contract', '9101002', '--only', 'nodes-cost,rhythm,two-attempts'];
      const before = await world.look();
      const { exitCode, out, err } = await asked([true, false, false], ...contract);
      expect(err).toContain('What it changes at the shop: nothing.');
      expect(err).toMatch(/How that is undone: It is changed back/);
      expect(err).toContain(
        'Contract 9101002 is charged about 57.10 USD on the test gateway, twice at most.',
      );
      expect(out).toContain('| `nodes-cost` | is so |');
      expect(out.match(/skipped/g)).toHaveLength(4);
      expect(exitCode).toBe(0);
      expect(await world.look()).toEqual(before);
    });

    test('plays what was agreed to beforehand, and nothing else, where nobody is there', async () => {
      const before = await world.look();
      const { out } = await run('--yes', 'reading', '--contract', '9101002', '--json');
      const { steps } = JSON.parse(out) as { steps: { name: string; verdict: string }[] };
      const played = steps.filter(({ verdict }) => verdict !== 'skipped').map(({ name }) => name);
      const reading = allSteps.filter(({ changes }) => changes === undefined).map(({ name }) => name);
      // Signing in takes a person, and is told as that.
      expect(played.sort()).toEqual([...reading, 'sub'].sort());
      expect(await world.look()).toEqual(before);
    });

    test('the page for operators has a line for each step, and says which change nothing', () => {
      const page = readFileSync('docs/operators.md', 'utf8');
      const rows = page.split('\n').filter((line) => /^\| `[a-z-]+` \|.*\|.*\|$/.test(line));
      for (const { name, changes } of allSteps) {
        const row = rows.find((line) => line.startsWith(`| \`${name}\` |`));
        expect([name, row?.endsWith('| nothing |')]).toEqual([name, changes === undefined]);
      }
    });

    test.each([
      ['nobody to ask', [], 'nobody can be asked here'],
      ['a consent to everything', ['--yes'], 'wants names of steps'],
      ['a step that is none', ['--yes', 'everything'], 'There are: api-version'],
      ['a step that is none', ['--only', 'reading', '--yes', 'reading'], 'There are: api-version'],
      ['a contract that is none', ['--yes', 'reading', '--contract', '9101002;1'], 'give the number'],
    ])('is not understood with %s', async (_what, line, words) => {
      expect(await run(...line)).toMatchObject({ exitCode: 2, err: expect.stringContaining(words) });
    });

    test('refuses a contract that is not there, and a report that would be overwritten', async () => {
      const absent = await run('--yes', 'reading', '--contract', '1');
      expect(absent).toMatchObject({
        exitCode: 1,
        err: expect.stringMatching(/no contract 1 .*of this app.*admin/s),
      });
      const kept = given().file('kept.md', 'an earlier report');
      const again = await run('--yes', 'reading', '--output', kept);
      expect(again).toMatchObject({ exitCode: 1, err: expect.stringContaining('no report is overwritten') });
      expect(readFileSync(kept, 'utf8')).toBe('an earlier report');
    });

    test.each(['--dry-run', '--yes'])('refuses a store that is not for development (%s)', async (option) => {
      await world.setting({ plan: { isDevelopment: false, name: 'Basic' } });
      const line = option === '--yes' ? ['--yes', 'nodes-cost'] : [option];
      const refused = await run(...line, '--only', 'nodes-cost');
      expect(refused).toMatchObject({
        exitCode: 1,
        err: expect.stringContaining('no development store (plan Basic)'),
      });
      const said = await run(...line, '--only', 'nodes-cost', '--live-store');
      expect(said).toMatchObject({ exitCode: 0, out: expect.stringContaining('**no development store**') });
    });

    test('a dry run asks nobody, writes no file, and says what would be changed', async () => {
      const before = await world.look();
      const file = join(given().folder, 'dry.md');
      const { exitCode, out } = await run('--dry-run', '--contract', '9101002', '--output', file);
      expect(exitCode).toBe(0);
      expect(out).toContain('| `two-attempts` | would change |');
      expect(existsSync(file)).toBe(false);
      expect(await world.look()).toEqual(before);
    });

    test('ended at a question, it begins nothing more, and says so', async () => {
      const line = ['first-contact', '--shop', 'harbor-coffee.myshopify.com', '--only', 'nodes-cost,origin'];
      const { exitCode, out, err } = await given().run(line, { answers: [true, true], endsAt: 2 });
      expect(exitCode).toBe(1);
      expect(out.match(/is so/g)).toHaveLength(2);
      expect(out).toContain('The run was ended before.');
      expect(err).toContain('Once more, and it stays as it is');
    });

    test('ended twice, and not by one Ctrl-C that comes twice, it gives up and tells what is left', () => {
      const said: string[] = [];
      const ends: (() => void)[] = [];
      const onInterrupt = (handler: () => void) => {
        ends.push(handler);
        return () => undefined;
      };
      const codes: number[] = [];
      const exit = (code: number) => void codes.push(code);
      const terminal = { err: (words: string) => void said.push(words), onInterrupt };
      let nowMs = 0;
      const { signal, told } = watchInterrupts(terminal, { exit, now: () => nowMs });
      told(['Contract 9101002 comes every 2 MONTH.']);
      ends[0]?.();
      // npm passes on what the terminal has sent to all.
      ends[0]?.();
      expect([signal.aborted, codes]).toEqual([true, []]);
      nowMs = 2_000;
      ends[0]?.();
      expect([said.at(-1), codes]).toEqual(['Left changed: Contract 9101002 comes every 2 MONTH.', [130]]);
    });

    test('keeps the report in a file, and what was changed in the trace', async () => {
      const file = join(given().folder, 'report.md');
      const before = given().trace().length;
      const steps = 'discovery,rhythm';
      await world.setting({ discovery: 'moved' });
      const line = ['--only', steps, '--yes', steps, '--contract', '9101002', '--output', file];
      const { exitCode, out } = await run(...line);
      expect(exitCode).toBe(1);
      expect(out).toContain(`The report is in ${file}.`);
      const report = readFileSync(file, 'utf8');
      expect(report).toMatch(/^# First contact with harbor-coffee/);
      expect(report).toContain('Differs from what the service takes for granted');
      expect(given().trace().slice(before)).toMatchObject([
        { event: 'begun', verb: 'first-contact', store: { shopId: 81234567001 } },
        { message: 'first_contact', shopId: 81234567001, step: 'rhythm' },
        { event: 'ended', outcome: 'failed', errorCode: 'INCOMPLETE' },
      ]);
    });
  });
}
