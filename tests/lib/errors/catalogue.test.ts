/** The catalogue has every code that the sources answer with, and no other. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  type CausedBy,
  type ErrorCode,
  errorCatalogue,
  hasRetryAfter,
} from '../../../lib/errors/catalogue.ts';
import { errorAdvice, PAGE_SECTIONS } from '../../../tools/generate/error-advice.ts';

const sources = globSync(['lib/**/*.ts', 'functions/**/*.ts', 'graphql/**/*.ts'])
  .filter((path) => path !== 'lib/errors/catalogue.ts' && !path.includes('/generated/'))
  .map((path) => readFileSync(path, 'utf8'));
const codes = Object.keys(errorCatalogue) as ErrorCode[];

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
  expect([...made].filter((code) => !Object.hasOwn(errorCatalogue, code))).toEqual([]);
});

test('allows a retry for every code that says when to retry', () => {
  expect(codes.filter(hasRetryAfter)).toEqual([
    'TEMPORARILY_UNAVAILABLE',
    'THROTTLED',
    'PLATFORM_UNAVAILABLE',
  ]);
});

describe('what counts against a deploy', () => {
  const codesBy = (cause: CausedBy) => codes.filter((code) => errorCatalogue[code].causedBy === cause);

  test('has a cause for every code: the service or others for a 5xx, the caller for all else', () => {
    expect(codes.filter((code) => errorCatalogue[code].status >= 500).sort()).toEqual(
      [...codesBy('others'), ...codesBy('us')].sort(),
    );
    expect(codesBy('us')).toEqual(['INTERNAL_ERROR']);
    // One store, its platform, or two requests at once: a merchant or a customer can bring each of them about.
    expect(codesBy('others').sort()).toEqual([
      'PLATFORM_UNAVAILABLE',
      'STOREFRONT_TOKEN_UNAVAILABLE',
      'STORE_ACCESS_MISSING',
      'STORE_DISCONNECTED',
      'TEMPORARILY_UNAVAILABLE',
    ]);
  });

  test('blames the service, except by the code itself, only for a table, a secret or a ring that does not respond', () => {
    const paths = globSync(['lib/**/*.ts', 'functions/**/*.ts', 'graphql/**/*.ts']);
    const servicePaths = paths.filter((path) => /causedBy\b.*'us'/.test(readFileSync(path, 'utf8')));
    expect(servicePaths.sort()).toEqual([
      'lib/credentials/token-keys.ts',
      'lib/storage/aws-client/aws-error-converters.ts',
    ]);
  });
});

test('docs/errors.md says of every code what the client does', () => {
  const page = readFileSync('docs/errors.md', 'utf8');
  for (const title of Object.values(PAGE_SECTIONS)) expect(page).toContain(`## ${title}\n`);
  for (const code of codes) {
    const line = page.split('\n').find((each) => each.startsWith(`| \`${code}\` |`)) ?? '';
    expect(line.split(' | ')).toHaveLength(7);
    expect(line).toContain(errorAdvice[code].client);
    expect(line).toContain(errorCatalogue[code].message);
  }
});

test('every code that docs/operations.md names has a line', () => {
  const text = readFileSync('docs/operations.md', 'utf8').replace(/```[\s\S]*?```/g, '');
  const named = new Set([...text.matchAll(/(?<![\w`])[A-Z]+(?:_[A-Z]+)+(?![\w`])/g)].map(([code]) => code));
  const page = readFileSync('docs/errors.md', 'utf8');
  expect(named.size).toBeGreaterThan(20);
  expect([...named].filter((code) => !page.includes(`| \`${code}\` |`))).toEqual([]);
});

test('the page lists the code of what is not emulated', () => {
  expect(readFileSync('docs/errors.md', 'utf8')).toContain('| `NOT_EMULATED` |');
});
