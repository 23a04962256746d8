/** The server that knows what every type of the admin schema is for. Only introspection asks it, and loads it then. */
import { createYoga, type YogaServerInstance } from 'graphql-yoga';
import { describedAdminSchema } from '../../schema/described-admin-schema.ts';

export type Yoga = YogaServerInstance<Record<string, unknown>, Record<string, unknown>>;

/** The server over the described schema; its HTTP side is never asked. */
export function createDescribedServer(): Yoga {
  return createYoga({
    schema: describedAdminSchema(),
    graphiql: false,
    landingPage: false,
    logging: false,
    // Its caches are not bounded in bytes, and introspection is rare.
    parserAndValidationCache: false,
  }) as unknown as Yoga;
}
