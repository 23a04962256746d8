/**
 * A request's headers with AWS's signature over them and over the body. All that is asked of AWS is a POST with the same
 * headers, so of Signature Version 4 this is enough, and it takes a third of what a library for any request takes.
 */
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import type { AwsCredentials } from '../../config/aws-environment.ts';

type SignerOptions = {
  /** With the port if it is not the protocol's own. */
  readonly host: string;
  readonly region: string;
  /** As AWS signs it: `dynamodb`, `secretsmanager`. */
  readonly service: string;
  /** The media type of every body. */
  readonly contentType: string;
  readonly credentials: AwsCredentials;
};
type UnsignedRequest = {
  /** The operation, by its name in `X-Amz-Target`; absent: the path names it. */
  readonly target?: string;
  /** The path and the query, encoded, as they are sent. */
  readonly path?: string;
  readonly query?: string;
  readonly body: string;
  /** When it is sent, by AWS's clock, epoch milliseconds. */
  readonly atMs: number;
};
export type SignedHeaders = Readonly<Record<string, string>>;
/** All headers to send. */
type SignRequest = (request: UnsignedRequest) => SignedHeaders;

const ALGORITHM = 'AWS4-HMAC-SHA256';

/** The signer of one client (AWS's "Create a signed AWS API request"). It keeps the day's key. */
export function createRequestSigner(options: SignerOptions): SignRequest {
  const { host, region, service, contentType, credentials } = options;
  const { accessKeyId, sessionToken } = credentials;
  const keyOf = createDaysKey(options);
  const token = sessionToken ? `x-amz-security-token:${sessionToken}\n` : '';
  const names = `content-type;host;x-amz-date${token && ';x-amz-security-token'}`;
  const sent = {
    Host: host,
    'Content-Type': contentType,
    ...(sessionToken && { 'X-Amz-Security-Token': sessionToken }),
  };
  return ({ target, path = '/', query = '', body, atMs }) => {
    const time = amzDate(atMs);
    const day = time.slice(0, 8);
    const scope = `${day}/${region}/${service}/aws4_request`;
    // Method, path, query, each header under its name in lower case, in order; then their names, and the body's hash.
    const headers = `content-type:${contentType}\nhost:${host}\nx-amz-date:${time}\n${token}${target ? `x-amz-target:${target}\n` : ''}`;
    const signed = target ? `${names};x-amz-target` : names;
    const canonical = `POST\n${path}\n${query}\n${headers}\n${signed}\n${hash('sha256', body)}`;
    const text = `${ALGORITHM}\n${time}\n${scope}\n${hash('sha256', canonical)}`;
    const signature = createHmac('sha256', keyOf(day)).update(text).digest('hex');
    return {
      ...sent,
      ...(target && { 'X-Amz-Target': target }),
      'X-Amz-Date': time,
      'Content-Length': `${Buffer.byteLength(body)}`,
      Authorization: `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`,
    };
  };
}

/** The key that signs on a day (`YYYYMMDD`). */
function createDaysKey({ region, service, credentials }: SignerOptions): (day: string) => KeyObject {
  const known = { day: '', key: undefined as KeyObject | undefined };
  return (day) => {
    if (known.key === undefined || known.day !== day) {
      const parts = [day, region, service, 'aws4_request'];
      const first: string | Buffer = `AWS4${credentials.secretAccessKey}`;
      const last = parts.reduce<string | Buffer>(
        (key, part) => createHmac('sha256', key).update(part).digest(),
        first,
      );
      known.key = createSecretKey(last as Buffer);
      known.day = day;
    }
    return known.key;
  };
}

/** `20261122T101500Z`. */
function amzDate(atMs: number): string {
  const text = new Date(atMs).toISOString();
  const part = (from: number) => text.slice(from, from + 2);
  return `${text.slice(0, 4)}${part(5)}${part(8)}T${part(11)}${part(14)}${part(17)}Z`;
}
