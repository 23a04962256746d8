/** Versions are three numbers (semver.org): a release has no pre-release tag. */
const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;
export type Numbers = readonly [major: number, minor: number, patch: number];

/** The numbers of a version; undefined if it is none. */
export function parseVersion(text: string): Numbers | undefined {
  const [, ...parts] = VERSION.exec(text) ?? [];
  return parts.length === 3 ? (parts.map(Number) as unknown as Numbers) : undefined;
}

/** Whether `next` comes after `last`. */
export function isAfter([...next]: Numbers, last: Numbers): boolean {
  const first = next.findIndex((number, index) => number !== last[index]);
  return first !== -1 && (next[first] ?? 0) > (last[first] ?? 0);
}

/** Whether clients of `last` may be broken by `next`: by a new major version, before 1.0.0 by a new minor one. */
export function mayBreak(next: Numbers, last: Numbers): boolean {
  return next[0] > last[0] || (next[0] === 0 && next[1] > last[1]);
}
