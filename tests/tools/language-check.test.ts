import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const CHECK = join(import.meta.dirname, '../../tools/language-check.mjs');
const LIMITS = [
  '--max-identifiers',
  '0',
  '--max-comments-percent',
  '0',
  '--max-fragments',
  '0',
  '--max-files',
  '0',
];

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'language-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function check(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CHECK, ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, lines: stdout.split('\n'), stderr };
}

describe('standard English', () => {
  test('passes, whatever texts and regular expressions contain', () => {
    write(
      'lib/record-charge.ts',
      "/** Records a charge. */\nexport const text = [`told`, 'wishes', /asked/];\n",
    );
    write('tests/record-charge.test.ts', "test('records a charge', () => {});\n");
    expect(check(...LIMITS)).toMatchObject({ status: 0, stderr: '' });
  });

  test('passes with attributes whose names the table keeps', () => {
    write('lib/key.ts', 'export const attributes = { askedBy: 1, toldAtMs: 2, voidAtMs: 3 };\n');
    expect(check(...LIMITS)).toMatchObject({ status: 0 });
  });
});

describe('other English', () => {
  test.each([
    ['an identifier', 'lib/a.ts', 'export const toldCharge = 1;\n', 'identifiers'],
    ['a comment', 'lib/a.ts', '// Whoever asks is told.\nexport const one = 1;\n', 'comments-percent'],
    ['a test name', 'tests/a.test.ts', "test('and nothing else', () => {});\n", 'fragments'],
    ['a file name', 'lib/kept-file.ts', 'export const one = 1;\n', 'files'],
    ['an identifier in a template', 'lib/a.ts', `export const one = ${'`$'}{told}${'`'};\n`, 'identifiers'],
  ])('fails in %s', (_where, path, text, limit) => {
    write(path, text);
    const { status, stderr } = check(...LIMITS);
    expect({ status, isNamed: stderr.includes(`Above --max-${limit} 0.`) }).toEqual({
      status: 1,
      isNamed: true,
    });
  });

  test('is listed with its place', () => {
    write('lib/a.ts', '\nexport const toldCharge = 1;\n');
    expect(check('--list', 'identifiers').lines).toContain('lib/a.ts:2  toldCharge');
  });

  test('passes up to the limit if the check lists the reason why the name stays', () => {
    write('lib/a.ts', 'export const item = { told: 1 };\n');
    expect(check('--max-identifiers', '1')).toMatchObject({ status: 0, stderr: '' });
  });

  test('fails below the limit without a reason', () => {
    write('lib/a.ts', 'export const toldCharge = 1;\n');
    const { status, stderr } = check('--max-identifiers', '1');
    expect(status).toBe(1);
    expect(stderr).toContain(
      'lib/a.ts:1  toldCharge: choose a standard name, or give the reason in RETAINED_IDENTIFIERS.',
    );
  });
});
