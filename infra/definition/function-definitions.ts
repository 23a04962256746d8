/**
 * The size and time-out of each function. The function construct creates resources from it; rights.ts has the rights.
 */

import { SMOKE_TEST_NAME } from './smoke-test-definition.ts';

export const FUNCTION_NAMES = [
  'headless-auth',
  'customer-graphql',
  'admin-graphql',
  'platform-webhooks',
  'scheduled-work',
  'store-events',
  'webhook-deliveries',
  'billing',
] as const;
export type FunctionName = (typeof FUNCTION_NAMES)[number];
/** The functions that run on the timetable and have no route. */
export const SCHEDULED_FUNCTION_NAMES = [
  'scheduled-work',
  'store-events',
  'webhook-deliveries',
  'billing',
] as const satisfies readonly FunctionName[];
export type ScheduledFunctionName = (typeof SCHEDULED_FUNCTION_NAMES)[number];
/** All bundles: the service's functions, and the function that tests their new versions. */
export const BUNDLE_NAMES = [...FUNCTION_NAMES, SMOKE_TEST_NAME] as const;
export type BundleName = (typeof BUNDLE_NAMES)[number];
/** The functions that a route may lead to. */
export type RoutedFunctionName = Exclude<FunctionName, ScheduledFunctionName>;
/** The functions with routes, as a list. In production their new versions are tested before they receive requests. */
export const ROUTED_FUNCTION_NAMES: readonly RoutedFunctionName[] = FUNCTION_NAMES.filter(
  (name): name is RoutedFunctionName => !isScheduledFunction(name),
);

/** Whether a function runs on the timetable. */
export function isScheduledFunction(name: FunctionName): name is ScheduledFunctionName {
  return SCHEDULED_FUNCTION_NAMES.some((one) => one === name);
}

export type FunctionDefinition = {
  readonly description: string;
  /** docs/costs.md has what each was measured to need. */
  readonly memoryMb: number;
  /** Above the deadline that the function sets itself, and below API Gateway's 30 s. */
  readonly timeoutSeconds: number;
  /** Whether the function links to itself, and serves GraphiQL where that is on. */
  readonly hasPages: boolean;
};

export const FUNCTION_DEFINITIONS: Readonly<Record<FunctionName, FunctionDefinition>> = {
  'headless-auth': {
    description: "Customers' sign-in: start, exchange, refresh, revoke, storefront token",
    memoryMb: 512,
    timeoutSeconds: 20,
    hasPages: false,
  },
  'customer-graphql': {
    description: "GraphQL for customers: each sees and changes that customer's own subscriptions",
    memoryMb: 384,
    timeoutSeconds: 29,
    hasPages: false,
  },
  'admin-graphql': {
    description: "GraphQL for merchants' servers, and the page where an admin key is claimed",
    memoryMb: 384,
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
    // One full processor: its work in a busy quarter of an hour is CPU-bound (docs/growth.md).
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
    // It mostly waits. A run may have to append the events of all stores alone, which is CPU-bound: that takes less than half
    // of its minute (docs/growth.md).
    memoryMb: 640,
    timeoutSeconds: 300,
    hasPages: false,
  },
  billing: {
    description: 'Charges the due orders of the stores that the service bills; no route reaches it',
    // One full processor: a large store's orders are charged by one instance (docs/growth.md).
    memoryMb: 1769,
    timeoutSeconds: 300,
    hasPages: false,
  },
};
