/**
 * The arguments of a field that is answered here, read for each request. They have been validated, and their types
 * are scalars, enums and lists of them, so that no graphql-js type is needed.
 */
import type { FieldNode, ValueNode } from 'graphql';
import type { ReadArguments } from '../../plan/answer-shape.ts';
import { schemaTable } from '../../schema/generated/schema-table.ts';

type Values = Readonly<Record<string, unknown>>;

/** The function that reads the arguments of this field. */
export function createFieldArgumentsReader(typeName: string, field: FieldNode): ReadArguments {
  const type = schemaTable[typeName];
  const isComposite = type?.kind === 'OBJECT' || type?.kind === 'INTERFACE';
  const declared = isComposite ? type.fields[field.name.value]?.[2] : undefined;
  const readers = Object.entries(declared || {}).map(([name, [, , fallback]]) => {
    const node = field.arguments?.find((one) => one.name.value === name)?.value;
    return [name, valueReader(node, fallback ? readDefault(fallback) : undefined)] as const;
  });
  return (variables) => Object.fromEntries(readers.map(([name, read]) => [name, read(variables)]));
}

function valueReader(node: ValueNode | undefined, fallback: unknown): (variables: Values) => unknown {
  if (node === undefined) return () => fallback;
  if (node.kind === 'Variable') {
    const name = node.name.value;
    return (variables) => (variables[name] === undefined ? fallback : variables[name]);
  }
  if (node.kind === 'ListValue') {
    const readers = node.values.map((one) => valueReader(one, undefined));
    return (variables) => readers.map((read) => read(variables));
  }
  const value = literalOf(node);
  return () => value;
}

function literalOf(node: ValueNode): unknown {
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
      throw new Error(`no argument of a field of ours takes a ${node.kind}`);
  }
}

/** A default value as the SDL has it: a number, a Boolean, or the name of an enum's value. */
function readDefault(text: string): unknown {
  if (/^-?\d+$/.test(text)) return Number(text);
  return text === 'true' || text === 'false' ? text === 'true' : text;
}
