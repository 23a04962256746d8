/**
 * The phone: the example app on its own port, and the parts of an operating system that an app needs for sign-in. It
 * depends only on the service's public address.
 */
import { createServer } from 'node:http';
import { type ListeningServer, listen } from '../listen.ts';
import { createBrowserSession } from './browser-session.ts';
import type { PhoneOptions } from './phone-part.ts';
import { createAppFiles } from './serve-app.ts';

/** Starts the phone on the loopback address. Rejects as `listen` does, for example with EADDRINUSE. */
export async function startPhone(options: PhoneOptions): Promise<ListeningServer> {
  const parts = [createAppFiles(options), createBrowserSession(options.platformUrl)];
  const server = createServer((request, response) => {
    if (parts.some((answer) => answer(request, response))) return;
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' });
    response.end('Nothing is here. The app is at /.');
  });
  return listen(server, options.port);
}
