/** Ours where the answer has to be read, as for a proof or a field of our own: the same query, never taken as text. */
import { createCustomerHandler } from '../../../functions/customer-graphql/handler.ts';
import { deps, environment } from './without-table.ts';

export const handler = createCustomerHandler(environment, {
  ...deps,
  sendAdminOperation: (operation) => deps.sendAdminOperation({ ...operation, takesText: false }),
});
