/** Apollo Server in its default configuration. */
import { createApolloHandler } from './apollo-handler.ts';

export const handler = createApolloHandler();
