/**
 * The page of a store's customers: the example of examples/web, bundled, on a port of its own. It depends only on the
 * service's public address.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { build } from 'esbuild';
import { withEsbuild } from '../../tools/build/with-esbuild.ts';
import { type ListeningServer, listenOnLoopback } from '../listen.ts';

export type PhoneOptions = {
  /** 0 picks a free port. */
  readonly port: number;
  readonly serviceUrl: string;
  /** The platform's address, from which the page loads product images. */
  readonly productImagesUrl: string;
  /** The store's domain. */
  readonly shop: string;
};

const PROJECT_ROOT = join(import.meta.dirname, '../..');
const PAGE_SOURCE_FOLDER = join(PROJECT_ROOT, 'examples/web');
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Returns the address of the page, at which a sign-in ends. */
export const phonePageUrl = (phoneUrl: string) => `${phoneUrl}/`;

/** Starts the page on the loopback address. Rejects as `listen` does, for example with EADDRINUSE. */
export async function startPhone(options: PhoneOptions): Promise<ListeningServer> {
  const headers = createSecurityHeaders(
    new URL(options.serviceUrl).origin,
    new URL(options.productImagesUrl).origin,
  );
  let url = '';
  let filesPromise: Promise<ReadonlyMap<string, string>> | undefined;
  const server = createServer(async ({ url: path = '/' }, response) => {
    const [pathname = '/'] = path.split('?', 1);
    const fileName = pathname === '/' ? '/index.html' : pathname;
    try {
      // Bundled at the first request, because most stacks never serve the page.
      filesPromise ??= bundlePage({ ...options, page: phonePageUrl(url) });
      const body = (await filesPromise).get(fileName);
      const mediaType = MEDIA_TYPES[extname(fileName)] ?? 'text/plain';
      if (body === undefined)
        response.writeHead(404, { 'content-type': 'text/plain' }).end('Nothing is here. The page is at /.');
      else response.writeHead(200, { ...headers, 'content-type': mediaType }).end(body);
    } catch (error) {
      filesPromise = undefined;
      response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error));
    }
  });
  const listeningServer = await listenOnLoopback(server, options.port);
  url = listeningServer.url;
  return listeningServer;
}

type PageValues = Pick<PhoneOptions, 'serviceUrl' | 'shop'> & {
  /** The address of the page. */
  readonly page: string;
};

/** Returns the files of the page by their paths. */
async function bundlePage({ serviceUrl, shop, page }: PageValues) {
  const { outputFiles } = await withEsbuild(() =>
    build({
      absWorkingDir: PAGE_SOURCE_FOLDER,
      entryPoints: { main: 'src/main.tsx', style: 'style.css' },
      outdir: PAGE_SOURCE_FOLDER,
      ...{ bundle: true, minify: true, write: false, format: 'esm' },
      tsconfig: 'tsconfig.json',
      define: { 'process.env.NODE_ENV': '"production"' },
    }),
  );
  const indexHtml = readFileSync(join(PAGE_SOURCE_FOLDER, 'index.html'), 'utf8')
    .replace('https://subscriptions.example.com', serviceUrl)
    .replace('https://shop.example.com/account', page)
    .replace('harbor-coffee.myshopify.com', shop);
  return new Map([
    ['/index.html', indexHtml],
    ['/icon.svg', readFileSync(join(PAGE_SOURCE_FOLDER, 'icon.svg'), 'utf8')],
    ...outputFiles.map(({ path, text }) => [path.slice(PAGE_SOURCE_FOLDER.length), text] as const),
  ]);
}

/** Content Security Policy Level 3: only the page's own files, the store's pictures, and the service. */
function createSecurityHeaders(serviceOrigin: string, platformOrigin: string): Record<string, string> {
  const contentPolicy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' ${platformOrigin}`,
    `connect-src ${serviceOrigin}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ];
  return {
    'content-security-policy': contentPolicy.join('; '),
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}
