/**
 * Ends a container that can no longer serve, after an answer. Ending before the answer would fail the current
 * request; ending when the container resumes would fail the next one.
 */
import type { Logger } from '../observability/logger.ts';

export type ContainerEnd = {
  /** Requests the end after the current answer. */
  want(): void;
  /** Wraps the handler, so that the container ends after the answer when the end was requested. */
  after<Parameters extends unknown[], Result>(
    handler: (...parameters: Parameters) => Promise<Result>,
  ): (...parameters: Parameters) => Promise<Result>;
};

type Deps = { readonly logger: Logger; readonly kill?: () => void };

/** Creates the end of a container, which is not requested yet. */
export function createContainerEnd({ logger, kill = killProcess }: Deps): ContainerEnd {
  let isRequested = false;
  return {
    want() {
      if (!isRequested) logger.error('container.credentials_rejected');
      isRequested = true;
    },
    after:
      (handler) =>
      async (...parameters) => {
        try {
          return await handler(...parameters);
        } finally {
          // // Lambda's runtime sends the answer one turn after the handler has ended, without waiting, and then
          // polls for the next invocation. No invocation arrives before the turn after that.
          if (isRequested) setImmediate(() => setImmediate(kill));
        }
      },
  };
}

/** Ends the process immediately: `process.exit` would wait for the thread that polls for the next invocation. */
function killProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}
