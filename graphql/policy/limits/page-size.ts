/** A field's page size: a number or a variable of the document, or the field's default. */
import { type FieldNode, type GraphQLField, Kind, type ValueNode } from 'graphql';
import { DEFAULT_PAGE_SIZE } from '../../../lib/platform/admin-api/page-size.ts';

/** A number of the document, or the variable with the number. */
export type PageSize = {
  readonly argument: string;
  readonly value: number | { readonly variable: string } | undefined;
};

/** The sizes that the document gives for a list, and the size that applies without them. */
export type PageSizes = { readonly requested: readonly PageSize[]; readonly fallback: number };

export type Variables = Readonly<Record<string, unknown>>;

const SIZE_ARGUMENTS = ['first', 'last'];

function sizeValueOf(value: ValueNode | undefined): PageSize['value'] {
  if (value?.kind === Kind.VARIABLE) return { variable: value.name.value };
  return value?.kind === Kind.INT ? Number(value.value) : undefined;
}

/**
 * Reads the sizes of a field's page.
 * @returns undefined when the field takes none
 */
export function pageSizesOf(field: GraphQLField<unknown, unknown>, node: FieldNode): PageSizes | undefined {
  const sizeArguments = field.args.filter(({ name }) => SIZE_ARGUMENTS.includes(name));
  if (sizeArguments.length === 0) return undefined;
  const requestedSizes = sizeArguments.map(({ name: argument }) => {
    const argumentValue = node.arguments?.find(({ name }) => name.value === argument)?.value;
    return { argument, value: sizeValueOf(argumentValue) };
  });
  const defaultSize = sizeArguments
    .map(({ defaultValue }) => defaultValue)
    .find((value) => typeof value === 'number');
  return { requested: requestedSizes, fallback: defaultSize ?? DEFAULT_PAGE_SIZE };
}

/** Whether a size is a variable. */
export function hasVariableSize({ requested }: PageSizes): boolean {
  return requested.some(({ value }) => typeof value === 'object');
}

/**
 * Returns the number of a size.
 * @returns undefined when it is null, omitted, or an unknown variable
 */
export function resolvePageSize({ value }: PageSize, variables: Variables): number | undefined {
  const size = typeof value === 'object' ? variables[value.variable] : value;
  return typeof size === 'number' ? size : undefined;
}

/** Returns the numbers of the given sizes. */
export function resolveGivenSizes({ requested }: PageSizes, variables: Variables): number[] {
  return requested.map((size) => resolvePageSize(size, variables)).filter((size) => size !== undefined);
}

/** Returns the maximum number of items with these sizes. */
export function maxItemsOfPage(sizes: PageSizes, variables: Variables): number {
  const givenSizes = resolveGivenSizes(sizes, variables);
  return givenSizes.length > 0 ? Math.max(0, ...givenSizes) : sizes.fallback;
}
