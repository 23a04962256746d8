/** Rights on the table that a test file holds: it runs under the table of rights (guarded-table.ts) and uses them. */
export const rightsByTests: Readonly<Record<string, readonly string[]>> = {
  'tests/lib/sign-in/sessions/refresh.test.ts': ['headless-auth GetItem SESSIONS'],
  'tests/lib/sign-in/sessions/revoke.test.ts': ['headless-auth DeleteItem SESSIONS'],
  'tests/graphql/fields/sessions.test.ts': [
    ...['customer-graphql GetItem SESSIONS', 'customer-graphql PutItem SESSIONS'],
    ...['customer-graphql UpdateItem SIGN_IN', 'admin-graphql UpdateItem SIGN_IN'],
    ...[
      'admin-graphql GetItem SESSIONS',
      'admin-graphql Query SESSIONS',
      'admin-graphql UpdateItem SESSIONS',
    ],
  ],
  'tests/contract/forwarded/update-email.test.ts': [
    ...['customer-graphql GetItem COOLDOWN', 'customer-graphql PutItem COOLDOWN'],
    ...['admin-graphql GetItem COOLDOWN', 'admin-graphql PutItem COOLDOWN'],
    ...['customer-graphql DeleteItem COOLDOWN', 'admin-graphql DeleteItem COOLDOWN'],
  ],
  'tests/graphql/roots/idempotency/idempotency.test.ts': [
    ...['admin-graphql GetItem REPEAT', 'admin-graphql PutItem REPEAT'],
    ...['customer-graphql DeleteItem REPEAT', 'admin-graphql DeleteItem REPEAT'],
    ...['customer-graphql UpdateItem REPEAT', 'admin-graphql UpdateItem REPEAT'],
    ...['scheduled-work GetItem REPEAT', 'scheduled-work UpdateItem REPEAT'],
    ...['customer-graphql Query DUE', 'admin-graphql Query DUE'],
    ...['customer-graphql DeleteItem DUE', 'admin-graphql DeleteItem DUE'],
  ],
  'tests/lib/subscriptions/interval/operations-interval.test.ts': [
    ...['customer-graphql GetItem INTERVAL', 'customer-graphql PutItem INTERVAL'],
    ...['admin-graphql GetItem INTERVAL', 'admin-graphql PutItem INTERVAL'],
    ...['customer-graphql DeleteItem INTERVAL', 'admin-graphql DeleteItem INTERVAL'],
    ...['scheduled-work DeleteItem INTERVAL', 'scheduled-work GetItem INTERVAL'],
  ],
  'tests/contract/operations/concurrent-changes.test.ts': [
    'customer-graphql GetItem DUE',
    'admin-graphql GetItem DUE',
    'webhook-deliveries UpdateItem TIMELINE',
  ],
  'tests/lib/platform/admin-api/busy-store.scale.test.ts': [
    'customer-graphql GetItem SHARE',
    'customer-graphql UpdateItem SHARE',
  ],
  'tests/lib/platform/admin-api/retry-times.scale.test.ts': [
    'customer-graphql GetItem SHARE',
    'customer-graphql UpdateItem SHARE',
  ],
  'tests/lib/timeline/same-moment.test.ts': [
    'customer-graphql GetItem TIMELINE',
    'admin-graphql GetItem TIMELINE',
  ],
  'tests/contract/money/charge-entries.test.ts': [
    'admin-graphql UpdateItem TIMELINE',
    'store-events GetItem TIMELINE',
    'store-events PutItem TIMELINE',
  ],
  'tests/contract/billing/billing-outcomes.test.ts': [
    ...['scheduled-work GetItem LEDGER', 'scheduled-work PutItem LEDGER'],
    ...['scheduled-work PutItem REMINDER', 'scheduled-work DeleteItem REMINDER'],
    ...['store-events GetItem LEDGER', 'store-events PutItem LEDGER', 'store-events PutItem REMINDER'],
    ...['store-events DeleteItem REMINDER', 'webhook-deliveries DeleteItem REMINDER'],
    ...['webhook-deliveries GetItem LEDGER', 'webhook-deliveries PutItem LEDGER'],
    ...['webhook-deliveries PutItem REMINDER', 'webhook-deliveries Query LEDGER'],
  ],
  'tests/contract/billing/overdue-orders.test.ts': ['customer-graphql GetItem RUN'],
  'tests/contract/billing/customer-payments.test.ts': [
    ...['customer-graphql Query LEDGER', 'customer-graphql PutItem LEDGER', 'customer-graphql Query RUN'],
    ...[
      'customer-graphql GetItem LEDGER',
      'customer-graphql PutItem REMINDER',
      'customer-graphql UpdateItem WAKE',
    ],
    ...['customer-graphql DeleteItem REMINDER', 'admin-graphql Query LEDGER'],
    ...['admin-graphql GetItem LEDGER', 'admin-graphql PutItem LEDGER', 'admin-graphql PutItem REMINDER'],
    'admin-graphql DeleteItem REMINDER',
  ],
  'tests/lib/subscriptions/pause/resume-due-contracts.test.ts': [
    'customer-graphql DeleteItem PAUSE',
    'scheduled-work GetItem TIMELINE',
  ],
  'tests/contract/postponement/restore-postponed-order.test.ts': ['store-events PutItem POSTPONEMENT'],
  'tests/contract/postponement/postponement-work.test.ts': [
    ...['customer-graphql BatchGetItem POSTPONEMENT', 'admin-graphql BatchGetItem POSTPONEMENT'],
    ...['customer-graphql PutItem POSTPONEMENT', 'admin-graphql PutItem POSTPONEMENT'],
    ...['scheduled-work GetItem POSTPONEMENT', 'scheduled-work PutItem POSTPONEMENT'],
  ],
  'tests/graphql/roots/subscription-events.test.ts': ['admin-graphql BatchGetItem SNAPSHOT'],
  'tests/lib/timeline/settle/stream-order.test.ts': [
    ...['webhook-deliveries UpdateItem DUE', 'webhook-deliveries GetItem STREAM'],
    'webhook-deliveries Query TIMELINE',
  ],
  'tests/functions/platform-webhooks/platform-webhooks.scale.test.ts': ['platform-webhooks GetItem MARK'],
  'tests/lib/webhooks/deliver/deliver.test.ts': [
    ...['webhook-deliveries BatchGetItem DELIVERY', 'webhook-deliveries DeleteItem DELIVERY'],
    'webhook-deliveries GetItem TIMELINE',
  ],
  'tests/lib/storage/work-queue/work-queue.scale.test.ts': [
    ...['store-events DeleteItem WAKE', 'store-events PutItem WAKE'],
    ...['store-events GetItem WAKE', 'webhook-deliveries GetItem WAKE'],
  ],
  'tests/lib/privacy/erase-customer.test.ts': [
    ...['store-events DeleteItem COOLDOWN', 'store-events DeleteItem SHARE'],
    ...['store-events DeleteItem SESSIONS', 'store-events Query SESSIONS', 'store-events DeleteItem SIGN_IN'],
    ...['store-events GetItem SIGN_IN', 'store-events UpdateItem DUE'],
    ...['store-events DeleteItem REPEAT', 'store-events UpdateItem REPEAT', 'store-events UpdateItem STREAM'],
    'store-events UpdateItem PAUSE',
    ...['store-events DeleteItem TIMELINE', 'store-events UpdateItem TIMELINE'],
    ...['headless-auth UpdateItem TOMBSTONE', 'store-events DeleteItem SNAPSHOT'],
    'store-events UpdateItem SNAPSHOT',
    'store-events Query SNAPSHOT',
    ...['store-events Query COMPLIANCE', 'store-events PutItem TOMBSTONE'],
  ],
  'tests/lib/store-events/contracts/store-events.test.ts': [
    ...['store-events DeleteItem PAUSE', 'store-events UpdateItem STORE'],
    'store-events GetItem STORE',
    ...['webhook-deliveries UpdateItem MARK', 'webhook-deliveries GetItem SNAPSHOT'],
  ],
  'tests/graphql/roots/webhooks/webhooks.test.ts': [
    'admin-graphql DeleteItem DELIVERY',
    'admin-graphql DeleteItem ENDPOINT',
    'admin-graphql GetItem ENDPOINT',
    'admin-graphql UpdateItem WAKE',
  ],
  'tests/graphql/roots/billing/billing.test.ts': [
    ...['admin-graphql PutItem BILLING', 'admin-graphql BatchGetItem LEDGER', 'admin-graphql Query REMINDER'],
    ...['admin-graphql GetItem PREVIEW', 'admin-graphql Query PREVIEW'],
    ...['admin-graphql GetItem RUN', 'admin-graphql PutItem RUN', 'admin-graphql Query RUN'],
  ],
  'tests/billing/run/unexpected-orders.test.ts': ['billing Query PREVIEW'],
  'tests/billing/run/named-orders.test.ts': [
    ...[
      'billing GetItem COOLDOWN',
      'billing PutItem COOLDOWN',
      'billing GetItem PAUSE',
      'billing PutItem PAUSE',
    ],
    ...['billing DeleteItem DUE', 'billing GetItem DUE', 'billing GetItem INTERVAL', 'billing Query LEDGER'],
    ...['billing DeleteItem REMINDER', 'billing PutItem REMINDER', 'billing GetItem TIMELINE'],
    ...['billing PutItem TIMELINE', 'billing Query TIMELINE', 'billing UpdateItem TIMELINE'],
    'billing GetItem WAKE',
    ...['store-events GetItem PREVIEW', 'store-events PutItem PREVIEW'],
  ],
  'tests/lib/billing/settle/final-action-rights.test.ts': [
    ...['billing DeleteItem PAUSE', 'billing GetItem POSTPONEMENT', 'billing PutItem POSTPONEMENT'],
    'billing Query DUE',
  ],
  'tests/lib/platform/grants/store-grants.test.ts': [
    'billing GetItem GRANT',
    ...['customer-graphql GetItem GRANT', 'admin-graphql GetItem GRANT'],
    ...['scheduled-work GetItem GRANT', 'store-events GetItem GRANT'],
  ],
  'tests/lib/stores/lifecycle/time-zones.test.ts': ['scheduled-work UpdateItem STORE'],
};

/** The rights among these that the journey uses only sometimes, depending on the time of day and on the order. */
export const usedAtTimes: readonly string[] = [
  'store-events GetItem PREVIEW',
  'store-events PutItem PREVIEW',
  'store-events PutItem WAKE',
  'store-events UpdateItem DUE',
  'store-events UpdateItem SNAPSHOT',
  'webhook-deliveries GetItem SNAPSHOT',
  'webhook-deliveries UpdateItem DUE',
  'webhook-deliveries UpdateItem MARK',
  'webhook-deliveries UpdateItem TIMELINE',
];
