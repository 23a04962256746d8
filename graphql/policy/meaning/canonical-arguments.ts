/** Writes a field's arguments as one text, which is the same for equal arguments in any order. */
import { type FieldNode, Kind, print, type ValueNode } from 'graphql';

const textsByField = new WeakMap<FieldNode, string>();

const compareNames = (one: { name: { value: string } }, other: { name: { value: string } }): number =>
  one.name.value < other.name.value ? -1 : 1;

function toCanonicalValue(value: ValueNode): string {
  if (value.kind === Kind.LIST) return `[${value.values.map(toCanonicalValue).join(',')}]`;
  if (value.kind !== Kind.OBJECT) return print(value);
  const sortedFields = [...value.fields].sort(compareNames);
  return `{${sortedFields.map((field) => `${field.name.value}:${toCanonicalValue(field.value)}`).join(',')}}`;
}

/** Returns the text of a field's arguments, which is built once per field; empty when there are none. */
export function writeCanonicalArguments(node: FieldNode): string {
  if (!node.arguments?.length) return '';
  const cachedText = textsByField.get(node);
  if (cachedText !== undefined) return cachedText;
  const args = [...node.arguments].sort(compareNames);
  const text = args.map(({ name, value }) => `${name.value}:${toCanonicalValue(value)}`).join(',');
  textsByField.set(node, text);
  return text;
}
