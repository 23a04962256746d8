/** The graphql-yoga server with the descriptions of the admin schema. Only introspection loads and uses it. */
import { createYoga, type YogaServerInstance } from 'graphql-yoga';
import { getDescribedAdminSchema } from '../../schema/described-admin-schema.ts';

export type DescribedServer = YogaServerInstance<Record<string, unknown>, Record<string, unknown>>;

/** Creates the server over the described schema. Its HTTP side is never used. */
export function createDescribedServer(): DescribedServer {
  return createYoga({
    schema: getDescribedAdminSchema(),
    graphiql: false,
    landingPage: false,
    logging: false,
    // The caches have no limit in bytes, and introspection is rare.
    parserAndValidationCache: false,
  }) as unknown as DescribedServer;
}
