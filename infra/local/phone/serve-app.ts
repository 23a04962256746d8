/**
 * The app's files, read once, so nothing but them can ever be asked for; and the two addresses the app must
 * know, as `/configuration.json`. Every answer carries a policy that allows no outside resource.
 */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleApp } from './bundle-app.ts';
import type { PhoneOptions, PhonePart } from './phone.ts';

const FOLDER = fileURLToPath(new URL('./app/', import.meta.url));
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.map': 'application/json',
};
/** What the page asks for beside its bundles. */
const AS_THEY_ARE = ['index.html', 'icon.svg'];

type AppFile = { readonly mediaType: string; readonly body: string };

export function createAppFiles({ serviceUrl, platformUrl, shops }: Omit<PhoneOptions, 'port'>): PhonePart {
  const configuration = {
    serviceUrl,
    platformOrigin: new URL(platformUrl).origin,
    // These two alone: whoever starts the phone may hand over more of a shop than the app may see.
    shops: shops.map(({ shop, name }) => ({ shop, name })),
  };
  let files: Map<string, AppFile> | undefined;
  const headers = securityHeaders(new URL(serviceUrl).origin);
  return (request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    // Not at start: most stacks are never asked for the page.
    files ??= readFiles(configuration);
    const file = files.get(path === '/' ? '/index.html' : path);
    if (file === undefined) return false;
    if (request.method !== 'GET' && request.method !== 'HEAD') refuseMethod(response);
    else response.writeHead(200, { ...headers, 'content-type': file.mediaType }).end(file.body);
    return true;
  };
}

function readFiles(configuration: object): Map<string, AppFile> {
  const plain = AS_THEY_ARE.map((path) => ({ path, text: readFileSync(join(FOLDER, path), 'utf8') }));
  const files = [...plain, ...bundleApp(FOLDER)].map(({ path, text }): [string, AppFile] => [
    `/${path}`,
    { mediaType: MEDIA_TYPES[extname(path)] ?? 'application/octet-stream', body: text },
  ]);
  const body = JSON.stringify(configuration);
  return new Map([...files, ['/configuration.json', { mediaType: 'application/json', body }]]);
}

function refuseMethod(response: ServerResponse): void {
  response.writeHead(405, { allow: 'GET, HEAD' }).end();
}

/** Content Security Policy Level 3: the app's own files, its pictures, the service; nothing else. */
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
