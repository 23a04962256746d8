/**
 * Connections to one AWS service, kept for the next request. A container may have slept since the last one, while the
 * other side closed its end: what was idle for long is not used again.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';

export type KeptConnections = {
  readonly agent: HttpAgent;
  /** Closes those that have been idle for too long: before each request, as no timer runs while a container sleeps. */
  dropIdle(): void;
  /** From now on it is idle. */
  release(socket: Socket): void;
  close(): void;
};

const MAX_IDLE_MS = 10_000;
/** As many as the SDK opens. */
const MAX_CONNECTIONS = 50;

/** None is open yet. `now` is the wall clock, which goes on while a container sleeps. */
export function createKeptConnections(protocol: string, now: () => number): KeptConnections {
  const Agent = protocol === 'https:' ? HttpsAgent : HttpAgent;
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });
  const idleSinceMs = new WeakMap<Socket, number>();
  return {
    agent,
    dropIdle() {
      const nowMs = now();
      for (const sockets of Object.values(agent.freeSockets)) {
        for (const socket of sockets ?? []) {
          // A clock that was set back tells nothing about how long it was.
          const idleMs = Math.abs(nowMs - (idleSinceMs.get(socket) ?? 0));
          if (idleMs > MAX_IDLE_MS) socket.destroy();
        }
      }
    },
    release: (socket) => void idleSinceMs.set(socket, now()),
    close: () => agent.destroy(),
  };
}
