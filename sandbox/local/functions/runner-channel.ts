/** The runner's side of an instance's channel: a length of four bytes, then JSON. */
import type { Duplex } from 'node:stream';

const LENGTH_PREFIX_BYTES = 4;

/** Calls `onMessage` for each complete message. */
export function readMessages(channel: Duplex, onMessage: (message: unknown) => void): void {
  let receivedChunks: Buffer[] = [];
  let receivedByteCount = 0;
  let messageByteCount = LENGTH_PREFIX_BYTES;
  channel.on('data', (chunk: Buffer) => {
    receivedChunks.push(chunk);
    receivedByteCount += chunk.byteLength;
    if (receivedByteCount < messageByteCount) return;
    let receivedBytes = Buffer.concat(receivedChunks);
    for (;;) {
      messageByteCount =
        LENGTH_PREFIX_BYTES +
        (receivedBytes.byteLength >= LENGTH_PREFIX_BYTES ? receivedBytes.readUInt32BE() : 0);
      if (receivedBytes.byteLength < messageByteCount || messageByteCount === LENGTH_PREFIX_BYTES) break;
      onMessage(JSON.parse(receivedBytes.toString('utf8', LENGTH_PREFIX_BYTES, messageByteCount)));
      receivedBytes = receivedBytes.subarray(messageByteCount);
    }
    receivedChunks = [receivedBytes];
    receivedByteCount = receivedBytes.byteLength;
  });
}

export function writeMessage(channel: Duplex, message: object): void {
  const body = Buffer.from(JSON.stringify(message));
  const lengthPrefix = Buffer.alloc(LENGTH_PREFIX_BYTES);
  lengthPrefix.writeUInt32BE(body.byteLength);
  channel.write(Buffer.concat([lengthPrefix, body]));
}
