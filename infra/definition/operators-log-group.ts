/** The log group of the operators' trace, by environment: the stack creates it, and the command line writes to it. */
export function formatOperatorsLogGroup(environment: string): string {
  return `/subscriptions/${environment}/operators`;
}
