import type { Exchange, HandlerStep } from './exchange.ts';

const GRAPHQL_RESPONSE_TYPE = 'application/graphql-response+json';

/**
 * Chooses the media type of the response, also for errors (GraphQL over HTTP, section "Accept"):
 * `application/graphql-response+json` if the client prefers it to JSON, else `application/json`.
 */
export const negotiateGraphql: HandlerStep = {
  name: 'negotiateGraphql',
  before: ({ event: { exchange } }) => {
    const type = prefersGraphqlResponse(exchange.request.headers.accept ?? '')
      ? GRAPHQL_RESPONSE_TYPE
      : 'application/json';
    exchange.responseHeaders['content-type'] = `${type}; charset=utf-8`;
  },
};

/** Whether the response has the media type `application/graphql-response+json`. */
export function isGraphqlResponse({ responseHeaders }: Exchange): boolean {
  return responseHeaders['content-type']?.startsWith(GRAPHQL_RESPONSE_TYPE) ?? false;
}

const JSON_MEDIA_RANGES = ['application/json', 'application/*', '*/*'];

function prefersGraphqlResponse(accept: string): boolean {
  if (!accept.toLowerCase().includes(GRAPHQL_RESPONSE_TYPE)) return false;
  const mediaRanges = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((part) => part.startsWith('q='));
    return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
  });
  const bestQualityOf = (types: readonly string[]) =>
    Math.max(0, ...mediaRanges.filter(({ type }) => types.includes(type)).map(({ quality }) => quality));
  const graphqlQuality = bestQualityOf([GRAPHQL_RESPONSE_TYPE]);
  if (graphqlQuality === 0) return false;
  const jsonQuality = bestQualityOf(['application/json']) || bestQualityOf(JSON_MEDIA_RANGES);
  const indexOfFirst = (types: readonly string[]) =>
    mediaRanges.findIndex(({ type }) => types.includes(type));
  const isNamedFirst =
    indexOfFirst([GRAPHQL_RESPONSE_TYPE]) < indexOfFirst(JSON_MEDIA_RANGES) ||
    indexOfFirst(JSON_MEDIA_RANGES) === -1;
  return graphqlQuality > jsonQuality || (graphqlQuality === jsonQuality && isNamedFirst);
}
