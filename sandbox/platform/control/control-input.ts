/** Reading what testers send: a JSON object with known fields, or a sentence that says what is wrong. */

/** Answered as 400 with its message. */
export class BadControlInput extends Error {
  override readonly name = 'BadControlInput';
}

/** The fields of a JSON object; an empty body is an object without any. Throws BadControlInput. */
export function fieldsOf(body: string, known: readonly string[]): Record<string, unknown> {
  const fields = body.trim() === '' ? {} : parseJson(body);
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw new BadControlInput('Send a JSON object.');
  }
  const unknown = Object.keys(fields).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new BadControlInput(`"${unknown}" is not known here. Known: ${known.join(', ') || 'no field'}.`);
  }
  return fields as Record<string, unknown>;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new BadControlInput('The body is not JSON.');
  }
}
