/** Our handler without its one read of the table. */
import { createHandler } from '../../../functions/customer-graphql/create-handler.ts';
import { deps, environment } from './without-table.ts';

export const handler = createHandler(environment, deps);
