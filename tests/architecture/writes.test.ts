/**
 * A call in graphql/run, roots, mutations and answer changes nothing that it was given, and a plan's root has one type of kind: so a reader sees in the
 * value that a call returns all that it did.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type Place, readDowncasts, readWrites } from './read-writes.ts';
import { listFiles } from './source-tree.ts';

const ROOMS = /^graphql\/(run|roots|mutations|answer)\/.*\.ts$/;
const files = listFiles(process.cwd()).filter((file) => ROOMS.test(file));

function placesIn(read: (code: string) => Place[]): string[] {
  return files.flatMap((file) =>
    read(readFileSync(file, 'utf8')).map(({ line, text }) => `${file}:${line} ${text}`),
  );
}

test('no call writes to a member of a value that it was given', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(placesIn(readWrites)).toEqual([]);
});

test("the code does not narrow a root's kind or a mutation to another type", () => {
  expect(placesIn(readDowncasts)).toEqual([]);
});

test.each([
  ['a member of a parameter', 'function f(one) { one.outcome = 1; }'],
  ['an element of a parameter', 'const f = (ours, name) => { ours[name] ??= 1; };'],
  ['a member of a destructured part', 'const f = ({ run: { result } }) => { result.data = null; };'],
  ['a local name of a part', 'function f(walk) { const { path } = walk; path.length = 0; }'],
  ['a part behind a cast', 'function f(value) { const object = value as Json; object.id = 1; }'],
  ['an item of a given list', 'function f(roots) { for (const one of roots) one.outcome = 1; }'],
  [
    'an item of a filtered list',
    'function f(roots) { for (const one of roots.filter(isOpen)) one.outcome = 1; }',
  ],
  ['a parameter of the function outside', 'function f(run) { return () => { run.seen = 1; }; }'],
  ['an object that is assigned to', 'function f(builder) { Object.assign(builder.data, {}); }'],
  ['a counter', 'function f(findings) { findings.owned += 1; findings.owned++; }'],
  ['a deleted member', 'function f(data) { delete data.id; }'],
])('finds a write to %s', (_name, code) => {
  expect(readWrites(code)).not.toEqual([]);
});

test.each([
  ['an object of its own', 'function f(one) { const copy = { ...one }; copy.id = 1; return copy; }'],
  ['a list of its own', 'function f(list) { const items = []; items[0] = list[0]; return items; }'],
  ['what a call made', 'function f(one) { const made = make(one); made.id = 1; return made; }'],
  ['a variable of its own', 'function f(one) { let at = one.at; at = 2; return at; }'],
  [
    'a name that stands for its own value',
    'function f(one) { return () => { const one = {}; one.id = 1; }; }',
  ],
])('accepts a write to %s', (_name, code) => {
  expect(readWrites(code)).toEqual([]);
});

test.each([
  ['an annotation', 'const kind: RunnableKind = root.kind;'],
  ['an annotation of an optional part', 'const performed: Performed | undefined = own?.mutation;'],
  ['a cast', 'call(root.kind as RunnableKind);'],
])('finds a downcast by %s', (_name, code) => {
  expect(readDowncasts(code)).not.toEqual([]);
});

test.each([
  ['a destructured kind', 'const { kind } = root;'],
  ['a kind of its own type', 'const kind = root.kind;'],
])('accepts %s', (_name, code) => {
  expect(readDowncasts(code)).toEqual([]);
});
