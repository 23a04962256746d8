/**
 * What each function is made of: size and time. The function construct turns it into resources; who may do what stands
 * in rights.ts.
 */

import { SMOKE_TEST } from './smoke-test-definition.ts';

export const functionNames = [
  'headless-auth',
  'customer-graphql',
  'admin-graphql',
  'platform-webhooks',
  'scheduled-work',
  'store-events',
  'webhook-deliveries',
] as const;
export type FunctionName = (typeof functionNames)[number];
/** The functions that run on the timetable: no route leads to them. */
export const scheduledFunctions = [
  'scheduled-work',
  'store-events',
  'webhook-deliveries',
] as const satisfies readonly FunctionName[];
export type ScheduledFunctionName = (typeof scheduledFunctions)[number];
/** All that is bundled: the service's functions, and the one that tries their new versions. */
export const bundleNames = [...functionNames, SMOKE_TEST] as const;
export type BundleName = (typeof bundleNames)[number];
/** The functions that a route may lead to. */
export type RoutedFunctionName = Exclude<FunctionName, ScheduledFunctionName>;
/** The same as a list; in production their new versions are tried before requests reach them. */
export const routedFunctions: readonly RoutedFunctionName[] = functionNames.filter(
  (name): name is RoutedFunctionName => !isScheduled(name),
);

/** Whether a function runs on the timetable. */
export function isScheduled(name: FunctionName): name is ScheduledFunctionName {
  return scheduledFunctions.some((one) => one === name);
}

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
  'platform-webhooks': {
    description:
      'What the platform tells of stores: it is checked and marked, and store-events acts on the marks',
    memoryMb: 512,
    timeoutSeconds: 20,
    hasPages: false,
  },
  'scheduled-work': {
    description: 'Work that nobody waits for; no route reaches it',
    // A whole processor: what it does in a busy quarter of an hour is CPU (docs/growth.md).
    memoryMb: 1769,
    timeoutSeconds: 840,
    hasPages: false,
  },
  'store-events': {
    description: 'Acts on what happened at stores; no route reaches it',
    memoryMb: 512,
    timeoutSeconds: 300,
    hasPages: false,
  },
  'webhook-deliveries': {
    description: "Delivers to merchants' endpoints what happened to subscriptions; no route reaches it",
    // A run appends the events of all stores by itself if no other run helps, which is CPU, and must be done within its minute (docs/growth.md).
    memoryMb: 1024,
    timeoutSeconds: 300,
    hasPages: false,
  },
};
