/** Times as they are kept, `…AtMs` in epoch milliseconds, in the one form that their reader wants. */

/** The same value, every number named `…Ms` in it as a text of `show`, absent ones too, its name without the unit. */
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

/** ISO 8601 in UTC: what `--json` prints. */
export function formatIsoTimesInside(value: unknown): unknown {
  return formatTimesInside(value, (ms) => new Date(ms).toISOString());
}
