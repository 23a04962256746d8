/** Small replacements of the bundles, for templates that are not deployed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FunctionAssets } from '../../../../infra/cdk/stack.ts';
import { BUNDLE_NAMES } from '../../../../infra/definition/function-definitions.ts';

/** A folder for each function, below `dir`. */
export function fixtureAssets(dir: string): FunctionAssets {
  const entries = BUNDLE_NAMES.map((name) => {
    const assetDir = join(dir, name);
    mkdirSync(assetDir, { recursive: true });
    writeFileSync(join(assetDir, 'index.mjs'), `export const handler = () => '${name}';\n`);
    return [name, assetDir];
  });
  return Object.fromEntries(entries);
}
