/**
 * Named points at which tests crash the process. FAULT_POINTS is a constant of the build: with false, the deployed
 * bundle contains neither calls nor names.
 */
export const CRASH_POINTS = [
  'start.after-put',
  'exchange.after-claim',
  'exchange.after-code-grant',
  'exchange.after-keep-grant',
  'exchange.before-commit',
  'exchange.after-commit',
  'exchange.after-session-put',
  'refresh.after-read',
  'refresh.after-late-repeat',
  'refresh.after-rotate',
  'refresh.before-answer',
  'liveness.after-lease',
  'liveness.after-grant',
  'liveness.after-settle',
  'revoke.after-tombstone',
] as const;

export type CrashPoint = (typeof CRASH_POINTS)[number];

declare global {
  var FAULT_POINTS: boolean | undefined;
  /** Called at each crash point in a build for tests. The test sets it. */
  var onCrashPoint: ((name: CrashPoint) => void) | undefined;
}

/** Calls `onCrashPoint` in a build for tests. Does nothing in a deployed bundle. */
export function passCrashPoint(name: CrashPoint): void {
  if (typeof FAULT_POINTS !== 'undefined' && FAULT_POINTS) globalThis.onCrashPoint?.(name);
}
