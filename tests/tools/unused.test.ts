/**
 * The findings of `npm run unused`: the commands and the configuration of the project, over a small tree with dead
 * code.
 */
import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

const ROOT = process.cwd();
const root = mkdtempSync(join(tmpdir(), 'unused-'));
afterAll(() => rmSync(root, { recursive: true }));

const FILES = {
  'functions/some-function/handler.ts': `import { live } from '../../lib/live.ts';\nexport const handler = live;\n`,
  'lib/live.ts': [
    'export const live = 1;',
    'export const usedHereAlone = live + 1;',
    'export type Shape = typeof usedHereAlone;',
    'export const forTestsAlone = 3;',
    '/** @internal A test reads it. */\nexport const marked = 4;',
    '/** @internal No test reads it any more. */\nexport const markedForNobody = 5;\n',
  ].join('\n'),
  'lib/forgotten.ts': 'export const forgotten = 1;\n',
  'tests/some.test.ts': `import { forTestsAlone, marked } from '../lib/live.ts';\nforTestsAlone + marked;\n`,
};

type Issue = { readonly file: string } & Readonly<Record<string, readonly { readonly name: string }[]>>;

/** The names that one of the two runs finds. */
function find(...args: string[]): Promise<string[]> {
  const knip = join(ROOT, 'node_modules/knip/bin/knip.js');
  return new Promise((resolve) => {
    execFile(process.execPath, [knip, '--reporter', 'json', ...args], { cwd: root }, (_error, stdout) => {
      const { issues } = JSON.parse(stdout) as { issues: Issue[] };
      const kinds = ['files', 'exports', 'types'];
      resolve(
        issues
          .flatMap((issue) => kinds.flatMap((kind) => (issue[kind] ?? []).map(({ name }) => name)))
          .sort(),
      );
    });
  });
}

test('dead files, exports and types are found, and what only tests use unless it says why', async () => {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  writeFileSync(join(root, 'package.json'), '{ "name": "small", "type": "module" }');
  cpSync(join(ROOT, 'knip.jsonc'), join(root, 'knip.jsonc'));
  const dead = ['Shape', 'lib/forgotten.ts', 'usedHereAlone'];
  expect(await find()).toEqual([...dead, 'markedForNobody'].sort());
  expect(await find('--production')).toEqual([...dead, 'forTestsAlone'].sort());
});

test('what is for tests alone says why', () => {
  const sources = globSync(
    '{functions,graphql,lib,infra,sandbox,operator,tools,clients}/**/*.{ts,mts,mjs,js}',
    { cwd: ROOT },
  );
  const isSilent = (file: string) => /@internal\s*(?:\*|$)/m.test(readFileSync(join(ROOT, file), 'utf8'));
  expect(sources.filter(isSilent)).toEqual([]);
});

test('the check of the repository runs both', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts.check).toContain('npm run unused');
  expect(scripts.unused).toMatch(/^knip\b.* && knip --production$/);
});
