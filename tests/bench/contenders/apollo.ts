/** Apollo Server as it comes. */
import { createApolloHandler } from './apollo-handler.ts';

export const handler = createApolloHandler();
