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
