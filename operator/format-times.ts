/** Formats the times inside a value: each field named `…Ms`, in epoch milliseconds, becomes a text. */

/** Returns the value with each field `…Ms` as a text of `show`, under its name without `Ms`. Includes absent times. */
export function formatTimesInside(value: unknown, show: (ms: number) => string | undefined): unknown {
  if (Array.isArray(value)) return value.map((each) => formatTimesInside(each, show));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, content]) =>
      name.endsWith('Ms') && ['number', 'undefined'].includes(typeof content)
        ? [name.slice(0, -2), content === undefined ? content : show(content as number)]
        : [name, formatTimesInside(content, show)],
    ),
  );
}

/** Formats the times as ISO 8601 in UTC, for `--json`. */
export function formatTimesAsIso(value: unknown): unknown {
  return formatTimesInside(value, (ms) => new Date(ms).toISOString());
}
