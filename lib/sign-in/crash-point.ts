/**
 * Named points where fault tests end the process. FAULT_POINTS is a constant of the build: false removes all of this
 * from a deployed bundle, including the names.
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
  /** The hook that a build with fault points calls; the test run sets it. */
  var onCrashPoint: ((name: CrashPoint) => void) | undefined;
}

/** Calls the hook at this point. In a build without fault points this is empty. */
export function crashPoint(name: CrashPoint): void {
  if (typeof FAULT_POINTS !== 'undefined' && FAULT_POINTS) globalThis.onCrashPoint?.(name);
}
