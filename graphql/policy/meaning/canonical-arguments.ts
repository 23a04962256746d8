/** A field's arguments as one text that is equal for equal arguments, whatever their order. */
import { type FieldNode, Kind, print, type ValueNode } from 'graphql';

const texts = new WeakMap<FieldNode, string>();

const byName = (one: { name: { value: string } }, other: { name: { value: string } }): number =>
  one.name.value < other.name.value ? -1 : 1;

function canonical(value: ValueNode): string {
  if (value.kind === Kind.LIST) return `[${value.values.map(canonical).join(',')}]`;
  if (value.kind !== Kind.OBJECT) return print(value);
  const fields = [...value.fields].sort(byName);
  return `{${fields.map((field) => `${field.name.value}:${canonical(field.value)}`).join(',')}}`;
}

/** The text; empty for a field without arguments. Made once a field. */
export function canonicalArguments(node: FieldNode): string {
  if (!node.arguments?.length) return '';
  const known = texts.get(node);
  if (known !== undefined) return known;
  const args = [...node.arguments].sort(byName);
  const text = args.map(({ name, value }) => `${name.value}:${canonical(value)}`).join(',');
  texts.set(node, text);
  return text;
}
