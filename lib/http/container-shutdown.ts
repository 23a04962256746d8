/**
 * Ends the process of a container that can no longer serve requests, after it has sent a response. Ending earlier would
 * fail the present request, and ending at the next request would fail that one.
 */
import type { Logger } from '../observability/logger.ts';

export type ContainerShutdown = {
  /** Requests the end of the process after the present response. */
  request(): void;
  /** Wraps a handler, so that the process ends after its response if the end was requested. */
  wrapHandler<Parameters extends unknown[], Result>(
    handler: (...parameters: Parameters) => Promise<Result>,
  ): (...parameters: Parameters) => Promise<Result>;
};

type Deps = { readonly logger: Logger; readonly kill?: () => void };

/** Creates the shutdown of one container. `kill` ends the process; tests replace it. */
export function createContainerShutdown({ logger, kill = killProcess }: Deps): ContainerShutdown {
  let isShutdownRequested = false;
  return {
    request() {
      if (!isShutdownRequested) logger.error('container.credentials_rejected');
      isShutdownRequested = true;
    },
    wrapHandler:
      (handler) =>
      (...parameters) => {
        const responsePromise = handler(...parameters);
        responsePromise.then(endIfRequested, endIfRequested);
        return responsePromise;
      },
  };

  function endIfRequested(): void {
    // After the handler returns, Lambda's runtime sends the response in the next turn of the event loop, and then
    // polls for the next invocation. End the process in the turn after that, before another invocation can arrive.
    if (isShutdownRequested) setImmediate(() => setImmediate(kill));
  }
}

/** Ends the process immediately. `process.exit` would wait for the thread that polls for the next invocation. */
function killProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}
