/**
 * The runtime inside an instance that handles its invocations concurrently, without a freeze between them. As on Lambda
 * Managed Instances, the environment contains no trace id. Arguments: those of instance-runtime.mjs.
 */
import { Socket } from 'node:net';
import { installShiftedDate, setClockOffset } from '../../clock/shifted-date.mjs';
import { loadHandler, runHandler } from './run-handler.mjs';
import { readMessages, writeMessage } from './runner-channel.ts';
import { watchRequests } from './watch-requests.mjs';

const CHANNEL_FILE_DESCRIPTOR = 3;
const [, , bundlePath, offsetMs] = process.argv;
setClockOffset(Number(offsetMs));
installShiftedDate();
watchRequests();

const channel = new Socket({ fd: CHANNEL_FILE_DESCRIPTOR });
// The runner has ended.
channel.once('close', () => process.exit(0));
const send = (message) => writeMessage(channel, message);
const handler = await loadHandler(bundlePath, send);
readMessages(channel, (message) => {
  setClockOffset(message.offsetMs);
  void runHandler(handler, message).then(send);
});
