/**
 * The operating system's browser session (ASWebAuthenticationSession, Custom Tabs), emulated by a reverse proxy,
 * because no web page can receive a redirect to `shop.<id>.app://callback`. It forwards only the platform's sign-in
 * pages and pictures, and passes such a redirect to the app.
 */

import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http';
import { callbackPage, messagePage } from './browser-session-pages.ts';
import type { PhonePart } from './phone-part.ts';

const CARRIED_PATHS = ['/authentication/', '/_assets/'];
const REGISTERED_SCHEME = /^shop\.[a-z0-9.-]+:\/\//i;
const SANDBOX = 'sandbox allow-forms allow-popups allow-same-origin';
const TIMEOUT_MS = 30_000;
/** The headers of one connection only (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

export function createBrowserSession(platformUrl: string): PhonePart {
  const platformOrigin = new URL(platformUrl).origin;
  return (request, response) => {
    const target = carriedAddress(request.url ?? '/', platformOrigin);
    if (target === undefined) return false;
    carry({ request, response, target });
    return true;
  };
}

/**
 * Maps a local address to the platform's.
 * @returns undefined when the path is not forwarded
 */
function carriedAddress(address: string, platformOrigin: string): URL | undefined {
  if (!URL.canParse(address, platformOrigin)) return undefined;
  const target = new URL(address, platformOrigin);
  // After the check, an encoded slash or dot could become another path.
  if (target.origin !== platformOrigin || /%2f|%5c|%2e/i.test(target.pathname)) return undefined;
  return CARRIED_PATHS.some((path) => target.pathname.startsWith(path)) ? target : undefined;
}

type Journey = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly target: URL };

function carry({ request, response, target }: Journey): void {
  const ownOrigin = `http://${request.headers.host}`;
  const upstream = send(
    target,
    {
      method: request.method,
      headers: requestHeaders(request.headers, { ownOrigin, target }),
      timeout: TIMEOUT_MS,
    },
    (answer) => {
      const destination = redirectOf(answer, target);
      if (destination !== undefined && REGISTERED_SCHEME.test(destination)) {
        answer.resume();
        return callbackPage(response, { callbackUrl: destination, setCookie: answer.headers['set-cookie'] });
      }
      if (destination !== undefined && new URL(destination).origin !== target.origin) {
        answer.resume();
        return messagePage(response, 'The sign-in page leads to another site. Close it and start again.');
      }
      response.writeHead(
        answer.statusCode ?? 502,
        responseHeaders(answer.headers, { ownOrigin, destination }),
      );
      answer.pipe(response);
    },
  );
  upstream.on('timeout', () => upstream.destroy(new Error('The platform did not answer.')));
  upstream.on('error', () => {
    if (response.headersSent) response.destroy();
    else messagePage(response, 'The sign-in page cannot be reached. Close it and try again in a moment.');
  });
  request.pipe(upstream);
}

function redirectOf(answer: IncomingMessage, target: URL): string | undefined {
  const { location } = answer.headers;
  const status = answer.statusCode ?? 0;
  if (location === undefined || status < 300 || status > 399) return undefined;
  return REGISTERED_SCHEME.test(location) ? location : new URL(location, target).href;
}

type Origins = { readonly ownOrigin: string; readonly target: URL };

/** Returns the headers that a browser at the platform's own address would send. */
function requestHeaders(headers: IncomingHttpHeaders, { ownOrigin, target }: Origins): IncomingHttpHeaders {
  const sent = without(headers, HOP_BY_HOP);
  sent.host = target.host;
  if (sent.origin === ownOrigin) sent.origin = target.origin;
  if (sent.referer?.startsWith(ownOrigin))
    sent.referer = target.origin + sent.referer.slice(ownOrigin.length);
  return sent;
}

type Outcome = { readonly ownOrigin: string; readonly destination: string | undefined };

/**
 * For the platform the session is a separate window, so its framing policy does not apply to the app's sheet. In turn
 * the platform's pages run no script here, where they share an origin with the app: CSP Level 3, `sandbox`.
 */
function responseHeaders(
  headers: IncomingHttpHeaders,
  { ownOrigin, destination }: Outcome,
): IncomingHttpHeaders {
  const sent = without(headers, [...HOP_BY_HOP, 'x-frame-options']);
  const policy = `${headers['content-security-policy'] ?? ''}`.replace(/\s*frame-ancestors[^;]*(;|$)/gi, '');
  sent['content-security-policy'] = [policy, SANDBOX].filter((part) => part !== '').join(', ');
  if (destination !== undefined) {
    const { pathname, search, hash } = new URL(destination);
    sent.location = `${ownOrigin}${pathname}${search}${hash}`;
  }
  return sent;
}

function without(headers: IncomingHttpHeaders, names: readonly string[]): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
