import { acceptsGzip } from '../../../lib/http/compression/accepts-gzip.ts';
import type { HandlerStep } from '../../../lib/http/exchange.ts';
import { htmlPageHeaders } from '../../../lib/http/html-page-headers.ts';
import { toApiGatewayResult } from '../../../lib/http/http-response.ts';
import { loadGraphiqlPage } from './load-graphiql-page.ts';

/** The path of GraphiQL. The route exists only in environments that enable GraphiQL. */
export const GRAPHIQL_PATH = '/api/admin/unstable/graphiql';

/** Responds with the page of GraphiQL. The page contains no data of a store: users enter their admin key in it. */
export const serveGraphiql: HandlerStep = {
  name: 'serveGraphiql',
  before: async ({ event: { exchange } }) => {
    if (exchange.request.path !== GRAPHIQL_PATH) return;
    const { html, gzipped, policy } = await loadGraphiqlPage();
    const isBase64Encoded = acceptsGzip(exchange.request.headers['accept-encoding']);
    const headers = {
      ...htmlPageHeaders(policy),
      'content-type': 'text/html; charset=utf-8',
      vary: 'Accept-Encoding',
      ...(isBase64Encoded && { 'content-encoding': 'gzip' }),
    };
    const body = isBase64Encoded ? gzipped : html;
    return { ...toApiGatewayResult(exchange, { status: 200, headers, body }), isBase64Encoded };
  },
};
