/** Checks that the command line accepts every command of the pages, complete as written. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { commandDefinitions } from '../../operator/command-line/all-commands.ts';
import { findParseError } from '../../operator/command-line/program.ts';

const pages = ['README.md', 'SECURITY.md', ...globSync('docs/*.md')].map((path) => [
  path,
  readFileSync(path, 'utf8'),
]);

/**
 * Returns the commands of a page: `operator …` between backticks, and `npm run operator -- …` anywhere, with continued
 * lines joined.
 */
function commandsOf(page: string): string[] {
  const text = page.replaceAll('\\\n', ' ');
  const spans = [...text.matchAll(/`operator ([^`]+)`/g)];
  const lines = [...text.matchAll(/npm run(?: -s)? operator -- ([^\n`|>)]+)/g)];
  return [...spans, ...lines].map(([, command = '']) => command.replace(/\s+/g, ' ').trim());
}

/** Splits a command like a shell: quoted text is one argument. */
function partsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

const commands = pages.flatMap(([path = '', page = '']) =>
  commandsOf(page)
    // The form of all of them, and a shell's function.
    .filter((command) => !/^(<group|"\$@"|…)/.test(command))
    .map((command) => [path, command] as const),
);

test('the pages have commands, the runbook among them', () => {
  expect(commands.length).toBeGreaterThan(25);
  expect(commands.filter(([path]) => path === 'docs/runbook.md').length).toBeGreaterThan(6);
});

test.each(commands)('%s has the valid command: operator %s', async (_path, command) => {
  expect(await findParseError(partsOf(command))).toBeUndefined();
});

/** A command copied from an alarm must reach the alarm's environment, and not the local stack. */
describe.each(['docs/runbook.md', 'docs/operators.md', 'docs/deploying.md'])('%s', (name) => {
  const [, page = ''] = pages.find(([path]) => path === name) ?? [];

  test('every command names its environment', () => {
    const local = /^(completion |<group|"\$@"|… )/;
    const requested = commandsOf(page).filter((command) => !local.test(command));
    expect(requested.filter((command) => !/ --env ("\$ENV"|prod|dev)/.test(command))).toEqual([]);
  });

  test('has commands that a shell takes as they stand', () => {
    expect([...page.matchAll(/`operator [^`]+`/g)].map(([span]) => span)).toEqual([]);
    const blanks = commandsOf(page).filter((command) => /^(?!<group).*<\w+>/.test(command));
    expect(blanks).toEqual([]);
  });
});

describe('the examples of the verbs', () => {
  test.each(commandDefinitions.flatMap(({ examples }) => examples))('%s', async (example) => {
    const [command = ''] = example.split(' < ');
    expect(await findParseError(partsOf(command))).toBeUndefined();
  });
});

test('rejects commands that do not exist', async () => {
  for (const line of [
    'store mend x',
    'store check',
    'store check a b',
    'store check x --force',
    'session revoke',
  ])
    expect(await findParseError(line.split(' '))).toBeDefined();
});
