/**
 * Planned crashes, as files that the instances read (crash-preload.mjs), because a bundle has no other interface for
 * tests.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CRASH_POINTS } from '../../lib/sign-in/crash-point.ts';

/** `any`: the next crash point that is reached. */
export type CrashPointName = (typeof CRASH_POINTS)[number] | 'any';

export type CrashPlan = {
  /** The variables that an instance needs to find the plan. */
  readonly environment: Readonly<Record<string, string>>;
  add(crashPoint: CrashPointName, count: number): void;
  clear(): void;
  /** The number of planned crashes by crash point. */
  plannedCounts(): Readonly<Record<string, number>>;
  /** The number of crashes that have happened, by crash point. */
  happenedCounts(): Readonly<Record<string, number>>;
  close(): void;
};

export function isCrashPointName(text: unknown): text is CrashPointName {
  return text === 'any' || (CRASH_POINTS as readonly unknown[]).includes(text);
}

/** Creates a plan without crashes. */
export function createCrashPlan(): CrashPlan {
  const dir = mkdtempSync(join(tmpdir(), 'crashes-'));
  const [plannedFolder, happenedFolder] = [join(dir, 'planned'), join(dir, 'happened')];
  mkdirSync(plannedFolder);
  mkdirSync(happenedFolder);
  const preloadUrl = pathToFileURL(join(import.meta.dirname, 'crash-preload.mjs')).href;
  let fileNumber = 0;
  return {
    environment: { CRASH_PLAN_DIR: dir, NODE_OPTIONS: `--import=${preloadUrl}` },
    add(crashPoint, count) {
      for (let added = 0; added < count; added++)
        writeFileSync(join(plannedFolder, `${crashPoint}@${fileNumber++}`), '');
    },
    clear() {
      for (const name of readdirSync(plannedFolder)) rmSync(join(plannedFolder, name), { force: true });
    },
    plannedCounts: () => countCrashFiles(plannedFolder, []),
    happenedCounts: () => countCrashFiles(happenedFolder, CRASH_POINTS),
    close: () => rmSync(dir, { recursive: true, force: true }),
  };
}

function countCrashFiles(dir: string, crashPoints: readonly string[]): Record<string, number> {
  const crashCounts = Object.fromEntries(crashPoints.map((crashPoint) => [crashPoint, 0]));
  for (const name of readdirSync(dir)) {
    const [crashPoint = ''] = name.split('@');
    crashCounts[crashPoint] = (crashCounts[crashPoint] ?? 0) + 1;
  }
  return crashCounts;
}
