/**
 * Messages between an instance and the runner: a length of four bytes, then JSON, over one socket pair. The
 * instance's side is blocking on purpose (see instance-runtime.mjs).
 */
import { readSync, writeSync } from 'node:fs';

const CHANNEL_FILE_DESCRIPTOR = 3;
const LENGTH_PREFIX_BYTES = 4;

/**
 * Blocks until the next message arrives, and returns it.
 * @returns undefined when the runner has closed the channel
 */
export function readMessage() {
  const length = readExactly(LENGTH_PREFIX_BYTES);
  const body = length && readExactly(length.readUInt32BE());
  return body && JSON.parse(body.toString('utf8'));
}

/** Sends a message. Returns when the operating system has accepted all bytes. */
export function writeMessage(message) {
  const body = Buffer.from(JSON.stringify(message));
  const length = Buffer.alloc(LENGTH_PREFIX_BYTES);
  length.writeUInt32BE(body.byteLength);
  const bytes = Buffer.concat([length, body]);
  for (let offset = 0; offset < bytes.byteLength; )
    offset += retryInterrupted(() => writeSync(CHANNEL_FILE_DESCRIPTOR, bytes, offset));
}

function readExactly(byteCount) {
  const bytes = Buffer.alloc(byteCount);
  for (let offset = 0; offset < byteCount; ) {
    const readCount = retryInterrupted(() =>
      readSync(CHANNEL_FILE_DESCRIPTOR, bytes, offset, byteCount - offset, null),
    );
    if (readCount === 0) return undefined;
    offset += readCount;
  }
  return bytes;
}

/** Repeats a blocking call that a signal has interrupted. Exits the process when the channel is closed. */
function retryInterrupted(call) {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if (error.code === 'EPIPE' || error.code === 'ECONNRESET') process.exit(0);
      if (error.code !== 'EINTR' && error.code !== 'EAGAIN') throw error;
    }
  }
}
