/** Removes builds that nobody needs any more; a stack that runs from one says so (use-build.ts). */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isBuildInUse } from './use-build.ts';

const RETAINED_BUILDS = 3;
/** A build younger than this may be about to be used: by CDK, or by a stack that is starting. */
const SPARED_MS = 10 * 60 * 1000;
const BUILD_NAME = /^([0-9a-f]{16}|\.unfinished-.+)$/;

/** Keeps the newest few, those in use, and those of the last ten minutes. */
export function pruneBuilds(buildsDir: string, nowMs = Date.now()): void {
  const builds = readdirSync(buildsDir)
    .filter((name) => BUILD_NAME.test(name))
    .flatMap((name) => {
      const stats = statSync(join(buildsDir, name), { throwIfNoEntry: false });
      return stats ? [{ name, atMs: stats.mtimeMs }] : [];
    })
    .sort((a, b) => b.atMs - a.atMs);
  for (const { name, atMs } of builds.slice(RETAINED_BUILDS)) {
    if (nowMs - atMs < SPARED_MS || isBuildInUse(buildsDir, name)) continue;
    rmSync(join(buildsDir, name), { recursive: true, force: true });
  }
}
