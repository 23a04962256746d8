/**
 * Who may do what with which items and secrets: the one table of rights. The stack's policies, the refusals of the
 * stand-ins and SECURITY.md are made from it. A family of items is told by the first word of its partition key.
 */
import type { FunctionName } from './function-definitions.ts';

/** The families of the table's items, each with what it holds. */
export const families = {
  SHOP: "a store's domain, and the id it stands for",
  STORE: 'a store: its addresses, whether it is installed, which keys count',
  GRANT: "which version of the platform's grant counts, and who renews it",
  KEYS: 'what admin keys do themselves: claims, revocations, last uses',
  LINK: 'one-time links to admin keys',
  SIGN_IN: 'sign-ins under way',
  SESSIONS: "customers' sign-ins",
  TIMELINE: 'what happened to contracts',
  DUE: 'what the scheduled work has to do',
  PAUSE: 'timed pauses',
  INTERVAL: 'changes of rhythm that are not finished',
  COOLDOWN: 'what is done once in a while, and wrong discount codes',
  REPEAT: 'keys under which changes are repeated',
  SHARE: "what customers have spent of a busy store's points",
  ENDPOINT: "endpoints of merchants' servers, and their sealed secrets",
  DELIVERY: 'what endpoints have accepted, and what waits for them',
  SNAPSHOT: 'the recorded state of contracts: what their facts are after the last event',
  STREAM: "what happened at a store, in the order in which merchants' servers are told",
  MARK: 'what webhooks of the platform told of',
  WAKE: 'stores that have work of webhooks, and who is at it',
  TOMBSTONE: 'who was erased, as a keyed hash',
  COMPLIANCE: 'erasures under way, and open requests for data',
} as const;
export type Family = keyof typeof families;

/** The families of an index, by its own partition key. */
export const indexFamilies = { ACTION: 'what happened to contracts, by action' } as const;
type IndexFamily = keyof typeof indexFamilies;

/** DynamoDB's actions on items, without their prefix. Whether a function scans is told apart. */
export type TableAction = 'BatchGetItem' | 'DeleteItem' | 'GetItem' | 'PutItem' | 'Query' | 'UpdateItem';
/** Secrets Manager's, without theirs. */
type SecretAction = 'DescribeSecret' | 'GetSecretValue' | 'PutSecretValue' | 'UpdateSecretVersionStage';

/** Secrets under the environment's prefix; `*` stands for the shop id. */
export const secrets = {
  'token-keys': 'the keys that sign the tokens of customers',
  'webhook-keys': "the keys that seal the secrets of merchants' endpoints",
  'tombstone-key': 'the key that erased customers are hashed with',
  'stores/*/platform': 'the grant that the platform gave for a store',
  'stores/*/admin-keys': 'the hashes of the admin keys of a store',
  'stores/*/webhooks': "the app's client secret, which signs the webhooks of a store",
} as const;
type SecretPattern = keyof typeof secrets;

export type Rights = {
  readonly table: Readonly<Partial<Record<Family, readonly TableAction[]>>>;
  readonly index: Readonly<Partial<Record<IndexFamily, readonly 'Query'[]>>>;
  readonly secrets: Readonly<Partial<Record<SecretPattern, readonly SecretAction[]>>>;
  /** Whether it reads the whole table. */
  readonly scans?: boolean;
  /** Whether it reads the table's stream, which has the keys of what is written, of all families. */
  readonly readsStream?: boolean;
};

const READ = ['GetSecretValue'] as const;
/** A grant that ends is renewed by whichever function needs it, and stored before it is used. */
const RENEW = ['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'] as const;

/** Changes are noted before they are made, told afterwards, and read again. */
const CHANGES = {
  COOLDOWN: ['DeleteItem', 'GetItem', 'PutItem'],
  DUE: ['DeleteItem', 'GetItem', 'PutItem', 'Query'],
  INTERVAL: ['DeleteItem', 'GetItem', 'PutItem'],
  PAUSE: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem'],
  REPEAT: ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'],
  TIMELINE: ['GetItem', 'PutItem', 'Query'],
} as const;

/** Woken stores are taken under leases. */
const PROCESSES_WORK_QUEUE = { WAKE: ['DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'] } as const;

/**
 * A conditional write that is sent again, because the answer to the first was lost, reads the item to know itself: whoever
 * puts under a condition, or takes a lease, has GetItem, too.
 */
export const rights: Readonly<Record<FunctionName, Rights>> = {
  'headless-auth': {
    table: {
      SESSIONS: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      SHOP: ['GetItem'],
      SIGN_IN: ['GetItem', 'PutItem', 'UpdateItem'],
      STORE: ['BatchGetItem', 'GetItem'],
      // A sign-in that began before an erasure finds out; one that began later lifts the tombstone.
      TOMBSTONE: ['GetItem', 'UpdateItem'],
    },
    index: {},
    secrets: { 'token-keys': READ, 'tombstone-key': READ },
  },
  'customer-graphql': {
    table: {
      ...CHANGES,
      GRANT: ['BatchGetItem', 'GetItem', 'UpdateItem'],
      // Uses are noted; a customer lists her sign-ins, and ends them: a mark ends those under way.
      SESSIONS: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      SHARE: ['BatchGetItem', 'GetItem', 'UpdateItem'],
      SIGN_IN: ['UpdateItem'],
      STORE: ['BatchGetItem'],
    },
    index: { ACTION: ['Query'] },
    secrets: { 'token-keys': READ, 'stores/*/platform': RENEW },
  },
  'admin-graphql': {
    table: {
      ...CHANGES,
      // What became of events is read; only who delivers writes it. With an endpoint it goes.
      DELIVERY: ['DeleteItem', 'GetItem', 'Query'],
      ENDPOINT: ['DeleteItem', 'GetItem', 'PutItem', 'Query'],
      GRANT: ['BatchGetItem', 'GetItem', 'UpdateItem'],
      KEYS: ['BatchGetItem', 'UpdateItem'],
      LINK: ['GetItem', 'UpdateItem'],
      // A merchant lists a customer's sign-ins, and ends them.
      SESSIONS: ['GetItem', 'Query', 'UpdateItem'],
      SIGN_IN: ['UpdateItem'],
      // Whose contract an event is of.
      SNAPSHOT: ['BatchGetItem'],
      STORE: ['BatchGetItem'],
      // The store's events; where an endpoint begins, and what it waits for.
      STREAM: ['Query'],
      // Entries are found by their ids; the claim of a charge lies there, and is ended.
      TIMELINE: ['BatchGetItem', ...CHANGES.TIMELINE, 'UpdateItem'],
      WAKE: ['UpdateItem'],
    },
    index: { ACTION: ['Query'] },
    secrets: { 'stores/*/platform': RENEW, 'stores/*/admin-keys': READ, 'webhook-keys': READ },
  },
  'platform-webhooks': {
    table: {
      // When a new client secret was first seen to sign is noted, and looked at while the one before it signs.
      MARK: ['GetItem', 'UpdateItem'],
      SHOP: ['GetItem'],
      STORE: ['GetItem'],
      WAKE: ['UpdateItem'],
    },
    index: {},
    secrets: { 'stores/*/webhooks': READ },
  },
  'scheduled-work': {
    table: {
      DUE: ['DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      GRANT: ['BatchGetItem', 'GetItem', 'UpdateItem'],
      INTERVAL: ['DeleteItem'],
      PAUSE: ['DeleteItem', 'GetItem', 'UpdateItem'],
      // A change that is settled is told to those who repeat it.
      REPEAT: ['GetItem', 'UpdateItem'],
      STORE: ['BatchGetItem', 'UpdateItem'],
      TIMELINE: ['BatchGetItem', 'GetItem', 'PutItem', 'Query'],
      WAKE: ['UpdateItem'],
    },
    index: {},
    secrets: { 'stores/*/platform': RENEW },
  },
  'store-events': {
    table: {
      COMPLIANCE: ['GetItem', 'PutItem', 'Query', 'UpdateItem'],
      // A customer who is erased is taken out of items of all kinds.
      COOLDOWN: ['DeleteItem'],
      DUE: ['DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      GRANT: ['BatchGetItem', 'GetItem', 'UpdateItem'],
      MARK: ['DeleteItem', 'Query'],
      PAUSE: ['DeleteItem', 'GetItem', 'UpdateItem'],
      REPEAT: ['DeleteItem', 'UpdateItem'],
      SESSIONS: ['DeleteItem', 'Query'],
      SHARE: ['DeleteItem'],
      SIGN_IN: ['DeleteItem', 'GetItem'],
      SNAPSHOT: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      STORE: ['BatchGetItem', 'GetItem', 'UpdateItem'],
      STREAM: ['UpdateItem'],
      TIMELINE: ['DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      TOMBSTONE: ['GetItem', 'PutItem'],
      ...PROCESSES_WORK_QUEUE,
    },
    index: {},
    secrets: { 'stores/*/platform': RENEW, 'tombstone-key': READ },
    scans: true,
  },
  'webhook-deliveries': {
    table: {
      DELIVERY: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query'],
      // What is queued is appended to the store's stream; then its item goes.
      DUE: ['DeleteItem', 'GetItem', 'Query', 'UpdateItem'],
      ENDPOINT: ['Query'],
      // A contract has to be observed again.
      MARK: ['UpdateItem'],
      // The recorded state of contracts, with what is appended because of it.
      SNAPSHOT: ['BatchGetItem', 'GetItem', 'PutItem'],
      STORE: ['GetItem'],
      STREAM: ['GetItem', 'PutItem', 'Query'],
      // What is sent is made of entries; changes made outside the service become entries, and own ones are corrected.
      TIMELINE: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      ...PROCESSES_WORK_QUEUE,
    },
    index: {},
    secrets: { 'webhook-keys': READ },
    readsStream: true,
  },
};

/**
 * What functions may do beside that where stores may be from before their items were parted: what such a store's item
 * holds is changed there, and functions of before, which have the same role during a deploy, read it by itself.
 */
const ofStoresFromBefore: Readonly<Partial<Record<FunctionName, readonly TableAction[]>>> = {
  'customer-graphql': ['GetItem', 'UpdateItem'],
  'admin-graphql': ['GetItem', 'UpdateItem'],
  'scheduled-work': ['GetItem'],
};

/** The rights of a function in an environment. */
export function rightsIn(
  { storesFromBefore }: { readonly storesFromBefore?: boolean | undefined },
  name: FunctionName,
): Rights {
  const own = rights[name];
  const more = storesFromBefore ? (ofStoresFromBefore[name] ?? []) : [];
  return { ...own, table: { ...own.table, STORE: [...(own.table.STORE ?? []), ...more].sort() } };
}

/** The families by verb: one statement of a policy has to allow every key of a request. */
export function familiesByAction(table: Rights['table']): ReadonlyMap<TableAction, readonly Family[]> {
  const byAction = new Map<TableAction, Family[]>();
  for (const [family, actions] of Object.entries(table) as [Family, readonly TableAction[]][])
    for (const action of actions) byAction.set(action, [...(byAction.get(action) ?? []), family].sort());
  return new Map([...byAction].sort(([one], [other]) => (one < other ? -1 : 1)));
}
