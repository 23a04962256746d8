/**
 * The GraphQL endpoint of merchants' servers, its list of steps in create-handler.ts; the page of a one-time link has a
 * list of its own.
 */
import { readEnvironment } from '../../lib/config/environment.ts';
import { compose } from '../compose/compose-admin-graphql.ts';
import { withClaimPage } from './claim/claim-handler.ts';
import { createHandler } from './create-handler.ts';

const environment = readEnvironment();
const deps = compose(environment);

export const handler = withClaimPage(createHandler(environment, deps), { ...deps, ...environment });
