/**
 * The service when it has to parse the response, as for an ownership check or a service field: the same query, never
 * passed through as text.
 */
import { createCustomerHandler } from '../../../functions/customer-graphql/handler.ts';
import { deps, environment } from './without-table.ts';

export const handler = createCustomerHandler(environment, {
  ...deps,
  sendAdminOperation: (operation) => deps.sendAdminOperation({ ...operation, acceptsDataText: false }),
});
