/**
 * The service's only table: keys, time to live, index. The table's construct and the local stack share it. Every key is
 * a string.
 */
export const TABLE_DEFINITION = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds, for cleaning up only: every read checks the expiry itself. */
  ttlAttribute: 'expiresAt',
  /** Sparse, with all attributes: only items with both keys are in the index. */
  indexes: [{ name: 'actions', partitionKey: 'actionPk', sortKey: 'actionSk' }],
} as const;

/** The key's actions that a caller of the table needs: DynamoDB uses the key with the caller's role. */
export const TABLE_KEY_ACTIONS = [
  'kms:Decrypt',
  'kms:DescribeKey',
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
] as const;

/** The initial throughput of on-demand tables, from DynamoDB's developer guide on warm throughput. */
export const NEW_TABLE_THROUGHPUT = { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 4000 } as const;

/** DynamoDB's quota for a table. */
export const MAX_UNITS_PER_SECOND = 40_000;
