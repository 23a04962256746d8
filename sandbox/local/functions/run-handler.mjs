/** Loads a bundle inside an instance and runs its handler, as Lambda's runtime does. */
import { pathToFileURL } from 'node:url';
import { runInvocation, takeLateRequests } from './watch-requests.mjs';

/** Loads the bundle's handler, and sends `ready` to the runner. Exits the process when the bundle does not load. */
export async function loadHandler(bundlePath, writeMessage) {
  try {
    const loaded = await import(pathToFileURL(bundlePath).href);
    if (typeof loaded.handler !== 'function')
      throw new Error('The bundle exports no function named handler.');
    writeMessage({ type: 'ready' });
    return loaded.handler;
  } catch (error) {
    writeMessage({ type: 'failed', error: describeError(error) });
    process.exit(1);
  }
}

/** Runs one invocation and returns its response as a message for the runner. */
export async function runHandler(handler, { event, requestId, context }) {
  const deadlineMs = performance.now() + context.timeoutMs;
  const lambdaContext = {
    ...context.fields,
    awsRequestId: requestId,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, Math.round(deadlineMs - performance.now())),
  };
  const { outcome, unfinishedRequests } = await runInvocation(requestId, async () => {
    try {
      return { result: toSerializableResult(await handler(event, lambdaContext)) };
    } catch (error) {
      return { error: describeError(error) };
    }
  });
  return { type: 'answer', requestId, ...outcome, unfinishedRequests, lateRequests: takeLateRequests() };
}

/**
 * Converts the result as Lambda's runtime does: a value that JSON does not support fails the invocation; undefined
 * becomes null.
 */
function toSerializableResult(result) {
  return JSON.parse(JSON.stringify(result ?? null));
}

function describeError(error) {
  if (!(error instanceof Error))
    return { errorType: typeof error, errorMessage: String(error), stackTrace: [] };
  return { errorType: error.name, errorMessage: error.message, stackTrace: (error.stack ?? '').split('\n') };
}
