/** `@include` and `@skip` of a selection, as conditions; what is always left out is told apart. */
import type { DirectiveNode } from 'graphql';
import type { Condition } from './answer-shape.ts';

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
