/** The claim route behind a plain HTTP server, with a store and a fresh link. */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createClaimHandler } from '../../../../functions/admin-graphql/claim/claim-handler.ts';
import { CLAIM_PATH } from '../../../../functions/admin-graphql/claim/claim-path.ts';
import type { HttpResult } from '../../../../lib/http/exchange.ts';
import type { OneTimeLinkId } from '../../../../lib/storage/one-time-links.ts';
import type { NewAdminKeyProperties } from '../../../../lib/stores/admin-keys/create-admin-key-with-link.ts';
import { issueAdminKey } from '../../../../lib/stores/admin-keys/issue-admin-key.ts';
import { listenOnLoopback } from '../../../../sandbox/listen.ts';
import { context, httpEvent } from '../../../http-event.ts';
import { FACTS } from '../../../lib/stores/world/merchant.ts';
import { createWorld } from '../../../lib/stores/world/world.ts';

export type ClaimWorld = Awaited<ReturnType<typeof createClaimWorld>>;

export async function createClaimWorld() {
  const world = await createWorld();
  const deps = world.container();
  const logs: string[] = [];
  const write = (message: string, fields: object = {}) =>
    void logs.push(JSON.stringify({ message, ...fields }));
  const logger = { debug: write, info: write, warn: write, error: write };
  const handler = createClaimHandler({
    ...deps,
    logger,
    shopDomainSuffixes: ['.myshopify.com'],
    edgeSecretHashes: [],
  });
  const call = async (request: Parameters<typeof httpEvent>[0]) =>
    (await handler(httpEvent(request) as never, context)) as HttpResult;
  const requests: { method: string; url: string }[] = [];
  const server = await listenOnLoopback(
    createServer(async (request, response) => {
      const { method = 'GET', url = '/' } = request;
      requests.push({ method, url });
      const body = await text(request);
      const headers = request.headers as Record<string, string>;
      const result = await call({ method, path: url, headers, ...(body && { body }) });
      response.writeHead(result.statusCode ?? 500, result.headers as Record<string, string>);
      response.end(result.body);
    }),
    0,
  );
  return {
    ...world,
    deps,
    logs,
    call,
    requests,
    url: server.url,
    /** A fresh link of a store of its own. */
    async link(displayName = 'Harbor Coffee', facts: Partial<NewAdminKeyProperties> = {}) {
      const store = await world.installed({ displayName });
      const issued = await issueAdminKey(deps, { shopId: store.shopId, ...FACTS, ...facts });
      const path = `${CLAIM_PATH}${issued.linkId}`;
      return { ...store, issued, path, address: `${server.url}${path}#${issued.fragment}` };
    },
    find: (linkId: OneTimeLinkId) => deps.links.find(linkId),
    async close() {
      await server.close();
      await world.close();
    },
  };
}
