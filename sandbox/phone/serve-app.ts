/**
 * Serves the app's files, which are read once, so no other file can be requested; and the two addresses that the app
 * needs, as `/configuration.json`. Every response has a policy that allows no external resource.
 */

import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUNDLES, bundleApp } from './bundle-app.ts';
import type { PhoneOptions, PhonePart } from './phone-part.ts';

const FOLDER = fileURLToPath(new URL('./app/', import.meta.url));
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.map': 'application/json',
  '.json': 'application/json',
};
/** The files of the page that are not bundled. */
const AS_THEY_ARE = ['index.html', 'icon.svg'];
const CONFIGURATION = 'configuration.json';
const PATHS = new Set([...AS_THEY_ARE, CONFIGURATION, ...BUNDLES].map((name) => `/${name}`));

type AppFile = { readonly mediaType: string; readonly body: string };

export function createAppFiles({ serviceUrl, platformUrl, shops }: Omit<PhoneOptions, 'port'>): PhonePart {
  const configuration = {
    serviceUrl,
    platformOrigin: new URL(platformUrl).origin,
    // The caller may pass further facts about a shop, but the app may only receive these two.
    shops: shops.map(({ shop, name }) => ({ shop, name })),
  };
  const headers = securityHeaders(new URL(serviceUrl).origin);
  let files: Promise<ReadonlyMap<string, AppFile>> | undefined;
  return (request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const file = path === '/' ? '/index.html' : path;
    if (!PATHS.has(file)) return false;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      refuseMethod(response);
      return true;
    }
    // Read at the first request, because most stacks never serve the page.
    files ??= readFiles(configuration);
    files.then(
      (read) => {
        const { mediaType, body } = read.get(file) ?? { mediaType: 'text/plain', body: '' };
        response.writeHead(200, { ...headers, 'content-type': mediaType }).end(body);
      },
      (error: Error) => response.writeHead(500, { 'content-type': 'text/plain' }).end(error.message),
    );
    return true;
  };
}

async function readFiles(configuration: object): Promise<ReadonlyMap<string, AppFile>> {
  const plain = AS_THEY_ARE.map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')] as const);
  const texts = [
    ...plain,
    ...(await bundleApp(FOLDER)),
    [CONFIGURATION, JSON.stringify(configuration)] as const,
  ];
  return new Map(
    texts.map(([name, body]) => [
      `/${name}`,
      { mediaType: MEDIA_TYPES[extname(name)] ?? 'application/octet-stream', body },
    ]),
  );
}

function refuseMethod(response: ServerResponse): void {
  response.writeHead(405, { allow: 'GET, HEAD' }).end();
}

/** Content Security Policy Level 3: only the app's own files, its pictures, and the service. */
function securityHeaders(serviceOrigin: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self' ${serviceOrigin}`,
    "frame-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}
