/**
 * The runtime inside an instance, in place of Lambda's: loads a bundle, then handles one invocation at a time. Between
 * a response and the next invocation it blocks in a read, so no timer and no callback of the function runs, like
 * Lambda's freeze. When the runner exits, the read ends and so does the process. It is plain JavaScript, so that an
 * instance starts without type stripping. Arguments: the bundle's path, the clock's offset in milliseconds.
 */
import { pathToFileURL } from 'node:url';
import { installShiftedDate, setClockOffset } from '../../clock/shifted-date.mjs';
import { readMessage, writeMessage } from './blocking-channel.mjs';
import { runInvocation, takeLateRequests, watchRequests } from './watch-requests.mjs';

const DRAIN_TIMEOUT_MS = 100;
const EVENT_LOOP_TURNS_BEFORE_NEXT = 2;
const [, , bundlePath, offsetMs] = process.argv;
setClockOffset(Number(offsetMs));
installShiftedDate();
watchRequests();

const handler = await loadHandler();
for (;;) {
  const message = readMessage();
  if (message === undefined) process.exit(0);
  if (message.type === 'drain') break;
  setClockOffset(message.offsetMs);
  process.env._X_AMZN_TRACE_ID = message.traceId;
  // Process events of the frozen time first: closed connections, timers that are due.
  await new Promise(setImmediate);
  writeMessage(await invoke(message));
  // Lambda's runtime needs a few turns of the event loop before it requests the next invocation; an instance that exits
  // does so in these turns.
  for (let turn = 0; turn < EVENT_LOOP_TURNS_BEFORE_NEXT; turn++) await new Promise(setImmediate);
  writeMessage({ type: 'next' });
}
// Pending work of the last invocation runs now for a short time, and any request it sends is reported.
setTimeout(reportDrained, DRAIN_TIMEOUT_MS).unref();
process.once('beforeExit', reportDrained);

function reportDrained() {
  writeMessage({ type: 'drained', lateRequests: takeLateRequests() });
  process.exit(0);
}

async function loadHandler() {
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

async function invoke({ event, requestId, context }) {
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
  return { type: 'answer', ...outcome, unfinishedRequests, lateRequests: takeLateRequests() };
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
