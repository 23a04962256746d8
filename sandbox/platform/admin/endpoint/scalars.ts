/** Parses and formats the platform's scalars. */
import {
  GraphQLError,
  GraphQLScalarType,
  type GraphQLSchema,
  Kind,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';

const DECIMAL_PATTERN = /^-?\d+(\.\d+)?$/;
const DATE_TIME_PATTERN = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

const parsersByScalar: Record<string, (value: unknown) => unknown> = {
  /** Normalizes an ISO 8601 text to UTC in whole seconds. The arguments of resolvers stay strings. */
  DateTime(value) {
    if (typeof value !== 'string' || !DATE_TIME_PATTERN.test(value))
      throw new GraphQLError(`invalid DateTime: ${String(value)}`);
    const ms = Date.parse(value.length > 10 && !/(Z|[+-]\d{2}:?\d{2})$/.test(value) ? `${value}Z` : value);
    if (Number.isNaN(ms)) throw new GraphQLError(`invalid DateTime: ${value}`);
    return new Date(Math.floor(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z');
  },
  Decimal(value) {
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text !== 'string' || !DECIMAL_PATTERN.test(text))
      throw new GraphQLError(`invalid decimal: ${String(value)}`);
    return text;
  },
};

/** Sets the behaviour of the schema's own scalars. */
export function attachScalars(schema: GraphQLSchema): void {
  for (const [name, parse] of Object.entries(parsersByScalar)) {
    const scalar = schema.getType(name);
    if (!(scalar instanceof GraphQLScalarType)) throw new Error(`The schema has no scalar ${name}.`);
    scalar.parseValue = parse;
    scalar.parseLiteral = (node: ValueNode) =>
      parse(node.kind === Kind.FLOAT || node.kind === Kind.INT ? node.value : valueFromASTUntyped(node));
  }
  const unsignedType = schema.getType('UnsignedInt64');
  if (unsignedType instanceof GraphQLScalarType) unsignedType.serialize = (value) => String(value);
}
