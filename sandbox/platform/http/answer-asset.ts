/**
 * Serves the style sheet, the mailbox's script and product pictures. The files are read once; no other file can be
 * served.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { assetsDirectory } from '../state/state.ts';
import { type Answer, methodNotAllowed, notFound } from './answer.ts';
import type { PlatformRequest } from './platform-request.ts';

const pagesDirectory = new URL('../pages/', import.meta.url);

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

let assets: Map<string, Answer> | undefined;

export function answerAsset(request: PlatformRequest, name: string): Answer {
  if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed('GET', 'HEAD');
  assets ??= new Map([...readAssets(pagesDirectory), ...readAssets(assetsDirectory)]);
  return assets.get(name) ?? notFound();
}

function readAssets(directory: URL): [string, Answer][] {
  return readdirSync(directory).flatMap((name): [string, Answer][] => {
    const mediaType = mediaTypes[extname(name)];
    if (mediaType === undefined) return [];
    const headers = {
      'content-type': mediaType,
      'cache-control': 'max-age=300',
      'x-content-type-options': 'nosniff',
      // A picture that is opened directly must not run scripts either.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    };
    return [[name, { status: 200, headers, body: readFileSync(new URL(name, directory)) }]];
  });
}
