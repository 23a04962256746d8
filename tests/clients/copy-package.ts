/** Copies a package into another folder, as another version of it. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Most files of the packages that are copied. */
const NOT_LOADED = /\/src$|\.map$/;

/** The version distinguishes the copies: a compiler takes two packages of one name and version for the same one. */
export function copyPackage(from: string, to: string, version: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => !NOT_LOADED.test(path) });
  const file = join(to, 'package.json');
  const described = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...described, version: `1.0.0-${version}` }));
}
