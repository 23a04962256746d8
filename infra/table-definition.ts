/** The service's one table. Read by the CDK stack and by the local DynamoDB alike. */
export const tableDefinition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds. It only cleans up: expiry is checked on every read. */
  ttlAttribute: 'expiresAt',
  /** Sparse, projecting everything, all keys strings. */
  indexes: [{ name: 'actions', partitionKey: 'actionPk', sortKey: 'actionSk' }],
} as const;
