import type { Exchange } from '../../lib/http/exchange.ts';

const PATH = '/api/storefront/unstable/graphql.json';

/** The methods that an address of this function takes. */
export function methodsAt({ request }: Exchange): readonly string[] {
  return request.path === PATH ? ['POST'] : [];
}
