/** Takes secrets out of what is about to be logged: by the field's name, and by the shape of the text. */

const SECRET_NAME =
  /^(authorization|cookie|code|verifier|code_?verifier|nonce|state|id_?token|(access|refresh)_?token|client_?secret|secret|password|seed)$/i;
const SECRET_TEXT = /\b(SVC_(AT|CT|RT)_[\w-]+|shp[a-z]{2}_\w+|eyJ[\w-]+\.[\w-]+\.[\w-]*|Bearer\s+\S+)/g;
const MAX_DEPTH = 6;

/** The same fields, every secret in them replaced by `[redacted]`. */
export function redact(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return redactObject(fields, 0);
}

/** The value of one field, likewise. */
export function redactField(name: string, value: unknown): unknown {
  return isSecretName(name) ? REDACTED : redactValue(value, 0);
}

const REDACTED = '[redacted]';

function redactObject(object: object, depth: number): Record<string, unknown> {
  const redacted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object)) {
    redacted[name] = isSecretName(name) ? REDACTED : redactValue(value, depth);
  }
  return redacted;
}

const harmless = new Set<string>();
const MAX_HARMLESS = 1_000;

/** The fields of our lines have the same few names again and again. */
function isSecretName(name: string): boolean {
  if (harmless.has(name)) return false;
  if (SECRET_NAME.test(name)) return true;
  if (harmless.size < MAX_HARMLESS) harmless.add(name);
  return false;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return mayHoldSecret(value) ? value.replace(SECRET_TEXT, REDACTED) : value;
  if (typeof value === 'bigint') return `${value}`;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  return redactObject(value, depth + 1);
}

/** Whether one of the words is there that every secret begins with. */
function mayHoldSecret(text: string): boolean {
  return text.includes('SVC_') || text.includes('shp') || text.includes('eyJ') || text.includes('Bearer');
}
