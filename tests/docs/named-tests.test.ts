/** Pages that answer for something with the name of a test: each named test exists. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

const NAMED = /`(tests\/[\w./-]+\.ts)`\s+"([^"]+)"/g;

/** Whether the file contains the name in quotes, as a test or as a row of a table of tests. */
function isNamed(file: string, name: string): boolean {
  if (!existsSync(file)) return false;
  const text = readFileSync(file, 'utf8');
  return [`'${name}'`, `"${name}"`, `\`${name}\``].some((literal) => text.includes(literal));
}

/** The pages, and the section that has the table; without one, all tables of the page. */
describe.each([
  ['SECURITY.md', undefined, 55],
  ['docs/sign-in.md', undefined, 25],
  ['docs/compatibility.md', '## Deviations from the specification', 20],
])('%s', (page, heading, minimum) => {
  const whole = readFileSync(page, 'utf8');
  const section = heading === undefined ? whole : (whole.split(`${heading}\n`)[1]?.split(/^## /m)[0] ?? '');
  const text = section.replace(/\n/g, ' ');
  const named = [...text.matchAll(NAMED)].map(([, file = '', name = '']) => [file, name] as const);

  test('names tests that there are', () => {
    expect(named.length).toBeGreaterThanOrEqual(minimum);
    expect(named.filter(([file, name]) => !isNamed(file, name))).toEqual([]);
  });

  test('names one in every row', () => {
    const rows = section
      .replace(/<!-- rights: .*<!-- end of rights -->/s, '')
      .split('\n')
      .filter((line) => /^\| (?!Attack|Failure|Specification)/.test(line));
    expect(rows.length).toBeGreaterThan(15);
    expect(rows.filter((row) => !/`tests\/[^`]+` "/.test(row))).toEqual([]);
  });
});
