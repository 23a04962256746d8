/** A field's page size stands in the document as a number or a variable, or is the field's default. */
import { type FieldNode, type GraphQLField, Kind, type ValueNode } from 'graphql';
import { ASSUMED_PAGE } from './limits.ts';

/** A number that stands in the document, or the variable that brings it. */
export type Size = {
  readonly argument: string;
  readonly value: number | { readonly variable: string } | undefined;
};

export type Variables = Readonly<Record<string, unknown>>;

const PAGING = ['first', 'last'] as const;

function sizeIn(value: ValueNode | undefined, fallback: unknown): Size['value'] {
  if (value?.kind === Kind.VARIABLE) return { variable: value.name.value };
  if (value?.kind === Kind.INT) return Number(value.value);
  return value === undefined && typeof fallback === 'number' ? fallback : undefined;
}

/** The sizes that a field is given; undefined if the field takes none. */
export function pageSizes(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): readonly Size[] | undefined {
  const paging = field.args.filter(({ name }) => PAGING.some((each) => each === name));
  if (paging.length === 0) return undefined;
  return paging.map(({ name, defaultValue }) => {
    const written = node.arguments?.find((argument) => argument.name.value === name)?.value;
    return { argument: name, value: sizeIn(written, defaultValue) };
  });
}

/** Whether a list without either size would be refused: it takes both, and has none of its own. */
export function needsOneSize({ args }: GraphQLField<unknown, unknown>): boolean {
  const paging = args.filter(({ name }) => PAGING.some((each) => each === name));
  return paging.length === PAGING.length && paging.every(({ defaultValue }) => defaultValue === undefined);
}

/** Whether a variable brings the size. */
export function isVariable({ value }: Size): boolean {
  return typeof value === 'object';
}

/** The number of a size; undefined if it is null, left out, or an unknown variable. */
export function sizeWith({ value }: Size, variables: Variables): number | undefined {
  const size = typeof value === 'object' ? variables[value.variable] : value;
  return typeof size === 'number' ? size : undefined;
}

/** The most items that the sizes bring. */
export function itemsWith(sizes: readonly Size[], variables: Variables): number {
  const known = sizes.map((size) => sizeWith(size, variables)).filter((size) => size !== undefined);
  return known.length > 0 ? Math.max(0, ...known) : ASSUMED_PAGE;
}
