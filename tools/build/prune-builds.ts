/** Removes builds that are no longer used; a running stack registers its build (use-build.ts). */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isBuildInUse } from './use-build.ts';

const RETAINED_BUILD_COUNT = 3;
/** A younger build may be needed soon, by CDK or by a starting stack. */
const MIN_BUILD_AGE_MS = 10 * 60 * 1000;
const BUILD_NAME_PATTERN = /^([0-9a-f]{16}|\.unfinished-.+)$/;

/** Deletes old builds, except for the newest ones, those in use, and those of the last ten minutes. */
export function pruneBuilds(buildsDir: string, nowMs = Date.now()): void {
  const storedBuilds = readdirSync(buildsDir)
    .filter((name) => BUILD_NAME_PATTERN.test(name))
    .flatMap((name) => {
      const stats = statSync(join(buildsDir, name), { throwIfNoEntry: false });
      return stats ? [{ name, atMs: stats.mtimeMs }] : [];
    })
    .sort((a, b) => b.atMs - a.atMs);
  for (const { name, atMs } of storedBuilds.slice(RETAINED_BUILD_COUNT)) {
    if (nowMs - atMs < MIN_BUILD_AGE_MS || isBuildInUse(buildsDir, name)) continue;
    rmSync(join(buildsDir, name), { recursive: true, force: true });
  }
}
