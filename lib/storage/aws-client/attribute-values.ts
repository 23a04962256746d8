/**
 * Converts values to and from DynamoDB's JSON format, in which each value is an object with its type (`{ S: 'text' }`,
 * `{ N: '1' }`).
 */

type AttributeValue =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly BOOL: boolean }
  | { readonly NULL: true }
  | { readonly L: readonly AttributeValue[] }
  | { readonly M: AttributeMap }
  | { readonly SS: readonly string[] }
  | { readonly NS: readonly string[] };
export type AttributeMap = Readonly<Record<string, AttributeValue>>;
type PlainValues = Readonly<Record<string, unknown>>;

/**
 * Converts an item, or the values of an expression. Leaves out undefined values.
 * @throws Error for a value that DynamoDB cannot store: an inexact number, an empty set, an instance of a class
 */
export function toAttributes(values: PlainValues): AttributeMap {
  const attributes: Record<string, AttributeValue> = {};
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) setAttribute(attributes, name, toAttribute(value));
  return attributes;
}

function toAttribute(value: unknown): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number' || typeof value === 'bigint') return { N: formatNumberAttribute(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.filter((element) => element !== undefined).map(toAttribute) };
  if (value instanceof Set) return toSetAttribute([...value]);
  if (isPlainObject(value)) return { M: toAttributes(value) };
  throw new Error(`DynamoDB cannot hold what is ${typeof value}, but plain objects and arrays`);
}

function toSetAttribute(values: readonly unknown[]): AttributeValue {
  if (values.length === 0) throw new Error('DynamoDB has no empty sets');
  if (values.every((element) => typeof element === 'string')) return { SS: values };
  if (values.every((element) => typeof element === 'number' || typeof element === 'bigint'))
    return { NS: values.map(formatNumberAttribute) };
  throw new Error('a set is of texts, or of numbers');
}

function formatNumberAttribute(value: number | bigint): string {
  if (typeof value === 'bigint') return `${value}`;
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new Error('a number is not exact: a bigint is');
  return `${value}`;
}

function isPlainObject(value: unknown): value is PlainValues {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Compare the constructor by name, because the object may come from another realm, whose `Object` is another object.
  return prototype === null || (prototype as PlainValues).constructor?.name === 'Object';
}

/**
 * Converts an item from DynamoDB's format. Whole numbers beyond 2^53 become bigint.
 * @throws Error when the value is not in that format
 */
export function fromAttributes(attributes: unknown): Record<string, unknown> {
  if (typeof attributes !== 'object' || attributes === null) throw unreadableItemError();
  const attributeValues: Record<string, unknown> = {};
  for (const name in attributes) {
    const plainValue = fromAttribute((attributes as PlainValues)[name]);
    if (name === '__proto__') setAttribute(attributeValues, name, plainValue);
    else attributeValues[name] = plainValue;
  }
  return attributeValues;
}

function fromAttribute(attribute: unknown): unknown {
  // Check texts and numbers first, because most values are of these types.
  const { S: stringValue, N: numberValue } = (attribute ?? EMPTY_VALUES) as PlainValues;
  if (typeof stringValue === 'string') return stringValue;
  if (typeof numberValue === 'string') return decodeNumberAttribute(numberValue);
  for (const type in attribute as object) {
    const typedValue = (attribute as PlainValues)[type];
    const read = ATTRIBUTE_READERS_BY_TYPE[type];
    if (typedValue !== undefined && read !== undefined) return read(typedValue);
  }
  throw unreadableItemError();
}

const EMPTY_VALUES: PlainValues = {};

const ATTRIBUTE_READERS_BY_TYPE: Readonly<Record<string, (value: unknown) => unknown>> = {
  __proto__: null as never,
  S: decodeStringAttribute,
  N: decodeNumberAttribute,
  BOOL: (value) => {
    if (typeof value !== 'boolean') throw unreadableItemError();
    return value;
  },
  NULL: () => null,
  L: (value) => decodeListAttribute(value).map(fromAttribute),
  M: fromAttributes,
  SS: (value) => new Set(decodeListAttribute(value).map(decodeStringAttribute)),
  NS: (value) => new Set(decodeListAttribute(value).map(decodeNumberAttribute)),
};

function decodeStringAttribute(value: unknown): string {
  if (typeof value !== 'string') throw unreadableItemError();
  return value;
}

function decodeNumberAttribute(value: unknown): number | bigint {
  const text = decodeStringAttribute(value);
  const parsedNumber = Number(text);
  if (text === '' || !Number.isFinite(parsedNumber)) throw unreadableItemError();
  if (Math.abs(parsedNumber) <= Number.MAX_SAFE_INTEGER) return parsedNumber;
  if (!/^-?\d+$/.test(text)) throw unreadableItemError();
  return BigInt(text);
}

function decodeListAttribute(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw unreadableItemError();
  return value;
}

/** The message does not contain the value, because errors are logged. */
function unreadableItemError(): Error {
  return new Error('DynamoDB answered with what is no item');
}

/** Sets an attribute. An attribute may be named `__proto__`, which a plain assignment would take for the prototype. */
function setAttribute(attributes: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') attributes[name] = value;
  else
    Object.defineProperty(attributes, name, { value, enumerable: true, writable: true, configurable: true });
}
