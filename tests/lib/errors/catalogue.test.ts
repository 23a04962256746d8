/** The catalogue has every code that the sources answer with, and no other. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { areas, errorAdvice } from '../../../infra/generate/error-advice.ts';
import { catalogue, type ErrorCode, hasRetryAfter } from '../../../lib/errors/catalogue.ts';

const sources = globSync(['lib/**/*.ts', 'functions/**/*.ts', 'graphql/**/*.ts'])
  .filter((path) => path !== 'lib/errors/catalogue.ts' && !path.includes('/generated/'))
  .map((path) => readFileSync(path, 'utf8'));
const codes = Object.keys(catalogue) as ErrorCode[];

/** Literals that an error is made with; not those that a code or an answer of the platform is compared to. */
const ANSWERED = /(?<!(?:case|[=!]==) )'([A-Z]+(?:_[A-Z]+)*)'/g;
const MADE = /new ServiceError\(\s*(?:[^,()]*\? )?'([A-Z_]+)'|extensions: \{ code: '([A-Z_]+)'/g;

function found(pattern: RegExp): Set<string> {
  const matches = sources.flatMap((text) => [...text.matchAll(pattern)]);
  return new Set(matches.flatMap(([, ...groups]) => groups.filter((group) => group !== undefined)));
}

test('every code is answered somewhere', () => {
  const answered = found(ANSWERED);
  expect(codes.filter((code) => !answered.has(code))).toEqual([]);
});

test('every error is made with a code of the catalogue', () => {
  const made = found(MADE);
  expect(made.size).toBeGreaterThan(20);
  expect([...made].filter((code) => !Object.hasOwn(catalogue, code))).toEqual([]);
});

test('what says when to try again, can be tried again', () => {
  expect(codes.filter(hasRetryAfter)).toEqual([
    'TEMPORARILY_UNAVAILABLE',
    'THROTTLED',
    'PLATFORM_UNAVAILABLE',
  ]);
});

test('docs/errors.md says of every code what the client does', () => {
  const page = readFileSync('docs/errors.md', 'utf8');
  for (const title of Object.values(areas)) expect(page).toContain(`## ${title}\n`);
  for (const code of codes) {
    const line = page.split('\n').find((each) => each.startsWith(`| \`${code}\` |`)) ?? '';
    expect(line.split(' | ')).toHaveLength(6);
    expect(line).toContain(errorAdvice[code].client);
    expect(line).toContain(catalogue[code].message);
  }
});
