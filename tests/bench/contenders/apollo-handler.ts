/** Apollo Server 5 over our schema, its one root served from the same upstream. */
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { handlers, startServerAndCreateLambdaHandler } from '@as-integrations/aws-lambda';
import typeDefs from '../../../graphql/schema/generated/customer.graphql';
import { QUERY } from '../fixtures.ts';
import { postUpstream } from './post-upstream.ts';

const resolvers = {
  QueryRoot: {
    customer: async (_root: unknown, variables: object) =>
      JSON.parse(await postUpstream(JSON.stringify({ query: QUERY, variables }))).data.customer,
  },
};

/** A Lambda handler of Apollo's own integration. */
export function createApolloHandler(plugins: ApolloServerPlugin[] = []) {
  const server = new ApolloServer({ typeDefs, resolvers, plugins });
  // The integration's types are those of the server's CommonJS build.
  return startServerAndCreateLambdaHandler(
    server as never,
    handlers.createAPIGatewayProxyEventV2RequestHandler(),
  );
}
