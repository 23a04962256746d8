/**
 * The runtime inside an instance, in place of Lambda's: loads a bundle, then handles one invocation at a time. Between
 * a response and the next invocation it blocks in a read, so no timer and no callback of the function runs, like
 * Lambda's freeze. When the runner exits, the read ends and so does the process. It is plain JavaScript, so that an
 * instance starts without type stripping. Arguments: the bundle's path, the clock's offset in milliseconds.
 */
import { installShiftedDate, setClockOffset } from '../../clock/shifted-date.mjs';
import { readMessage, writeMessage } from './blocking-channel.mjs';
import { loadHandler, runHandler } from './run-handler.mjs';
import { takeLateRequests, watchRequests } from './watch-requests.mjs';

const DRAIN_TIMEOUT_MS = 100;
const EVENT_LOOP_TURNS_BEFORE_NEXT = 2;
const [, , bundlePath, offsetMs] = process.argv;
setClockOffset(Number(offsetMs));
installShiftedDate();
watchRequests();

const handler = await loadHandler(bundlePath, writeMessage);
for (;;) {
  const message = readMessage();
  if (message === undefined) process.exit(0);
  if (message.type === 'drain') break;
  setClockOffset(message.offsetMs);
  process.env._X_AMZN_TRACE_ID = message.traceId;
  // Process events of the frozen time first: closed connections, timers that are due.
  await new Promise(setImmediate);
  writeMessage(await runHandler(handler, message));
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
