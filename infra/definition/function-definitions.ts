/**
 * What each function is made of: size and time. The function construct turns it into resources; who may do what stands
 * in rights.ts.
 */

import { SMOKE_TEST } from './smoke-test-definition.ts';

export const functionNames = [
  'headless-auth',
  'customer-graphql',
  'admin-graphql',
  'scheduled-work',
] as const;
export type FunctionName = (typeof functionNames)[number];
/** All that is bundled: the service's functions, and the one that tries their new versions. */
export const bundleNames = [...functionNames, SMOKE_TEST] as const;
export type BundleName = (typeof bundleNames)[number];
/** The functions that a route may lead to: nothing reaches the scheduled work from outside. */
export type RoutedFunctionName = Exclude<FunctionName, 'scheduled-work'>;
/** The same as a list; in production their new versions are tried before requests reach them. */
export const routedFunctions: readonly RoutedFunctionName[] = functionNames.filter(
  (name) => name !== 'scheduled-work',
);

export type FunctionDefinition = {
  readonly description: string;
  readonly memoryMb: number;
  /** The time-out lies above the deadline that the function sets itself, and below API Gateway's 30 s. */
  readonly timeoutSeconds: number;
  /** The function makes links to itself, and shows GraphiQL where that is on. */
  readonly hasPages: boolean;
};

export const functionDefinitions: Readonly<Record<FunctionName, FunctionDefinition>> = {
  'headless-auth': {
    description: "Customers' sign-in: start, exchange, refresh, revoke, storefront token",
    memoryMb: 512,
    timeoutSeconds: 20,
    hasPages: false,
  },
  'customer-graphql': {
    description: "GraphQL for customers: each sees and changes that customer's own subscriptions",
    memoryMb: 512,
    timeoutSeconds: 29,
    hasPages: false,
  },
  'admin-graphql': {
    description: "GraphQL for merchants' servers, and the page where an admin key is claimed",
    memoryMb: 512,
    timeoutSeconds: 29,
    hasPages: true,
  },
  'scheduled-work': {
    description: 'Work that nobody waits for; no route reaches it',
    memoryMb: 512,
    timeoutSeconds: 840,
    hasPages: false,
  },
};
