/**
 * The table of rights: which function may do what with which items and secrets. The stack's policies, the emulators'
 * access checks and SECURITY.md are generated from it. The first word of the partition key identifies a family of
 * items.
 */
import type { FunctionName } from './function-definitions.ts';

/** The families of the table's items, each with its content. */
export const ITEM_FAMILIES = {
  SHOP: "a store's domain, and its shop id",
  STORE: 'a store: its addresses, its state, its valid keys',
  GRANT: "the valid version of the platform's grant, and the lease of its renewal",
  KEYS: 'changes by admin keys themselves: claims, revocations, last uses',
  LINK: 'one-time links to admin keys',
  SIGN_IN: 'sign-ins in progress',
  SESSIONS: "customers' sign-ins",
  TIMELINE: 'the history of contracts',
  DUE: 'scheduled tasks',
  PAUSE: 'timed pauses',
  POSTPONEMENT: 'the dates of postponed orders',
  INTERVAL: 'unfinished changes of the interval',
  COOLDOWN: 'rate limits of e-mails, and wrong discount codes',
  REPEAT: 'idempotency keys of changes',
  SHARE: "customers' used points of a busy store",
  ENDPOINT: "endpoints of merchants' servers, and their encrypted secrets",
  DELIVERY: 'the accepted and the waiting events of endpoints',
  SNAPSHOT: 'the recorded state of contracts after the last event',
  STREAM: "a store's events, in the order of their delivery",
  MARK: "the inbox of the platform's webhooks",
  WAKE: 'the work queue of stores, with leases',
  TOMBSTONE: 'erased customers, as keyed hashes',
  COMPLIANCE: 'erasures in progress, and open requests for data',
  BILLING: "how a store is billed, and the operators' stop of all billing",
  PREVIEW: 'the orders that the next days would charge',
  RUN: 'the runs of billing, and the orders that each found',
  LEDGER: 'the charges of orders by billing',
  REMINDER: 'when something has to be done about a charge',
} as const;
export type ItemFamily = keyof typeof ITEM_FAMILIES;

/** The families of an index, by its own partition key. */
export const INDEX_FAMILIES = { ACTION: 'the history of contracts, by action' } as const;
type IndexFamily = keyof typeof INDEX_FAMILIES;

/** DynamoDB's actions on items, without their prefix. Scanning is a separate right. */
export type TableAction = 'BatchGetItem' | 'DeleteItem' | 'GetItem' | 'PutItem' | 'Query' | 'UpdateItem';
/** Secrets Manager's actions, without their prefix. */
type SecretAction = 'DescribeSecret' | 'GetSecretValue' | 'PutSecretValue' | 'UpdateSecretVersionStage';

/** Secrets under the environment's prefix; `*` is a placeholder for the shop id. */
export const SECRET_PATTERNS = {
  'token-keys': 'the keys that sign the tokens of customers',
  'webhook-keys': "the keys that encrypt the secrets of merchants' endpoints",
  'tombstone-key': 'the key of the hashes of erased customers',
  'stores/*/platform': "the platform's grant for a store",
  'stores/*/admin-keys': 'the hashes of the admin keys of a store',
  'stores/*/webhooks': "the app's client secret, which signs the webhooks of a store",
} as const;
type SecretPattern = keyof typeof SECRET_PATTERNS;

export type FunctionRights = {
  readonly table: Readonly<Partial<Record<ItemFamily, readonly TableAction[]>>>;
  readonly index: Readonly<Partial<Record<IndexFamily, readonly 'Query'[]>>>;
  readonly secrets: Readonly<Partial<Record<SecretPattern, readonly SecretAction[]>>>;
  /** Whether the function reads the whole table. */
  readonly scans?: boolean;
  /** Whether the function reads the table's stream, which has the keys of all written items of all families. */
  readonly readsStream?: boolean;
};

const READ_SECRET_ACTIONS = ['GetSecretValue'] as const;
/** Any function that needs an expiring grant renews it, and stores it before use. */
const RENEW_SECRET_ACTIONS = [
  'DescribeSecret',
  'GetSecretValue',
  'PutSecretValue',
  'UpdateSecretVersionStage',
] as const;

/** Each change is recorded as an intent first and as an entry afterwards, and both are read again. */
const CHANGES_RIGHTS = {
  COOLDOWN: ['DeleteItem', 'GetItem', 'PutItem'],
  DUE: ['DeleteItem', 'GetItem', 'PutItem', 'Query'],
  INTERVAL: ['DeleteItem', 'GetItem', 'PutItem'],
  PAUSE: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem'],
  POSTPONEMENT: ['BatchGetItem', 'GetItem', 'PutItem'],
  REPEAT: ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'],
  TIMELINE: ['GetItem', 'PutItem', 'Query'],
} as const;

/** A function that settles a billing attempt writes the outcome into the charge of the attempt's order. */
const CHARGE_OUTCOME_RIGHTS = {
  BILLING: ['GetItem'],
  LEDGER: ['GetItem', 'PutItem'],
  REMINDER: ['DeleteItem', 'PutItem'],
} as const;

/**
 * The rights to show a payment from its charge, with the next try unless the latest run is on hold, and an overdue order with
 * the next run; and to try a payment again on request, which enqueues the store.
 */
const PAYMENT_RIGHTS = {
  BILLING: ['GetItem'],
  LEDGER: ['GetItem', 'PutItem', 'Query'],
  REMINDER: ['DeleteItem', 'PutItem'],
  RUN: ['GetItem', 'Query'],
  WAKE: ['UpdateItem'],
} as const;

/** The right of a function that only adds stores with work to the queue. */
const ENQUEUE_RIGHTS = { WAKE: ['UpdateItem'] } as const;
/** A worker reads the queue of stores with work, and leases and removes its items. */
const WORK_QUEUE_RIGHTS = { WAKE: ['DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'] } as const;

/**
 * When the response to a conditional write is lost, the retry reads the item to recognize its own write. So every
 * function that writes under a condition, or acquires a lease, has GetItem too.
 */
export const RIGHTS_BY_FUNCTION: Readonly<Record<FunctionName, FunctionRights>> = {
  'headless-auth': {
    table: {
      SESSIONS: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      SHOP: ['GetItem'],
      SIGN_IN: ['GetItem', 'PutItem', 'UpdateItem'],
      STORE: ['BatchGetItem', 'GetItem'],
      // A sign-in that started before an erasure reads the tombstone; a later sign-in removes it.
      TOMBSTONE: ['GetItem', 'UpdateItem'],
    },
    index: {},
    secrets: { 'token-keys': READ_SECRET_ACTIONS, 'tombstone-key': READ_SECRET_ACTIONS },
  },
  'customer-graphql': {
    table: {
      ...CHANGES_RIGHTS,
      ...PAYMENT_RIGHTS,
      GRANT: ['BatchGetItem', 'GetItem', 'UpdateItem'],
      // Each use is recorded. Customers list and revoke their sign-ins; a revocation time also stops those in progress.
      SESSIONS: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      SHARE: ['BatchGetItem', 'GetItem', 'UpdateItem'],
      // A web page names its store by the domain.
      SHOP: ['GetItem'],
      SIGN_IN: ['UpdateItem'],
      STORE: ['BatchGetItem'],
    },
    index: { ACTION: ['Query'] },
    secrets: { 'token-keys': READ_SECRET_ACTIONS, 'stores/*/platform': RENEW_SECRET_ACTIONS },
  },
  'admin-graphql': {
    table: {
      ...CHANGES_RIGHTS,
      ...PAYMENT_RIGHTS,
      // Merchants change the settings, confirm runs, and read the rest.
      BILLING: ['GetItem', 'PutItem'],
      LEDGER: ['BatchGetItem', ...PAYMENT_RIGHTS.LEDGER],
      PREVIEW: ['GetItem', 'Query'],
      REMINDER: [...PAYMENT_RIGHTS.REMINDER, 'Query'],
      RUN: ['GetItem', 'PutItem', 'Query'],
      // This function only reads the results of deliveries, and deletes them together with their endpoint.
      DELIVERY: ['DeleteItem', 'GetItem', 'Query'],
      ENDPOINT: ['DeleteItem', 'GetItem', 'PutItem', 'Query'],
      GRANT: ['BatchGetItem', 'GetItem', 'UpdateItem'],
      KEYS: ['BatchGetItem', 'UpdateItem'],
      LINK: ['GetItem', 'UpdateItem'],
      // Merchants list and revoke a customer's sign-ins.
      SESSIONS: ['GetItem', 'Query', 'UpdateItem'],
      SIGN_IN: ['UpdateItem'],
      // To find the contract of an event.
      SNAPSHOT: ['BatchGetItem'],
      STORE: ['BatchGetItem'],
      // The store's events, the position of each endpoint, and its backlog.
      STREAM: ['Query'],
      // Entries are read by their ids. The claim of a charge is in the same family, and is released here.
      TIMELINE: ['BatchGetItem', ...CHANGES_RIGHTS.TIMELINE, 'UpdateItem'],
    },
    index: { ACTION: ['Query'] },
    secrets: {
      'stores/*/platform': RENEW_SECRET_ACTIONS,
      'stores/*/admin-keys': READ_SECRET_ACTIONS,
      'webhook-keys': READ_SECRET_ACTIONS,
    },
  },
  'platform-webhooks': {
    table: {
      // The time when a new client secret was first used to sign is recorded, and read while the earlier secret still
      // signs.
      MARK: ['GetItem', 'UpdateItem'],
      SHOP: ['GetItem'],
      STORE: ['GetItem'],
      ...ENQUEUE_RIGHTS,
    },
    index: {},
    secrets: { 'stores/*/webhooks': READ_SECRET_ACTIONS },
  },
  'scheduled-work': {
    table: {
      ...CHARGE_OUTCOME_RIGHTS,
      DUE: ['DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      GRANT: ['BatchGetItem', 'GetItem', 'UpdateItem'],
      INTERVAL: ['DeleteItem', 'GetItem'],
      PAUSE: ['DeleteItem', 'GetItem', 'UpdateItem'],
      POSTPONEMENT: ['GetItem', 'PutItem'],
      // The result of a settled change is stored for retries with the same idempotency key.
      REPEAT: ['GetItem', 'UpdateItem'],
      STORE: ['BatchGetItem', 'UpdateItem'],
      TIMELINE: ['BatchGetItem', 'GetItem', 'PutItem', 'Query'],
      ...ENQUEUE_RIGHTS,
    },
    index: {},
    secrets: { 'stores/*/platform': RENEW_SECRET_ACTIONS },
  },
  'store-events': {
    table: {
      ...CHARGE_OUTCOME_RIGHTS,
      // The nightly reconciliation prepares the billing of stores that the service bills.
      PREVIEW: ['GetItem', 'PutItem'],
      COMPLIANCE: ['GetItem', 'PutItem', 'Query', 'UpdateItem'],
      // Erasing a customer changes items of all families.
      COOLDOWN: ['DeleteItem'],
      DUE: ['DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      GRANT: ['BatchGetItem', 'GetItem', 'UpdateItem'],
      MARK: ['DeleteItem', 'Query'],
      PAUSE: ['DeleteItem', 'GetItem', 'UpdateItem'],
      POSTPONEMENT: ['GetItem', 'PutItem'],
      REPEAT: ['DeleteItem', 'UpdateItem'],
      SESSIONS: ['DeleteItem', 'Query'],
      SHARE: ['DeleteItem'],
      SIGN_IN: ['DeleteItem', 'GetItem'],
      SNAPSHOT: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      STORE: ['BatchGetItem', 'GetItem', 'UpdateItem'],
      STREAM: ['UpdateItem'],
      TIMELINE: ['DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      TOMBSTONE: ['GetItem', 'PutItem'],
      ...WORK_QUEUE_RIGHTS,
    },
    index: {},
    secrets: { 'stores/*/platform': RENEW_SECRET_ACTIONS, 'tombstone-key': READ_SECRET_ACTIONS },
    scans: true,
  },
  'webhook-deliveries': {
    table: {
      DELIVERY: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query'],
      // Queued items are appended to the store's stream and then deleted.
      DUE: ['DeleteItem', 'GetItem', 'Query', 'UpdateItem'],
      ENDPOINT: ['Query'],
      // A changed payment method or address has a declined payment tried again.
      LEDGER: ['GetItem', 'PutItem', 'Query'],
      REMINDER: ['DeleteItem', 'PutItem'],
      // Requests another observation of a contract.
      MARK: ['UpdateItem'],
      // The recorded state of contracts, and the entries appended when it changes.
      SNAPSHOT: ['BatchGetItem', 'GetItem', 'PutItem'],
      STORE: ['GetItem'],
      STREAM: ['GetItem', 'PutItem', 'Query'],
      // Events are built from entries. External changes become entries, and entries of own changes are corrected.
      TIMELINE: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      ...WORK_QUEUE_RIGHTS,
    },
    index: {},
    secrets: { 'webhook-keys': READ_SECRET_ACTIONS },
    readsStream: true,
  },
  billing: {
    table: {
      ...CHARGE_OUTCOME_RIGHTS,
      // The e-mail that asks for another payment method.
      COOLDOWN: ['GetItem', 'PutItem'],
      DUE: CHANGES_RIGHTS.DUE,
      GRANT: ['BatchGetItem', 'GetItem', 'UpdateItem'],
      // An order waits while a change of its contract's interval is interrupted.
      INTERVAL: ['GetItem'],
      LEDGER: ['BatchGetItem', 'GetItem', 'PutItem', 'Query'],
      // The final action pauses or cancels a contract, or skips the order.
      PAUSE: ['DeleteItem', 'GetItem', 'PutItem'],
      POSTPONEMENT: ['GetItem', 'PutItem'],
      PREVIEW: ['GetItem', 'Query'],
      REMINDER: ['DeleteItem', 'PutItem', 'Query'],
      RUN: ['GetItem', 'PutItem', 'Query'],
      STORE: ['BatchGetItem'],
      // The claim of a charge is released.
      TIMELINE: [...CHANGES_RIGHTS.TIMELINE, 'UpdateItem'],
      ...WORK_QUEUE_RIGHTS,
    },
    index: {},
    secrets: { 'stores/*/platform': RENEW_SECRET_ACTIONS },
  },
};

/**
 * Additional rights where the table may contain stores with unmigrated items: functions still change these store items,
 * and earlier versions, which share the role during a deploy, read them directly.
 */
const RIGHTS_FOR_UNMIGRATED_STORES: Readonly<Partial<Record<FunctionName, readonly TableAction[]>>> = {
  'customer-graphql': ['GetItem', 'UpdateItem'],
  'admin-graphql': ['GetItem', 'UpdateItem'],
  'scheduled-work': ['GetItem'],
};

/** Returns the rights of a function in an environment. */
export function rightsOfFunction(
  { storesFromBefore }: { readonly storesFromBefore?: boolean | undefined },
  name: FunctionName,
): FunctionRights {
  const functionRights = RIGHTS_BY_FUNCTION[name];
  const additionalActions = storesFromBefore ? (RIGHTS_FOR_UNMIGRATED_STORES[name] ?? []) : [];
  return {
    ...functionRights,
    table: {
      ...functionRights.table,
      STORE: [...(functionRights.table.STORE ?? []), ...additionalActions].sort(),
    },
  };
}

/** Returns the families by action: one statement of a policy has to allow every key of a request. */
export function groupFamiliesByAction(
  table: FunctionRights['table'],
): ReadonlyMap<TableAction, readonly ItemFamily[]> {
  const familiesByAction = new Map<TableAction, ItemFamily[]>();
  for (const [family, actions] of Object.entries(table) as [ItemFamily, readonly TableAction[]][])
    for (const action of actions)
      familiesByAction.set(action, [...(familiesByAction.get(action) ?? []), family].sort());
  return new Map([...familiesByAction].sort(([one], [other]) => (one < other ? -1 : 1)));
}
