/** Formats the times inside a value: each field named `…Ms`, in epoch milliseconds, becomes a text. */

/**
 * Returns the value with each field `…Ms` formatted by `formatTimestamp`, under its name without `Ms`. A field `…Ms` without
 * a time is renamed, too.
 */
export function formatTimesInside(
  value: unknown,
  formatTimestamp: (ms: number) => string | undefined,
): unknown {
  if (Array.isArray(value)) return value.map((each) => formatTimesInside(each, formatTimestamp));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, content]) =>
      name.endsWith('Ms') && ['number', 'undefined'].includes(typeof content)
        ? [name.slice(0, -2), content === undefined ? content : formatTimestamp(content as number)]
        : [name, formatTimesInside(content, formatTimestamp)],
    ),
  );
}

/** Formats the times as ISO 8601 in UTC, for `--json`. */
export function formatTimesAsIso(value: unknown): unknown {
  return formatTimesInside(value, (ms) => new Date(ms).toISOString());
}
