import { toResult } from '../../../lib/http/answer.ts';
import type { Step } from '../../../lib/http/exchange.ts';
import { pageHeaders } from '../../../lib/http/page-headers.ts';
import { loadGraphiqlPage } from './load-graphiql-page.ts';

/** GraphiQL's address, if it is switched on. */
export const GRAPHIQL_PATH = '/api/admin/unstable/graphiql';

/** Answers with GraphiQL's page. The page holds nothing of any store: the key is typed into it, as a header. */
export const serveGraphiql: Step = {
  name: 'serveGraphiql',
  before: async ({ event: { exchange } }) => {
    if (exchange.request.path !== GRAPHIQL_PATH) return;
    const { html, policy } = await loadGraphiqlPage();
    const headers = { ...pageHeaders(policy), 'content-type': 'text/html; charset=utf-8' };
    return toResult(exchange, { status: 200, headers, body: html });
  },
};
