/**
 * The phone: the example app on a port of its own, and what an operating system lends to an app that
 * signs somebody in. It knows the service's public address and nothing of its inside.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBrowserSession } from './browser-session.ts';
import { createAppFiles } from './serve-app.ts';

/** `shop` is the store's domain, `name` what people call it. */
export type PhoneShop = { readonly shop: string; readonly name: string };

export type PhoneOptions = {
  /** 0 picks a free port. */
  readonly port: number;
  readonly serviceUrl: string;
  readonly platformUrl: string;
  readonly shops: readonly PhoneShop[];
};

export type Phone = { readonly url: string; readonly close: () => Promise<void> };

/** Answers the request and returns true, or leaves it alone. */
export type PhonePart = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Starts the phone on the loopback address. Rejects as `listen` does, for example with EADDRINUSE. */
export async function startPhone(options: PhoneOptions): Promise<Phone> {
  const parts = [createAppFiles(options), createBrowserSession(options.platformUrl)];
  const server = createServer((request, response) => {
    if (parts.some((answer) => answer(request, response))) return;
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' });
    response.end('Nothing is here. The app is at /.');
  });
  const port = await listen(server, options.port);
  return { url: `http://127.0.0.1:${port}`, close: () => close(server) };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
