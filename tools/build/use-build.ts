/** Marks a build as in use by this process, so that no other one prunes it. A dead process's mark is void. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Marks the build of a folder as in use until the returned function is called, or the process ends. */
export function markBuildInUse(dir: string): () => void {
  const usagesDir = usageFolder(dirname(dir));
  mkdirSync(usagesDir, { recursive: true });
  const usage = join(usagesDir, `${basename(dir)}-${process.pid}`);
  writeFileSync(usage, '');
  return () => rmSync(usage, { force: true });
}

/** Whether a process that lives has marked the build `name`. Marks of dead ones are removed. */
export function isBuildInUse(buildsDir: string, name: string): boolean {
  let inUse = false;
  for (const usage of listActiveUsages(buildsDir, name)) {
    if (isProcessRunning(Number(usage.split('-').at(-1)))) inUse = true;
    else rmSync(join(usageFolder(buildsDir), usage), { force: true });
  }
  return inUse;
}

function usageFolder(buildsDir: string): string {
  return join(buildsDir, 'in-use');
}

function listActiveUsages(buildsDir: string, name: string): string[] {
  try {
    return readdirSync(usageFolder(buildsDir)).filter((usage) => usage.startsWith(`${name}-`));
  } catch {
    return [];
  }
}

function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
