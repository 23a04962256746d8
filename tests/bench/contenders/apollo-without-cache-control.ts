/** Apollo Server without its cache-control plugin, which visits every field. */
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { createApolloHandler } from './apollo-handler.ts';

export const handler = createApolloHandler([ApolloServerPluginCacheControlDisabled()]);
