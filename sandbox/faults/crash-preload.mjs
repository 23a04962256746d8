/**
 * Preloaded into the instances of a build with fault points: the process exits at a crash point with a planned crash. A
 * plan is a file. Renaming it claims the crash, so that each planned crash happens once.
 */
import { readdirSync, renameSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

const { CRASH_PLAN_DIR: dir } = process.env;
const ANY_CRASH_POINT = 'any';
let isCached = false;

// The compile cache makes the next instance start faster. It is written here, because a killed process cannot write it.
enableCompileCache(join(dir, 'compile-cache'));

globalThis.onCrashPoint = (name) => {
  if (!isCached) flushCompileCache();
  isCached = true;
  for (const plan of readdirSync(join(dir, 'planned'))) {
    const [point, number] = plan.split('@');
    if ((point === name || point === ANY_CRASH_POINT) && claimCrash(plan, `${name}@${number}`))
      process.kill(process.pid, 'SIGKILL');
  }
};

function claimCrash(plan, happened) {
  try {
    renameSync(join(dir, 'planned', plan), join(dir, 'happened', happened));
    return true;
  } catch {
    return false;
  }
}
