/**
 * Pools connections to one AWS service. A container may be frozen between requests while the other side closes its
 * end, so a connection that was idle for long is not reused.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';

export type ConnectionPool = {
  readonly agent: HttpAgent;
  /**
   * Closes connections that have been idle for too long. Called before each request, because no timer runs while a
   * container is frozen.
   */
  dropIdle(): void;
  /** Marks the connection as idle from now on. */
  release(socket: Socket): void;
  close(): void;
};

const MAX_IDLE_MS = 10_000;
/** The SDK's limit. */
const MAX_CONNECTIONS = 50;

/** Creates an empty pool. `now` is the wall clock, which advances while a container is frozen. */
export function createConnectionPool(protocol: string, now: () => number): ConnectionPool {
  const Agent = protocol === 'https:' ? HttpsAgent : HttpAgent;
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });
  const idleSinceMs = new WeakMap<Socket, number>();
  return {
    agent,
    dropIdle() {
      const nowMs = now();
      for (const sockets of Object.values(agent.freeSockets)) {
        for (const socket of sockets ?? []) {
          // If the clock was set back, the idle time is unknown.
          const idleMs = Math.abs(nowMs - (idleSinceMs.get(socket) ?? 0));
          if (idleMs > MAX_IDLE_MS) socket.destroy();
        }
      }
    },
    release: (socket) => void idleSinceMs.set(socket, now()),
    close: () => agent.destroy(),
  };
}
