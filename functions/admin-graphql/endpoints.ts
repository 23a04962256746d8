import type { Exchange } from '../../lib/http/exchange.ts';

const GRAPHQL = '/api/admin/unstable/graphql.json';
export const GRAPHIQL = '/api/admin/unstable/graphiql';

/** The methods that an address of this function takes. GraphiQL is there if it is switched on. */
export function methodsAt({ graphiql }: { readonly graphiql: boolean }) {
  return ({ request }: Exchange): readonly string[] => {
    if (request.path === GRAPHQL) return ['POST'];
    return request.path === GRAPHIQL && graphiql ? ['GET', 'HEAD'] : [];
  };
}
