/** Our handler without its one read of the table. */
import { createCustomerHandler } from '../../../functions/customer-graphql/handler.ts';
import { deps, environment } from './without-table.ts';

export const handler = createCustomerHandler(environment, deps);
