/** A folder is small enough to read, and says itself what is in it. */
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect, test } from '@jest/globals';
import { LARGEST_FOLDER, PACKAGE_ENTRIES } from './rooms.ts';
import { listFiles } from './source-tree.ts';

const files = listFiles(process.cwd());
const modules = files.filter((file) => /\.(ts|mts|mjs|js)$/.test(file));

const PASSED_ON = /export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s+from\s+'[^']+';/g;
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

test(`no folder has more than ${LARGEST_FOLDER} files`, () => {
  const byFolder = Map.groupBy(files, dirname);
  const crowded = [...byFolder].filter(([, inside]) => inside.length > LARGEST_FOLDER);
  expect(
    crowded.map(([folder, inside]) => `${folder} has ${inside.length} files: divide it by subject.`),
  ).toEqual([]);
});

test('no module is called index', () => {
  expect(modules.filter((file) => basename(file).startsWith('index.'))).toEqual([]);
});

test('no module only passes on what others export, but what a package exports', () => {
  const isBarrel = (file: string) => {
    const code = readFileSync(file, 'utf8').replace(COMMENT, '').trim();
    return code !== '' && code.replace(PASSED_ON, '').trim() === '';
  };
  expect(modules.filter(isBarrel)).toEqual(PACKAGE_ENTRIES);
});
