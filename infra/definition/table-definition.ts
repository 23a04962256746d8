/**
 * The service's one table: keys, time to live, index. Read by the table's construct and by the local stack.
 * Every key is a string.
 */
export const tableDefinition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds. It only cleans up: expiry is checked on read. */
  ttlAttribute: 'expiresAt',
  /** Sparse, with all attributes: only items that have both keys are in an index. */
  indexes: [{ name: 'actions', partitionKey: 'actionPk', sortKey: 'actionSk' }],
} as const;

/** DynamoDB uses the table's own key in the name of whoever calls it. */
export const TABLE_KEY_ACTIONS = [
  'kms:Decrypt',
  'kms:DescribeKey',
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
] as const;

/** What DynamoDB's on-demand tables take from the start, by its developer guide on warm throughput. */
export const newTable = { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 4000 } as const;

/** DynamoDB's quota for a table. */
export const MAX_UNITS_PER_SECOND = 40_000;
