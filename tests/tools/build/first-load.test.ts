/**
 * Limits the code that a container loads before its first response: it is read, parsed and compiled at each cold start.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { buildFunctions } from '../../../tools/build/build-functions.ts';

/** The scripts that importing this one loads. */
function loadedWith(script: string, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(script)) return loaded;
  loaded.add(script);
  const imports = readFileSync(script, 'utf8').matchAll(/\b(?:from|import)"(\.\/[^"]+\.mjs)"/g);
  for (const [, name = ''] of imports) loadedWith(join(dirname(script), name), loaded);
  return loaded;
}

/** The admin endpoint knows the whole schema. */
test.each([
  ['customer-graphql', 400_000],
  ['admin-graphql', 540_000],
] as const)('%s loads little before its first answer, in two files', async (name, maxBytes) => {
  const { functions } = await buildFunctions();
  const { path, bytes } = functions[name];
  const loaded = [...loadedWith(path)];
  const loadedBytes = loaded.reduce((sum, script) => sum + readFileSync(script).byteLength, 0);
  expect(loaded).toHaveLength(2);
  expect(loadedBytes).toBeLessThan(maxBytes);
  expect(loadedBytes).toBeLessThan(bytes - 100_000);
});
