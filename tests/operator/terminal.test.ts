/**
 * The terminal in its own process: a prompt does not prevent the command line from ending. External texts cannot forge
 * its output.
 */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { printOutcome, runCommandLine } from '../../operator/command-line/program.ts';
import { OperatorError } from '../../operator/operator-error.ts';
import { createPlainTerminal } from '../../operator/plain-terminal.ts';
import { describeFailure } from '../../operator/run/describe-failure.ts';
import { formatFacts, formatTable, formatTimeLeft } from '../../operator/show-table.ts';
import type { Terminal } from '../../operator/terminal.ts';

const TERMINAL = pathToFileURL('operator/terminal.ts').href;

/** Runs `call` of a terminal on an input that stays open, as a person's does; what it gave. */
async function answering(call: string, line: string): Promise<unknown> {
  const code = `import { openTerminal } from ${JSON.stringify(TERMINAL)};
console.log(JSON.stringify(await openTerminal().${call}));`;
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { env });
  child.stdin.write(line);
  const ended = new Promise((resolve) => child.once('close', resolve));
  const out = await text(child.stdout);
  await ended;
  return JSON.parse(out);
}

test.each([
  ["ask('The address: ')", 'https://service.example/back?code=1\n', 'https://service.example/back?code=1'],
  ["confirm('Sure?')", 'y\n', true],
  ["confirm('Sure?')", 'no\n', false],
])('%s is answered by one line, and the process ends', async (call, line, given) => {
  expect(await answering(call, line)).toBe(given);
});

/** Matches characters that control a terminal, end a line or change its direction. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\u115f\u3164]|\u034f|\ufe0f/u;
const hostile = fc.array(
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 9 }),
    fc.constantFrom(
      '\n',
      '\r',
      '\t',
      '\u001b[2J',
      '\u009b1A',
      '\u007f',
      '\u202e',
      '\u2066',
      '\u200b',
      '\u2028',
    ),
    fc.constantFrom('\ufe0f', '\u3164', '\u034f', '\ud83d', '\u{e0041}', 'note'),
  ),
);
const outside = hostile.map((parts) => parts.join(''));

test('writes a line for each row and each fact, and no control character, whatever the text', () => {
  const rows = fc.array(fc.record({ id: outside, note: fc.option(outside, { nil: undefined }) }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(rows, fc.integer({ min: 10, max: 200 }), (table, columns) => {
      const tabled = formatTable(table, columns);
      const facts = formatFacts(table[0] ?? {});
      expect([tabled.length, facts.length]).toEqual([table.length + 1, 2]);
      const lines: string[] = [];
      const print = (line: string) => void lines.push(line);
      printOutcome(createPlainTerminal(screen(print)), { json: table, lines: [...tabled, ...facts] }, false);
      expect(lines).toHaveLength(table.length + 3);
      expect(lines.filter((line) => UNSEEN.test(line))).toEqual([]);
    }),
    { seed: 3, numRuns: 100 },
  );
});

test('writes no control character in any other line, prompt or JSON, which stays equal in meaning', async () => {
  await fc.assert(
    fc.asyncProperty(outside, async (text) => {
      const output: string[] = [];
      const write = (line: string) => void output.push(line);
      const terminal = createPlainTerminal(screen(write));
      printOutcome(terminal, { json: { text }, lines: [] }, true);
      expect(JSON.parse(output[0] ?? '')).toEqual({ text });
      printOutcome(terminal, { json: {}, lines: [text] }, false);
      await terminal.confirm(text);
      expect(output.slice(1).filter((line) => UNSEEN.test(line))).toEqual([]);
      terminal.err(text);
      await terminal.ask(text);
      expect(output.filter((line) => UNSEEN.test(line.replaceAll('\n', '')))).toEqual([]);
    }),
    { seed: 4, numRuns: 100 },
  );
});

test('writes no control character in an error', async () => {
  const output: string[] = [];
  const write = (line: string) => void output.push(line);
  await runCommandLine(['no\u001b[2J noun\u202e'], screen(write));
  expect(output.join()).toContain('no\\u001b[2J noun\\u202e');
  expect(describeFailure(new OperatorError('No store a\u001b\nb.')).message).toBe(
    'No store a\\u001b\\u000ab.',
  );
  expect(output.filter((line) => UNSEEN.test(line.replaceAll('\n', '')))).toEqual([]);
});

test('shows no more time than is left, and hours while it is less than two days', () => {
  const hours = [720, 48, 47.99, 24, 23.99, 1, 0.5, 0, -0.5, -1, -47.5, -49];
  expect(hours.map((one) => formatTimeLeft(one * 3_600_000))).toEqual([
    ...['30 days left', '2 days left', '47 hours left', '24 hours left', '23 hours left', '1 hour left'],
    ...['less than an hour left', 'overdue', 'overdue', 'overdue by 1 hour', 'overdue by 47 hours'],
    'overdue by 2 days',
  ]);
});

function screen(write: (line: string) => void): Terminal {
  return {
    ...{ out: write, err: write, columns: 80, isInteractive: true },
    async confirm(question) {
      write(question);
      return true;
    },
    async ask(question) {
      write(question);
      return '';
    },
    readInput: async () => '',
  };
}
