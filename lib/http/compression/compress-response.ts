import { loadOnce } from '../../domain/load-once.ts';
import type { HandlerStep } from '../exchange.ts';
import { acceptsGzip } from './accepts-gzip.ts';

/** A shorter response fits into one packet. */
const MIN_CHARACTERS_TO_COMPRESS = 1_024;
/** Compressing a longer response would take too much memory and time (docs/costs.md). */
const MAX_CHARACTERS_TO_COMPRESS = 256 * 1024;
/** The fastest level: a higher one saves a few per cent more. */
const GZIP_LEVEL = 1;

const loadZlib = loadOnce(() => import('node:zlib'));

/** Compresses the response for a client that says that it accepts gzip (RFC 9110, section 12.5.3). */
export const gzipResponse: HandlerStep = {
  name: 'gzipResponse',
  async after({ event: { exchange }, response }) {
    const acceptedEncodings = exchange.request.headers['accept-encoding'];
    if (response === null || response === undefined) return;
    const { body, isBase64Encoded, headers } = response;
    if (body === undefined || isBase64Encoded === true) return;
    if (body.length < MIN_CHARACTERS_TO_COMPRESS || body.length > MAX_CHARACTERS_TO_COMPRESS) return;
    // Clients without the header may not decode, although RFC 9110 would allow it.
    if (acceptedEncodings === undefined || !acceptsGzip(acceptedEncodings)) return;
    const { gzipSync } = await loadZlib();
    response.headers = { ...headers, 'content-encoding': 'gzip' };
    response.body = gzipSync(body, { level: GZIP_LEVEL }).toString('base64');
    response.isBase64Encoded = true;
  },
};
