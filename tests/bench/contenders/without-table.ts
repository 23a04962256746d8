/**
 * The real dependencies of the customer endpoint; the token is verified as usual, but the session comes from memory.
 */
import { composeCustomerGraphql } from '../../../functions/compose/compose-customer-graphql.ts';
import { readEnvironment } from '../../../lib/config/environment.ts';
import { createTokenKeyReader } from '../../../lib/credentials/token-keys.ts';
import { verifyCustomerToken } from '../../../lib/credentials/verify-customer-token.ts';
import { toSessionRecord } from '../../../lib/storage/sessions/session-record.ts';
import { toStoreRecord } from '../../../lib/storage/stores.ts';
import { grant, session, store } from '../fixtures.ts';

export const environment = readEnvironment();
const real = composeCustomerGraphql(environment);
const tokenKeys = createTokenKeyReader({ ...real, secretsPrefix: environment.secretsPrefix });
const found = { session: toSessionRecord(session), store: toStoreRecord([store, grant]) };
const refused = async () => ({ outcome: 'refused' as const });
const sessions = {
  find: async () => found.session,
  findWithStore: async () => found,
  confirm: refused,
  recordSharedTokens: refused,
  rememberContracts: refused,
  revoke: refused,
};

export const deps: typeof real = {
  ...real,
  verify: (authorization) =>
    verifyCustomerToken({ ...real, tokenKeys, sessions, signIns: { removeSeed: refused } }, authorization),
};
