/**
 * A container that can never serve again ends itself after an answer. An end before the answer would fail the request
 * under way; one that comes when the container is awake again would fail the next.
 */
import type { Logger } from '../observability/logger.ts';

export type ContainerEnd = {
  /** The answer under way is this container's last one. */
  want(): void;
  /** The handler, after whose answer the end comes if it is wanted. */
  after<Parameters extends unknown[], Result>(
    handler: (...parameters: Parameters) => Promise<Result>,
  ): (...parameters: Parameters) => Promise<Result>;
};

type Deps = { readonly logger: Logger; readonly kill?: () => void };

/** The end of a container, not wanted yet. */
export function createContainerEnd({ logger, kill = killProcess }: Deps): ContainerEnd {
  let isRequested = false;
  return {
    want() {
      if (!isRequested) logger.error('this container ends: AWS no longer takes its credentials');
      isRequested = true;
    },
    after:
      (handler) =>
      async (...parameters) => {
        try {
          return await handler(...parameters);
        } finally {
          // Lambda's runtime posts the answer one turn after the handler has ended, without waiting for anything, and
          // then asks for the next invocation: no other comes before the turn after that.
          if (isRequested) setImmediate(() => setImmediate(kill));
        }
      },
  };
}

/** At once: `process.exit` would wait for the thread that asks for the next invocation. */
function killProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}
