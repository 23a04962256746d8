/** The log group of what operators change, by environment: the stack makes it, and the command line writes to it. */
export function formatOperatorsLogGroup(environment: string): string {
  return `/subscriptions/${environment}/operators`;
}
