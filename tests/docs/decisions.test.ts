/**
 * docs/decisions/README.md lists every record with its title, and every reference to a record names an existing one.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const FOLDER = 'docs/decisions';
const ROW = /^\| \[(\d{4})\]\(([^)]+)\) \| (.+) \| (\d{4}-\d{2}-\d{2}) \| (.+) \|$/;
const SUBJECTS = [
  'GraphQL',
  'app samples',
  'changes',
  'code',
  'languages',
  'local stack',
  'operations',
  'performance',
  'platform',
  'privacy',
  'sign-in',
  'stores and keys',
  'tests',
  'timeline',
  'webhooks',
];
const read = (path: string) => readFileSync(path, 'utf8');

const files = globSync('*.md', { cwd: FOLDER })
  .filter((name) => name !== 'README.md')
  .sort();
const numbers = files.map((name) => name.slice(0, 4));
const rows = read(`${FOLDER}/README.md`)
  .split('\n')
  .filter((line) => /^\| (?!Record)/.test(line))
  .map((line) => ROW.exec(line) ?? [line]);

test('every record is listed once, in the order of its number', () => {
  expect(rows.map(([, , file]) => file)).toEqual(files);
  expect(rows.map(([, number]) => number)).toEqual(numbers);
  expect(new Set(numbers).size).toBe(files.length);
});

test('each title is the heading of its record', () => {
  const headings = files.map((file) => read(`${FOLDER}/${file}`).split('\n')[0]);
  expect(rows.map(([, number, , title]) => `# ${Number(number)}. ${title}`)).toEqual(headings);
});

test('the subjects are those that there are, each written in one way', () => {
  const subjects = new Set(rows.map(([, , , , , subject]) => subject));
  expect([...subjects].sort()).toEqual(SUBJECTS);
});

test('links of records lead to files that are there', () => {
  for (const file of ['README.md', ...files]) {
    const links = [...read(`${FOLDER}/${file}`).matchAll(/\]\(([^)#:]+)[^)]*\)/g)].map(([, link]) => link);
    expect([file, links.filter((link) => !existsSync(`${FOLDER}/${link}`))]).toEqual([file, []]);
  }
});

test('files that records name are there', () => {
  const path =
    /`((?:clients|docs|functions|graphql|infra|lib|operator|sandbox|tests|tools)\/[\w./-]+\.\w+)`/g;
  const named = files.flatMap((file) =>
    [...read(`${FOLDER}/${file}`).matchAll(path)].map(([, name = '']) => [file, name] as const),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(([, name]) => !existsSync(name))).toEqual([]);
});

test('whoever names a record names one that is there', () => {
  const pages = [...globSync('*.md'), ...globSync('docs/**/*.md')];
  const sources = globSync(
    '{functions,graphql,lib,infra,sandbox,operator,tools,clients,tests}/**/*.{ts,mjs}',
  );
  const named = [...pages, ...sources].flatMap((path) =>
    [...read(path).matchAll(/(?:docs\/decisions\/0*|\b(?:record|decision) )(\d+)([\w-]*\.md)?/g)].map(
      ([, number = '', rest = '']) => [path, number.padStart(4, '0') + rest] as const,
    ),
  );
  expect(named.length).toBeGreaterThan(10);
  const isThere = (name: string) => numbers.includes(name) || existsSync(`${FOLDER}/${name}`);
  expect(named.filter(([, name]) => !isThere(name))).toEqual([]);
});
