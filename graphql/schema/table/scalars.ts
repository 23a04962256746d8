/**
 * The schema's scalars coerce clients' values strictly. Values of the platform are returned unchanged, so that no
 * response fails at a scalar.
 */
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { hasDayForm, isIsoDay } from '../../../lib/domain/time-zone.ts';

type ScalarCheck = (value: unknown) => boolean;

/** RFC 3339, section 5.6, but seconds and the offset may be missing, as ISO 8601 allows. */
const DATE_TIME_PATTERN =
  /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?$/;
const DAY_LENGTH = '2026-07-01'.length;
const DATE_TIME_PARTS_PATTERN = /^(?<minute>.{16})(?<seconds>[^Z+-]*)(?<offset>.*)$/;
const DECIMAL_PATTERN = /^-?\d{1,38}(\.\d{1,38})?$/;
const UNSIGNED_PATTERN = /^(0|[1-9]\d{0,19})$/;
const MAX_UNSIGNED_INT_64 = 18_446_744_073_709_551_615n;

/**
 * A day alone is valid only in some arguments: graphql/policy/meaning/bare-days.ts refuses it in all others. A day that the
 * calendar lacks gets a user error (graphql/run/check-mutation-roots.ts), because people type days.
 */
function isDateTime(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  return hasDayForm(value) || (isIsoDay(value.slice(0, DAY_LENGTH)) && DATE_TIME_PATTERN.test(value));
}

function isUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return false;
  return !!URL.parse(value)?.host;
}

const isText: ScalarCheck = (value) => typeof value === 'string';
const isDate: ScalarCheck = (value) => typeof value === 'string' && hasDayForm(value);
const isDecimal: ScalarCheck = (value) => typeof value === 'string' && DECIMAL_PATTERN.test(value);
const isUnsigned: ScalarCheck = (value) =>
  typeof value === 'string' && UNSIGNED_PATTERN.test(value) && BigInt(value) <= MAX_UNSIGNED_INT_64;

/** Returns the text of a number or string literal. Numbers keep their digits. */
function literalTextOf(node: ValueNode): unknown {
  return node.kind === Kind.STRING || node.kind === Kind.INT || node.kind === Kind.FLOAT
    ? node.value
    : undefined;
}

/** Describes a rejected value for a message: quotes the beginning of a text, and names the kind of any other value. */
function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60));
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return value === null ? 'null' : 'an object';
  return `a ${typeof value}`;
}

function createStrictScalar(
  name: string,
  expected: string,
  check: ScalarCheck,
  acceptsNumbers = false,
): GraphQLScalarType {
  // A literal has its place in the document; for a variable, the caller of the coercion knows it.
  const createInvalidError = (text: string, node?: ValueNode) =>
    new GraphQLError(`${name} must be ${expected}, not ${text}.`, node && { nodes: node });
  const parseChecked = (value: unknown, node?: ValueNode) => {
    const text = acceptsNumbers && typeof value === 'number' ? String(value) : value;
    if (check(text)) return text;
    throw createInvalidError(describeValue(value), node);
  };
  return new GraphQLScalarType({
    name,
    serialize: (value) => value,
    parseValue: (value) => parseChecked(value),
    parseLiteral: (node) => {
      if (!acceptsNumbers && node.kind !== Kind.STRING)
        throw createInvalidError('a literal of another kind', node);
      return parseChecked(literalTextOf(node), node);
    },
  });
}

const EXPECTED_DATE_TIME_TEXT =
  'an ISO 8601 date with a time, such as "2026-07-01T09:00:00Z" or, in UTC, "2026-07-01T09:00:00"';

/** Returns the message for a day where a DateTime needs a time. */
export function formatDayWithoutTimeMessage(day: string): string {
  return `DateTime must be ${EXPECTED_DATE_TIME_TEXT}, not ${JSON.stringify(day)}.`;
}

/**
 * A date and time without an offset is in UTC; without seconds it is the start of the minute. The platform gets both
 * parts, because it does not document the meaning of a missing offset.
 */
function createDateTimeScalar(): GraphQLScalarType {
  const dateTimeScalar = createStrictScalar('DateTime', EXPECTED_DATE_TIME_TEXT, isDateTime);
  const completeDateTime = (text: unknown) => {
    if (isDate(text)) return text;
    const { minute, seconds, offset } = DATE_TIME_PARTS_PATTERN.exec(String(text))?.groups ?? {};
    return `${minute}${seconds || ':00'}${offset || 'Z'}`;
  };
  return new GraphQLScalarType({
    ...dateTimeScalar.toConfig(),
    parseValue: (value) => completeDateTime(dateTimeScalar.parseValue(value)),
    parseLiteral: (node) => completeDateTime(dateTimeScalar.parseLiteral(node)),
  });
}

const JSON_SCALAR = new GraphQLScalarType({
  name: 'JSON',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
});

/** The scalars that GraphQL itself does not define, by name. */
export const CUSTOM_SCALARS: Readonly<Record<string, GraphQLScalarType>> = Object.fromEntries(
  [
    createDateTimeScalar(),
    createStrictScalar('Date', 'a day of the calendar, such as "2026-07-01"', isDate),
    createStrictScalar('Decimal', 'a decimal number, such as "9.50"', isDecimal, true),
    createStrictScalar('Money', 'a decimal number, such as "9.50"', isDecimal, true),
    createStrictScalar(
      'UnsignedInt64',
      'a whole number from 0 to 18446744073709551615 as a string of digits',
      isUnsigned,
      true,
    ),
    createStrictScalar('URL', 'an address with scheme and host, such as "https://example.com/"', isUrl),
    createStrictScalar('HTML', 'a string', isText),
    createStrictScalar('FormattedString', 'a string', isText),
    createStrictScalar('StorefrontID', 'a string', isText),
    JSON_SCALAR,
  ].map((scalar) => [scalar.name, scalar]),
);
