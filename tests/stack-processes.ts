/** The processes of a stack, and whether an ended one has left anything. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect } from '@jest/globals';
import type { TestStack } from './stack.ts';

/** The processes whose parent is the stack's. */
export function instancesOf({ pid }: TestStack): string[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', `${pid}`], { encoding: 'utf8' });
  return stdout.trim().split(/\s+/);
}

/** Checks that no endpoint responds, no process is left, and no state file of a running stack exists. */
export async function expectGone(stack: TestStack, instances: readonly string[]): Promise<void> {
  expect(existsSync(stack.stateFile)).toBe(false);
  for (const url of [stack.baseUrl, stack.platformUrl, stack.phoneUrl]) expect(await isOpen(url)).toBe(false);
  for (const pid of instances) expect(existsSync(`/proc/${pid}`)).toBe(false);
}

async function isOpen(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}
