/** docs/architecture.md is held against the code: its paths, and each kind of item. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { ITEM_FAMILIES, type ItemFamily, RIGHTS_BY_FUNCTION } from '../../infra/definition/rights.ts';
import { ERASURE_RULES_BY_KIND } from '../../lib/privacy/item-erasure.ts';

const PAGE = readFileSync('docs/architecture.md', 'utf8');
const ROWS = PAGE.split('\n')
  .filter((line) => /^\| [A-Z_]+ \|/.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

test('names only files and folders that exist', () => {
  const paths = [...PAGE.matchAll(/(?:functions|graphql|lib|infra|sandbox|operator|tools)\/[\w./-]*\w/g)].map(
    ([path]) => path,
  );
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

test('has a row for each kind of item, under its key', () => {
  expect(ROWS.map(([kind]) => kind)).toEqual(Object.keys(ITEM_FAMILIES));
  for (const [kind, key] of ROWS) expect(key).toMatch(new RegExp(`^\`${kind}#\\{[^\`]*\` / \``));
});

test('names the functions that may write each kind of item', () => {
  const writers = (family: ItemFamily) =>
    Object.entries(RIGHTS_BY_FUNCTION)
      .filter(([, { table }]) => table[family]?.some((action) => /^(?:Put|Update|Delete)/.test(action)))
      .map(([name]) => name);
  const named = ROWS.map(([kind, , , by = '']) => [
    kind,
    by.split(', ').filter((name) => name !== 'operator'),
  ]);
  expect(named).toEqual(
    (Object.keys(ITEM_FAMILIES) as ItemFamily[]).map((family) => [family, writers(family)]),
  );
});

test('says which kinds of item an erasure leaves as they are', () => {
  const staying = ROWS.filter((row) => row[5] === 'stays').map(([kind]) => kind);
  const rules = Object.entries(ERASURE_RULES_BY_KIND).filter(
    ([, rule]) => rule === ERASURE_RULES_BY_KIND.SHOP,
  );
  expect(staying.sort()).toEqual(rules.map(([kind]) => kind).sort());
});
