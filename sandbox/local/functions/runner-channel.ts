/** The runner's side of an instance's channel: a length of four bytes, then JSON. */
import type { Duplex } from 'node:stream';

const LENGTH_PREFIX_BYTES = 4;

/** Calls `onMessage` for each complete message. */
export function readMessages(channel: Duplex, onMessage: (message: unknown) => void): void {
  let receivedChunks: Buffer[] = [];
  let neededBytes = 0;
  let bytesNeeded = LENGTH_PREFIX_BYTES;
  channel.on('data', (chunk: Buffer) => {
    receivedChunks.push(chunk);
    neededBytes += chunk.byteLength;
    if (neededBytes < bytesNeeded) return;
    let receivedBytes = Buffer.concat(receivedChunks);
    for (;;) {
      bytesNeeded =
        LENGTH_PREFIX_BYTES +
        (receivedBytes.byteLength >= LENGTH_PREFIX_BYTES ? receivedBytes.readUInt32BE() : 0);
      if (receivedBytes.byteLength < bytesNeeded || bytesNeeded === LENGTH_PREFIX_BYTES) break;
      onMessage(JSON.parse(receivedBytes.toString('utf8', LENGTH_PREFIX_BYTES, bytesNeeded)));
      receivedBytes = receivedBytes.subarray(bytesNeeded);
    }
    receivedChunks = [receivedBytes];
    neededBytes = receivedBytes.byteLength;
  });
}

export function writeMessage(channel: Duplex, message: object): void {
  const body = Buffer.from(JSON.stringify(message));
  const lengthPrefix = Buffer.alloc(LENGTH_PREFIX_BYTES);
  lengthPrefix.writeUInt32BE(body.byteLength);
  channel.write(Buffer.concat([lengthPrefix, body]));
}
