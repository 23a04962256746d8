/** A request's headers with AWS's signature (Signature Version 4) over them and over the body. */
import aws4 from 'aws4';
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
  /** With the query, encoded, as it is sent. */
  readonly path?: string;
  readonly body: string;
  /** When it is sent, by AWS's clock, epoch milliseconds. */
  readonly atMs: number;
};
export type SignedHeaders = Readonly<Record<string, string>>;
/** All headers to send. */
type SignRequest = (request: UnsignedRequest) => SignedHeaders;

/** The signer of one client, for POST alone (AWS's "Create a signed AWS API request"). */
export function createRequestSigner(options: SignerOptions): SignRequest {
  const { host, region, service, contentType, credentials } = options;
  return ({ target, path = '/', body, atMs }) => {
    const headers = {
      Host: host,
      'Content-Type': contentType,
      'X-Amz-Date': amzDate(atMs),
      ...(target && { 'X-Amz-Target': target }),
    };
    const unsigned = { method: 'POST', path, host, region, service, headers, body };
    return aws4.sign(unsigned, credentials as aws4.Credentials).headers as SignedHeaders;
  };
}

/** `20261122T101500Z`. */
function amzDate(atMs: number): string {
  const text = new Date(atMs).toISOString();
  const part = (from: number) => text.slice(from, from + 2);
  return `${text.slice(0, 4)}${part(5)}${part(8)}T${part(11)}${part(14)}${part(17)}Z`;
}
