/** The rights of a function that is run, without the one that is taken out. */
import type { Statement } from './template-parts.ts';

/** The statements of a function's role without a right, for example `customer-graphql PutItem COOLDOWN`. */
export function statementsWithout(
  right: string,
  functionName: string,
  statements: readonly Statement[],
): readonly Statement[] {
  const [name = '', actionName = '', resource = ''] = right.split(' ');
  if (name === '' || !functionName.endsWith(`-${name}`)) return statements;
  return statements.flatMap((statement) => {
    const { actions, resources, leadingKeys } = statement;
    const isOf =
      leadingKeys?.includes(`${resource}#*`) || resources.some((one) => one.includes(`/${resource}-?`));
    const action = actions.find((one) => one.endsWith(`:${actionName}`));
    if (!isOf || action === undefined) return statement;
    const others = { ...statement, actions: actions.filter((one) => one !== action) };
    const left = leadingKeys?.filter((key) => key !== `${resource}#*`);
    return left === undefined ? others : [others, { ...statement, actions: [action], leadingKeys: left }];
  });
}
