/** Web sites for the tests of web pages: a shop's site with the example page, and sites of others. */
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bundleClient } from '../../clients/bundle-client.ts';

const EXAMPLE = new URL('../../../examples/plain-page/', import.meta.url);
const readExample = (name: string) => readFileSync(new URL(name, EXAMPLE), 'utf8');
/** The service and the address of the page, as the example has them. */
const SERVICE_URL = 'https://subscriptions.example.com';
const PAGE = 'https://shop.example.com/account';
const SHOP = 'harbor-coffee.myshopify.com';

export type WebSite = {
  readonly origin: string;
  /** The requests for pages, with their queries. */
  readonly visits: readonly string[];
  /** Sends an empty page to the next browser that returns with a code, so that nothing takes the code. */
  catchNext(): void;
  close(): Promise<void>;
};

type Shop = { readonly serviceUrl: string; readonly shop: string };

/**
 * Starts a site on a free port. `/account` and `/second` are the example page for the shop; `/go?to=…` redirects to any
 * address, as a careless site does; every other path is an empty page.
 */
export async function startWebSite({ serviceUrl, shop }: Shop): Promise<WebSite> {
  const client = await bundleClient('esm');
  const visits: string[] = [];
  let origin = '';
  let catching = 0;
  const empty = (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Empty</title>');
  const answers: Readonly<Record<string, (response: ServerResponse, url: URL) => void>> = {
    '/page.js': (response) => script(response, readExample('page.js')),
    '/subscription-management-client.js': (response) => script(response, client),
    '/account': page,
    '/second': page,
    '/go': (response, { searchParams }) =>
      response.writeHead(302, { location: searchParams.get('to') ?? '/' }).end(),
  };
  function page(response: ServerResponse, { pathname, searchParams }: URL): void {
    if (searchParams.has('code') && catching > 0) {
      catching--;
      return void empty(response);
    }
    const text = readExample('index.html')
      .replaceAll(SERVICE_URL, serviceUrl)
      .replaceAll(PAGE, origin + pathname)
      .replaceAll(SHOP, shop);
    response.writeHead(200, { 'content-type': 'text/html' }).end(text);
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', origin);
    if (!url.pathname.endsWith('.js')) visits.push(url.pathname + url.search);
    const answer = answers[url.pathname];
    if (answer !== undefined) answer(response, url);
    else empty(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    visits,
    catchNext: () => void catching++,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function script(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/javascript' }).end(text);
}
