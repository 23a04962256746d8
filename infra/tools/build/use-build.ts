/** Marks a build as in use by this process, so that no other one prunes it. A dead process's mark is void. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Marks the build of a folder as in use until the returned function is called, or the process ends. */
export function useBuild(dir: string): () => void {
  const marks = marksDir(dirname(dir));
  mkdirSync(marks, { recursive: true });
  const mark = join(marks, `${basename(dir)}-${process.pid}`);
  writeFileSync(mark, '');
  return () => rmSync(mark, { force: true });
}

/** Whether a process that lives has marked the build `name`. Marks of dead ones are removed. */
export function isBuildInUse(buildsDir: string, name: string): boolean {
  let inUse = false;
  for (const mark of marksOf(buildsDir, name)) {
    if (isAlive(Number(mark.split('-').at(-1)))) inUse = true;
    else rmSync(join(marksDir(buildsDir), mark), { force: true });
  }
  return inUse;
}

function marksDir(buildsDir: string): string {
  return join(buildsDir, 'in-use');
}

function marksOf(buildsDir: string, name: string): string[] {
  try {
    return readdirSync(marksDir(buildsDir)).filter((mark) => mark.startsWith(`${name}-`));
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
