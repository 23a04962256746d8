/** Every form in which a source file can name another. */
import { expect, test } from '@jest/globals';
import { findCircles, shortestWayRound } from './find-circles.ts';
import { readImports } from './read-imports.ts';

test.each([
  ["import { a } from './a.ts';", './a.ts'],
  ["import {\n  a,\n  type B,\n} from './a.ts';", './a.ts'],
  ["import type { A } from './a.ts';", './a.ts'],
  ["import { type A } from './a.ts';", './a.ts'],
  ["import a, * as b from './a.ts'", './a.ts'],
  ["import './a.ts';", './a.ts'],
  ["import a from './a.json' with { type: 'json' };", './a.json'],
  ["export { a } from './a.ts';", './a.ts'],
  ["export {\n  type A,\n  b as c,\n} from './a.ts';", './a.ts'],
  ["export type { A } from './a.ts';", './a.ts'],
  ["export * from './a.ts';", './a.ts'],
  ["export * as a from './a.ts';", './a.ts'],
  ["const { a } = await import('./a.ts');", './a.ts'],
  ["const load = () => import(\n  // on first use\n  './a.ts',\n);", './a.ts'],
  ['const a = import(`./a.ts`);', './a.ts'],
  ["type A = import('./a.ts').A;", './a.ts'],
  ["let a: typeof import('./a.ts');", './a.ts'],
  ["function f(a: Map<string, import('./a.ts').A[]>): void {}", './a.ts'],
  ["const text = readFileSync(new URL('./a.ts', import.meta.url));", './a.ts'],
  ["const worker = new Worker(new URL('./a.ts', import.meta.url));", './a.ts'],
  ["const path = import.meta.resolve('./a.ts');", './a.ts'],
  ["/** From. */\nimport './a.ts';\nconst a = 1;\nexport { a };", './a.ts'],
  ["// a\nconst a = 1;\nexport * from './a.ts';", './a.ts'],
  ["import './a.ts';\nconst a = await import('./a.ts');", './a.ts'],
])('%j', (text, specifier) => {
  expect(readImports('x.ts', text)).toEqual([specifier]);
});

test.each([
  "// import { a } from './a.ts';",
  "/* import('./a.ts') */",
  "const text = `import { a } from './a.ts';`;",
  'const text = "import(\'./a.ts\')";',
  "const pattern = /from '.\\/a.ts'/;",
  'const a = await import(path);',
  'export { a };',
  "const url = new URL('./a.ts', base);",
])('names no file: %j', (text) => {
  expect(readImports('x.ts', text)).toEqual([]);
});

test('JavaScript is read as such, and each specifier once', () => {
  const text = "import a from './a.js';\nexport { b } from './a.js';\nconst less = a < b > (1);";
  expect(readImports('x.mjs', text)).toEqual(['./a.js']);
});

test('JavaScript names types in its comments', () => {
  const text =
    "/** @param {Map<string, import('./a.js').A>} a See import('./b.js'). */\nexport const f = (a) => a;";
  expect(readImports('x.js', text)).toEqual(['./a.js']);
  expect(readImports('x.ts', text)).toEqual([]);
});

test('finds circles and a shortest way round', () => {
  const edges = [
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'd'],
    ['d', 'b'],
    ['c', 'b'],
    ['d', 'e'],
  ] as const;
  expect(findCircles(edges)).toEqual([['b', 'c', 'd']]);
  expect(shortestWayRound(edges, 'b')).toEqual(['b', 'c', 'b']);
});
