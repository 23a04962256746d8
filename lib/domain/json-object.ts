/** A JSON object, the only JSON value that the service accepts at the top level of an input. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Parses a JSON text.
 * @returns undefined when it is not valid JSON, or not an object
 */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const parsedValue: unknown = JSON.parse(text);
    return isJsonObject(parsedValue) ? parsedValue : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the value is an object, and neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
