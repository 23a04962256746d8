/**
 * Limits the input of each request on a connection. A response body is not the only input: there are interim
 * responses, header fields, chunk extensions, trailers and TLS tickets. All stores share the worker that reads them.
 */
import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';

const MAX_BYTES = 65_536;
/** Single bytes cost as much to read as large pieces. */
const MAX_READS = 1000;
/** 100 Continue and early hints (RFC 9110, section 15.2): a server needs one of each. */
const MAX_INTERIM = 2;

/**
 * Calls `cut` and ends the connection when the response exceeds the limits. Input while no request is in progress
 * ends it, too.
 */
export function boundIntake(outgoing: ClientRequest, cut: () => void): void {
  const left = { bytes: MAX_BYTES, reads: MAX_READS, interim: MAX_INTERIM };
  const end = () => {
    cut();
    outgoing.destroy();
  };
  const count = ({ length }: Buffer) => {
    left.bytes -= length;
    left.reads--;
    if (left.bytes < 0 || left.reads < 0) end();
  };
  // Node's parser cannot be stopped within a piece. Over TLS a piece is one record of 16 KB: a thousand of the
  // shortest interim responses, which take some milliseconds until the connection is closed.
  outgoing.on('information', () => {
    left.interim--;
    if (left.interim < 0) end();
  });
  outgoing.once('socket', (socket) => {
    // 'session': a TLS ticket (RFC 8446, section 4.6.1), of which a server may send any number.
    for (const event of ['data', 'session']) socket.off(event, endUnasked).on(event, count);
    outgoing.once('close', () => {
      for (const event of ['data', 'session']) socket.off(event, count).on(event, endUnasked);
    });
  });
}

function endUnasked(this: Socket): void {
  this.destroy();
}
