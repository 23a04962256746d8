import { toResult } from '../../../lib/http/answer.ts';
import type { Step } from '../../../lib/http/exchange.ts';
import { pageHeaders } from '../../../lib/http/page-headers.ts';
import { acceptsGzip } from './accepts-gzip.ts';
import { loadGraphiqlPage } from './load-graphiql-page.ts';

/** GraphiQL's address, if it is switched on. */
export const GRAPHIQL_PATH = '/api/admin/unstable/graphiql';

/** Answers with GraphiQL's page. The page holds nothing of any store: the key is typed into it, as a header. */
export const serveGraphiql: Step = {
  name: 'serveGraphiql',
  before: async ({ event: { exchange } }) => {
    if (exchange.request.path !== GRAPHIQL_PATH) return;
    const { html, gzipped, policy } = await loadGraphiqlPage();
    const isBase64Encoded = acceptsGzip(exchange.request.headers['accept-encoding']);
    const headers = {
      ...pageHeaders(policy),
      'content-type': 'text/html; charset=utf-8',
      vary: 'Accept-Encoding',
      ...(isBase64Encoded && { 'content-encoding': 'gzip' }),
    };
    const body = isBase64Encoded ? gzipped : html;
    return { ...toResult(exchange, { status: 200, headers, body }), isBase64Encoded };
  },
};
