/**
 * Preloaded into the instances of a build with fault points: the process dies at a crash point for which a
 * crash is planned. A plan is a file; whoever renames it has it, so that each planned crash happens once.
 */
import { readdirSync, renameSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

const { CRASH_PLAN_DIR: dir } = process.env;
const ANY = 'any';
let isCached = false;

// An instance that follows a dead one starts faster for it. Who is killed would never write it.
enableCompileCache(join(dir, 'compile-cache'));

globalThis.onCrashPoint = (name) => {
  if (!isCached) flushCompileCache();
  isCached = true;
  for (const plan of readdirSync(join(dir, 'planned'))) {
    const [point, number] = plan.split('@');
    if ((point === name || point === ANY) && isOwnCrash(plan, `${name}@${number}`))
      process.kill(process.pid, 'SIGKILL');
  }
};

function isOwnCrash(plan, happened) {
  try {
    renameSync(join(dir, 'planned', plan), join(dir, 'happened', happened));
    return true;
  } catch {
    return false;
  }
}
