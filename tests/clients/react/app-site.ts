/** Serves the app of this folder, or an example of a document, to a browser. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { withEsbuild } from '../../../tools/build/with-esbuild.ts';

const ROOT = process.cwd();
const APP = join(ROOT, 'tests/clients/react/app/app.tsx');

export type ReactVersion = 'react' | 'react-19';

/** By the name of a package, the file that takes its place. */
type StandIns = Readonly<Record<string, string>>;

/** Bundles the app with one version of React. */
export async function bundleScreen(
  react: ReactVersion,
  entry = APP,
  standIns: StandIns = {},
): Promise<string> {
  const dom = react.replace('react', 'react-dom');
  const { outputFiles } = await withEsbuild(() =>
    build({
      entryPoints: [entry],
      bundle: true,
      write: false,
      format: 'esm',
      jsx: 'automatic',
      nodePaths: [join(ROOT, 'node_modules')],
      alias: {
        react: join(ROOT, 'node_modules', react),
        'react-dom': join(ROOT, 'node_modules', dom),
        'subscription-management-client': join(ROOT, 'clients/typescript/src/client.ts'),
        'subscription-management-react': join(ROOT, 'clients/react/src/react.ts'),
        ...standIns,
      },
      define: { 'process.env.NODE_ENV': '"production"' },
      logLevel: 'silent',
    }),
  );
  return outputFiles[0]?.text ?? '';
}

/** What the documents' examples name: the service, the store and the page. */
const NAMED = {
  serviceUrl: 'https://subscriptions.example.com',
  shop: 'harbor-coffee.myshopify.com',
  page: 'https://shop.example.com/account',
} as const;

type ExampleOptions = {
  /** The text of each file by its name. `app.tsx` exports the app as its default; without `app.tsx`, `main.ts` is all. */
  readonly files: Readonly<Record<string, string>>;
  readonly actual: Readonly<Record<keyof typeof NAMED, string>>;
  readonly standIns?: StandIns;
};

/** Bundles an example of a document, as its reader writes it, for this service, store and page. */
export async function bundleExample(
  react: ReactVersion,
  { files, actual, standIns }: ExampleOptions,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'example-'));
  try {
    for (const [name, text] of Object.entries(files))
      writeFileSync(
        join(folder, name),
        text
          .replace(NAMED.serviceUrl, actual.serviceUrl)
          .replace(NAMED.shop, actual.shop)
          .replace(NAMED.page, actual.page),
      );
    if (files['app.tsx'] !== undefined) writeFileSync(join(folder, 'main.ts'), MAIN);
    return await bundleScreen(react, join(folder, 'main.ts'), standIns);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const MAIN = `import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import App from './app';
createRoot(document.getElementById('root')).render(createElement(App));`;

export type Site = {
  readonly origin: string;
  /** Determines what the page has: before that it is empty. */
  show(script: string, attributes: Readonly<Record<'serviceUrl' | 'shop', string>>): void;
  close(): Promise<void>;
};

/** Starts an empty site on a free port. Its origin is known before the service starts, which has to allow it. */
export async function startSite(): Promise<Site> {
  let page = '<title>Empty</title>';
  let code = '';
  const server = createServer(({ url = '' }, response) => {
    const isScript = url.endsWith('.js');
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8' });
    response.end(isScript ? code : url.startsWith('/empty') ? '<title>Empty</title>' : page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    show(script, { serviceUrl, shop }) {
      code = script;
      page = `<!doctype html><html lang="en" data-service-url="${serviceUrl}" data-shop="${shop}"><title>App</title>
        <link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/app.js"></script>`;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
