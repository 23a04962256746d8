/**
 * Marks a build as in use by this process, so that no other process prunes it. The mark of a process that has exited
 * does not count.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Marks the build of a folder as in use until the returned function is called, or the process ends. */
export function markBuildInUse(dir: string): () => void {
  const usagesDir = usageFolderOf(dirname(dir));
  mkdirSync(usagesDir, { recursive: true });
  const usageFile = join(usagesDir, `${basename(dir)}-${process.pid}`);
  writeFileSync(usageFile, '');
  return () => rmSync(usageFile, { force: true });
}

/** Whether a running process has marked the build `name`. Removes the marks of processes that have exited. */
export function isBuildInUse(buildsDir: string, name: string): boolean {
  let isAnyUsageActive = false;
  for (const usageFile of listUsageFiles(buildsDir, name)) {
    if (isProcessRunning(Number(usageFile.split('-').at(-1)))) isAnyUsageActive = true;
    else rmSync(join(usageFolderOf(buildsDir), usageFile), { force: true });
  }
  return isAnyUsageActive;
}

function usageFolderOf(buildsDir: string): string {
  return join(buildsDir, 'in-use');
}

function listUsageFiles(buildsDir: string, name: string): string[] {
  try {
    return readdirSync(usageFolderOf(buildsDir)).filter((usage) => usage.startsWith(`${name}-`));
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
