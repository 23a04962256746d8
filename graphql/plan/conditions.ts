/** `@include` and `@skip` of a selection become conditions; a selection that is always left out is told apart. */
import type { DirectiveNode } from 'graphql';

/** A variable that includes (`if: true`) or skips what stands below it. */
export type Condition = { readonly variable: string; readonly includes: boolean };

type Conditional = { readonly directives?: readonly DirectiveNode[] | undefined };

/** The variable conditions of a selection, or `never` if a literal leaves it out. */
export function conditionsOf({ directives = [] }: Conditional): readonly Condition[] | 'never' {
  const conditions: Condition[] = [];
  for (const { name, arguments: args } of directives) {
    const includes = name.value === 'include';
    if (!includes && name.value !== 'skip') continue;
    const value = args?.[0]?.value;
    if (value?.kind === 'Variable') conditions.push({ variable: value.name.value, includes });
    else if (value?.kind === 'BooleanValue' && value.value !== includes) return 'never';
  }
  return conditions;
}

/** Whether all of these hold for the variables of a request. */
export function conditionsHold(
  conditions: readonly Condition[],
  variables: Readonly<Record<string, unknown>>,
): boolean {
  return conditions.every(({ variable, includes }) => (variables[variable] === true) === includes);
}
