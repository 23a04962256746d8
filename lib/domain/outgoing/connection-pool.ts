/**
 * A pool of connections that knows how long each one has been idle. Lambda may freeze the container between requests,
 * and the server may close connections meanwhile, so a connection that has been idle for long must not be used again.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';

export type ConnectionPool = {
  readonly agent: HttpAgent;
  /**
   * Closes connections that have been idle for longer than this. Call it before a request, because timers do not run
   * while the container is frozen.
   */
  dropIdle(maxIdleMs: number): void;
  close(): void;
};

/** The same limit as in the AWS SDK. */
const MAX_CONNECTIONS = 50;

/** Creates an empty pool. `now` must be the wall clock, which continues while a container is frozen. */
export function createConnectionPool(protocol: string, now: () => number): ConnectionPool {
  const AgentClass = protocol === 'https:' ? HttpsAgent : HttpAgent;
  const agent = new AgentClass({ keepAlive: true, maxSockets: MAX_CONNECTIONS });
  const idleSinceMsBySocket = new WeakMap<Socket, number>();
  agent.on('free', (socket: Socket) => idleSinceMsBySocket.set(socket, now()));
  return {
    agent,
    dropIdle(maxIdleMs) {
      const nowMs = now();
      for (const sockets of Object.values(agent.freeSockets)) {
        for (const socket of sockets ?? []) {
          // The wall clock may have been set back. The connection is then closed, because its idle time is unknown.
          const idleMs = Math.abs(nowMs - (idleSinceMsBySocket.get(socket) ?? 0));
          if (idleMs > maxIdleMs) socket.destroy();
        }
      }
    },
    close: () => agent.destroy(),
  };
}
