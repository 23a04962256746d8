/** A server of the local stack on the loopback address. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ListeningServer = { readonly url: string; close(): Promise<void> };

/** Listens on 127.0.0.1; port 0 picks a free one. Rejects with the system's error, for example EADDRINUSE. */
export function listenOnLoopback(server: Server, port: number): Promise<ListeningServer> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      const { port: actualPort } = server.address() as AddressInfo;
      resolve({ url: `http://127.0.0.1:${actualPort}`, close: () => closeServer(server) });
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
