/** A container warms itself up, and serves requests regardless of the result. */
import { expect, test } from '@jest/globals';
import { composeAdminGraphql } from '../../../functions/compose/compose-admin-graphql.ts';
import { composeCustomerGraphql } from '../../../functions/compose/compose-customer-graphql.ts';
import { runWarmUpQuery, type WarmUpReplaceableDeps } from '../../../functions/compose/run-warm-up-query.ts';
import { warmContainer } from '../../../functions/compose/warm-container.ts';
import { warmUpCustomer, warmUpServer } from '../../../functions/compose/warm-up-query.ts';
import { readEnvironment } from '../../../lib/config/environment.ts';

// The modules read their environment when they are loaded.
const CREDENTIALS = { AWS_REGION: 'local', AWS_ACCESS_KEY_ID: 'none', AWS_SECRET_ACCESS_KEY: 'none' };
Object.assign(process.env, { TABLE_NAME: 'none', SECRETS_PREFIX: 'none', ...CREDENTIALS });
const { createAdminHandler } = await import('../../../functions/admin-graphql/handler.ts');
const { createCustomerHandler } = await import('../../../functions/customer-graphql/handler.ts');

const environment = readEnvironment();
const deps = { customer: composeCustomerGraphql(environment), admin: composeAdminGraphql(environment) };

const endpoints = {
  customer: (parts: WarmUpReplaceableDeps) =>
    createCustomerHandler(environment, { ...deps.customer, ...parts, verify: async () => warmUpCustomer }),
  admin: (parts: WarmUpReplaceableDeps) =>
    createAdminHandler(environment, { ...deps.admin, ...parts, verify: async () => warmUpServer }),
};
const paths = {
  customer: '/api/storefront/unstable/graphql.json',
  admin: '/api/admin/unstable/graphql.json',
};

test.each(['customer', 'admin'] as const)('the %s endpoint answers the warm-up query', async (name) => {
  const path = paths[name];
  await runWarmUpQuery({ ...deps[name], environment, path, endpoint: endpoints[name] });
  const lost = { ...deps[name], environment, path: '/nowhere', endpoint: endpoints[name] };
  await expect(runWarmUpQuery(lost)).rejects.toThrow('the warm-up query was answered with 404');
});

test('what cannot be read is noted, the rest is done, and nothing fails', async () => {
  const noted: unknown[] = [];
  let hasRead = false;
  const logger = { info: (message: string, fields?: object) => void noted.push([message, fields]) };
  await warmContainer(logger, [
    () => Promise.reject(new Error('the table is out of reach')),
    async () => {
      hasRead = true;
    },
  ]);
  expect(noted).toEqual([['container.warm_up_failed', { reason: 'the table is out of reach' }]]);
  expect(hasRead).toBe(true);
});
