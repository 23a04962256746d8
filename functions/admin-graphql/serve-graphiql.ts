import { loadYoga } from '../../graphql/plan/introspect.ts';
import { toResult } from '../../lib/http/answer.ts';
import type { Step } from '../../lib/http/exchange.ts';
import { GRAPHIQL } from './endpoints.ts';

/** The explorer's page. It holds nothing of any store: the key is typed into it, as a header. */
export const serveGraphiql: Step = {
  name: 'serveGraphiql',
  before: async ({ event: { exchange } }) => {
    if (exchange.request.path !== GRAPHIQL) return;
    const yoga = await loadYoga();
    const page = await yoga.fetch(`http://localhost${GRAPHIQL}`, { headers: { accept: 'text/html' } });
    return toResult(exchange, {
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: await page.text(),
    });
  },
};
