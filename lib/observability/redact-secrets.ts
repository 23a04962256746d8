/** Removes secrets from log lines. Recognizes them by the name of the field, and by the form of the text. */

const SECRET_FIELD_NAMES =
  'authorization|cookie|code|verifier|code_?verifier|nonce|state|id_?token|(?:access|refresh)_?token|client_?secret|secret|password|seed';
const SECRET_NAME_PATTERN = new RegExp(`^(?:${SECRET_FIELD_NAMES})$`, 'i');
const SECRET_TEXT_PATTERN =
  /\b(SVC_(AT|CT|RT)_[\w-]+|whsec_[\w+/=-]+|shp[a-z]{2}_\w+|eyJ[\w-]+\.[\w-]+\.[\w-]*|Bearer\s+\S+)/g;
/**
 * Finds in JSON everything that the two patterns above would match, and some more, so that most lines need only this
 * one search.
 */
const POSSIBLE_SECRET_PATTERN = new RegExp(`SVC_|whsec_|shp|eyJ|Bearer|"(?:${SECRET_FIELD_NAMES})":`, 'i');
const MAX_REDACTION_DEPTH = 6;

/** Returns the fields with each secret replaced by `[redacted]`. */
export function redactSecrets(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return redactObject(fields, 0);
}

/**
 * Returns the fields as JSON without secrets. If one search shows that there can be no secret, the fields are not
 * copied.
 */
export function toRedactedJson(fields: Readonly<Record<string, unknown>>): string {
  const text = toJson(fields);
  return text === undefined || POSSIBLE_SECRET_PATTERN.test(text)
    ? JSON.stringify(redactSecrets(fields))
    : text;
}

/**
 * Returns the value as JSON.
 * @returns undefined when JSON cannot represent it, for example a bigint
 */
function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

const REDACTED_TEXT = '[redacted]';

function redactObject(object: object, depth: number): Record<string, unknown> {
  const redactedObject: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object)) {
    redactedObject[name] = SECRET_NAME_PATTERN.test(name) ? REDACTED_TEXT : redactValue(value, depth);
  }
  return redactedObject;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.replace(SECRET_TEXT_PATTERN, REDACTED_TEXT);
  if (typeof value === 'bigint') return `${value}`;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_REDACTION_DEPTH) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  return redactObject(value, depth + 1);
}
