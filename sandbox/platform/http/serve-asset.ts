/**
 * Serves the style sheet, the mailbox's script and product pictures. The files are read once; no other file can be
 * served.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { ASSETS_DIRECTORY } from '../state/state.ts';
import type { PlatformRequest } from './platform-request.ts';
import { createMethodNotAllowedResponse, createNotFoundResponse, type PlatformResponse } from './response.ts';

const PAGES_DIRECTORY = new URL('../pages/', import.meta.url);

const MEDIA_TYPE_BY_EXTENSION: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

let cachedAssets: Map<string, PlatformResponse> | undefined;

export function serveAsset(request: PlatformRequest, name: string): PlatformResponse {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return createMethodNotAllowedResponse('GET', 'HEAD');
  cachedAssets ??= new Map([...readAssets(PAGES_DIRECTORY), ...readAssets(ASSETS_DIRECTORY)]);
  return cachedAssets.get(name) ?? createNotFoundResponse();
}

function readAssets(directory: URL): [string, PlatformResponse][] {
  return readdirSync(directory).flatMap((name): [string, PlatformResponse][] => {
    const mediaType = MEDIA_TYPE_BY_EXTENSION[extname(name)];
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
