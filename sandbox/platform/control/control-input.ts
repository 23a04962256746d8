/** Parses the bodies of control requests: JSON objects with known fields. The message of an error names the mistake. */

/** The control responds to this error with 400 and its message. */
export class InvalidControlInput extends Error {
  override readonly name = 'InvalidControlInput';
}

/**
 * Returns the fields of a JSON object; none for an empty body.
 * @throws InvalidControlInput
 */
export function parseControlFields(body: string, knownNames: readonly string[]): Record<string, unknown> {
  const controlFields = body.trim() === '' ? {} : parseJsonBody(body);
  if (typeof controlFields !== 'object' || controlFields === null || Array.isArray(controlFields)) {
    throw new InvalidControlInput('Send a JSON object.');
  }
  const unknownField = Object.keys(controlFields).find((name) => !knownNames.includes(name));
  if (unknownField !== undefined) {
    throw new InvalidControlInput(
      `"${unknownField}" is not known here. Known: ${knownNames.join(', ') || 'no field'}.`,
    );
  }
  return controlFields as Record<string, unknown>;
}

/** Parses the instant of a field. Throws InvalidControlInput. Returns epoch milliseconds. */
export function parseInstant(name: string, value: unknown): number {
  const ms = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw new InvalidControlInput(`"${name}" is an instant such as 2027-01-31T08:00:00Z.`);
}

function parseJsonBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new InvalidControlInput('The body is not JSON.');
  }
}
