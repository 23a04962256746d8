/**
 * Named places where fault tests end the process. FAULT_POINTS is a constant that the build
 * defines: false leaves nothing of this in a deployed bundle, not even the names.
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
  /** The hook that whoever runs a build with fault points sets. */
  var onCrashPoint: ((name: CrashPoint) => void) | undefined;
}

/** Tells whoever runs the build that this place is reached. A build without fault points has nothing here. */
export function crashPoint(name: CrashPoint): void {
  if (typeof FAULT_POINTS !== 'undefined' && FAULT_POINTS) globalThis.onCrashPoint?.(name);
}
