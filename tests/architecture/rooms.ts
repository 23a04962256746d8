/**
 * The architecture: the order in which rooms may import each other. Read it from top to bottom, as a request travels.
 * `arrows.test.ts` enforces it; docs/decisions/0176 describes the rule.
 */

/**
 * The rooms from top to bottom. A room imports only from lines below its own, types included. Rooms on one line do not
 * import each other. `a/b` contains the folder's own files and all subfolders, unless `a/b/*` has its own line: then
 * `a/b/*` contains the subfolders, and `a/b` only its own files.
 */
export const ORDER: readonly (readonly string[])[] = [
  ['tests'],

  // Programs: the deployed functions, the local stack, the programs that run against it, the operator's commands.
  ['infra/cdk', 'sandbox/local', 'sandbox/demo', 'operator'],
  ['sandbox/phone'],
  // Used by the rooms above: builds and generators, the emulators (each other folder of the sandbox), the definition.
  ['tools'],
  ['sandbox'],
  ['infra/definition'],

  // A folder for each Lambda function; compose puts the real parts together.
  [
    'functions/admin-graphql',
    'functions/billing',
    'functions/customer-graphql',
    'functions/headless-auth',
    'functions/platform-webhooks',
    'functions/scheduled-work',
    'functions/smoke-test',
    'functions/store-events',
    'functions/webhook-deliveries',
  ],
  ['functions/compose'],

  // From a client's document to its result.
  ['graphql/endpoint'],
  ['graphql/mutations'],
  ['graphql/roots'],
  ['graphql/fields'],
  ['graphql/run'],
  ['graphql/response'],
  ['graphql/compile'],
  ['graphql/compile/*'],
  ['graphql/policy'],
  ['graphql/policy/*'],
  ['graphql/plan'],
  ['graphql/schema'],

  // Reactions to changes at the store that this service did not make.
  ['lib/store-events/inbox'],
  ['lib/store-events/reconciliation', 'lib/store-events/store'],
  ['lib/store-events/charges'],
  ['lib/store-events/contracts'],
  ['lib/store-events'],

  // The service's billing. What happens after an attempt is passed into the timeline and the store's events.
  ['lib/billing/*'],
  ['lib/billing/records'],

  // The service's functions: the subfolders are the use cases, the folder's own files are shared by them.
  ['lib/subscriptions/*', 'lib/sign-in/*', 'lib/stores/*', 'lib/privacy'],
  ['lib/subscriptions', 'lib/sign-in', 'lib/stores', 'lib/webhooks'],
  ['lib/timeline/*', 'lib/credentials'],
  ['lib/timeline'],

  // The ways out: the platform, then the table and the secrets.
  ['lib/platform/*'],
  ['lib/platform'],
  ['lib/storage'],

  // Rooms that every room may use.
  ['lib/http/*'],
  ['lib/http', 'lib/config'],
  ['lib/observability', 'lib/messages'],
  ['lib/domain/*'],
  ['lib/domain'],
  ['lib/errors'],
];

/** Code of others' kind: it imports nothing outside its folder but `mayImport`, and only `importedBy` import it. */
export const ISLANDS: readonly {
  folder: string;
  importedBy: readonly string[];
  mayImport?: readonly string[];
  because: string;
}[] = [
  {
    folder: 'sandbox/platform',
    importedBy: ['sandbox', 'tests'],
    because: 'the emulated platform is a third party, which knows nothing of the service',
  },
  {
    folder: 'clients',
    importedBy: ['tests', 'sandbox/demo', 'examples'],
    because: 'a client is installed by users, who have nothing else of this repository',
  },
  {
    folder: 'examples',
    importedBy: ['tests'],
    mayImport: ['clients'],
    because: 'an example is copied by users, who have nothing else of this repository',
  },
];

/** Rooms that know nothing of each other, though the order would let one import the other. */
export const APART: readonly { rooms: readonly string[]; because: string }[] = [
  {
    rooms: ['infra/cdk', 'sandbox'],
    because: 'what is deployed imitates nothing',
  },
];

/** The folders whose files are code; in them are all rooms. */
export const CODE_FOLDERS = [
  'functions',
  'graphql',
  'lib',
  'infra',
  'sandbox',
  'operator',
  'tools',
  'clients',
  'examples',
  'tests',
] as const;

/** The exports of a package, and the documents of its callers: the only modules that only re-export. */
export const PACKAGE_ENTRIES: readonly string[] = [
  'clients/react/src/react.ts',
  'clients/typescript/src/client.ts',
  'clients/typescript/src/operations/generated/customer-operations.ts',
  'clients/typescript/src/operations/generated/store-operations.ts',
];

/** A folder with more files than these is divided by subject. */
export const LARGEST_FOLDER = 20;
