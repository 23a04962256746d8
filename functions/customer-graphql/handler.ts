/** The customers' GraphQL endpoint. Its list of steps is in create-handler.ts. */
import { readEnvironment } from '../../lib/config/environment.ts';
import { compose } from '../compose/compose-customer-graphql.ts';
import { createHandler } from './create-handler.ts';

const environment = readEnvironment();

export const handler = createHandler(environment, compose(environment));
