/**
 * What each function is made of: size, time, rights. One list, so that a reader sees at once who may do what;
 * the function construct turns it into resources.
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
/** Their new versions are tried before requests reach them. */
export const triedFunctions: readonly RoutedFunctionName[] = functionNames.filter(
  (name) => name !== 'scheduled-work',
);

/** Secrets under the environment's prefix; `*` stands for the shop id. */
type SecretPattern = 'token-keys' | 'stores/*/platform' | 'stores/*/admin-keys';

export type FunctionDefinition = {
  readonly description: string;
  readonly memoryMb: number;
  /** The time-out lies above the deadline that the function sets itself, and below API Gateway's 30 s. */
  readonly timeoutSeconds: number;
  /** The function's actions on the table itself. */
  readonly tableActions: readonly string[];
  /** The function reads the timeline by action, from the table's index. */
  readonly queriesActions: boolean;
  readonly secrets: Readonly<Partial<Record<SecretPattern, readonly string[]>>>;
  /** The function makes links to itself, and shows GraphiQL where that is on. */
  readonly hasPages: boolean;
};

const READ_SECRET = ['secretsmanager:GetSecretValue'];
/** A grant that ends is renewed by whichever function needs it, and stored before it is used. */
const RENEW_SECRET = [
  'secretsmanager:DescribeSecret',
  'secretsmanager:GetSecretValue',
  'secretsmanager:PutSecretValue',
  'secretsmanager:UpdateSecretVersionStage',
];

/** Sessions or stores are read, changes are recorded, timelines are read. */
const TIMELINE_ACTIONS = [
  'dynamodb:BatchGetItem',
  'dynamodb:DeleteItem',
  'dynamodb:GetItem',
  'dynamodb:PutItem',
  'dynamodb:Query',
  'dynamodb:UpdateItem',
];

export const functionDefinitions: Readonly<Record<FunctionName, FunctionDefinition>> = {
  'headless-auth': {
    description: "Customers' sign-in: start, exchange, refresh, revoke, storefront token",
    memoryMb: 512,
    timeoutSeconds: 20,
    tableActions: TIMELINE_ACTIONS,
    queriesActions: false,
    secrets: { 'token-keys': READ_SECRET },
    hasPages: false,
  },
  'customer-graphql': {
    description: "GraphQL for customers: each sees and changes that customer's own subscriptions",
    memoryMb: 512,
    timeoutSeconds: 29,
    tableActions: TIMELINE_ACTIONS,
    queriesActions: true,
    secrets: { 'token-keys': READ_SECRET, 'stores/*/platform': RENEW_SECRET },
    hasPages: false,
  },
  'admin-graphql': {
    description: "GraphQL for merchants' servers, and the page where an admin key is claimed",
    memoryMb: 512,
    timeoutSeconds: 29,
    tableActions: TIMELINE_ACTIONS,
    queriesActions: true,
    secrets: { 'stores/*/platform': RENEW_SECRET, 'stores/*/admin-keys': READ_SECRET },
    hasPages: true,
  },
  'scheduled-work': {
    description: 'Work that nobody waits for; no route reaches it',
    memoryMb: 512,
    timeoutSeconds: 840,
    tableActions: [
      'dynamodb:BatchGetItem',
      'dynamodb:DeleteItem',
      'dynamodb:GetItem',
      'dynamodb:PutItem',
      'dynamodb:Query',
      'dynamodb:UpdateItem',
    ],
    queriesActions: false,
    secrets: { 'stores/*/platform': RENEW_SECRET },
    hasPages: false,
  },
};
