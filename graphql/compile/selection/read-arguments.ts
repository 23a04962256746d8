/**
 * Reads the arguments of fields that the service resolves. The document is parsed once per plan, and the values are read
 * for each request. The arguments have been validated, and their types are scalars, enums, and lists of these, so that no
 * graphql-js type is needed.
 */
import type { FieldNode, ValueNode } from 'graphql';
import type { ReadArguments } from '../../plan/response-shape.ts';
import { schemaTable } from '../../schema/generated/schema-table.ts';

type ArgumentValues = Readonly<Record<string, unknown>>;

/**
 * Returns the function that reads the field's arguments, with the schema's defaults, from the client's coerced
 * variables.
 */
export function createFieldArgumentsReader(typeName: string, field: FieldNode): ReadArguments {
  const typeEntry = schemaTable[typeName];
  const isComposite = typeEntry?.kind === 'OBJECT' || typeEntry?.kind === 'INTERFACE';
  const fieldArguments = isComposite ? typeEntry.fields[field.name.value]?.[2] : undefined;
  const readerEntries = Object.entries(fieldArguments || {}).map(([name, [, , fallback]]) => {
    const node = field.arguments?.find((one) => one.name.value === name)?.value;
    return [name, createValueReader(node, fallback ? parseDefaultValue(fallback) : undefined)] as const;
  });
  return (variables) => Object.fromEntries(readerEntries.map(([name, read]) => [name, read(variables)]));
}

/** Whether the field of this type has arguments. */
export function takesArguments(typeName: string, fieldName: string): boolean {
  const type = schemaTable[typeName];
  const isComposite = type?.kind === 'OBJECT' || type?.kind === 'INTERFACE';
  return isComposite && Boolean(type.fields[fieldName]?.[2]);
}

function createValueReader(
  node: ValueNode | undefined,
  fallback: unknown,
): (variables: ArgumentValues) => unknown {
  if (node === undefined) return () => fallback;
  if (node.kind === 'Variable') {
    const name = node.name.value;
    return (variables) => (variables[name] === undefined ? fallback : variables[name]);
  }
  if (node.kind === 'ListValue') {
    const readers = node.values.map((one) => createValueReader(one, undefined));
    return (variables) => readers.map((read) => read(variables));
  }
  const literalValue = literalValueOf(node);
  return () => literalValue;
}

function literalValueOf(node: ValueNode): unknown {
  switch (node.kind) {
    case 'IntValue':
    case 'FloatValue':
      return Number(node.value);
    case 'StringValue':
    case 'BooleanValue':
    case 'EnumValue':
      return node.value;
    case 'NullValue':
      return null;
    default:
      throw new Error(`no argument of a service field has a ${node.kind}`);
  }
}

/** Parses a default value in SDL: an integer, a Boolean, or the name of an enum value. */
function parseDefaultValue(text: string): unknown {
  if (/^-?\d+$/.test(text)) return Number(text);
  return text === 'true' || text === 'false' ? text === 'true' : text;
}
