/** Of the JSON that comes from outside, only objects are accepted. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** The object in a text; undefined if the text is no JSON, or holds another kind of value. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value is an object, and neither null nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
