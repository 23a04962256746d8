/** A request's headers with AWS's signature (Signature Version 4) over them and over the body. */
import aws4 from 'aws4';
import type { AwsCredentials } from '../../config/aws-environment.ts';

export type UnsignedRequest = {
  /** With the port if it is not the protocol's own. */
  readonly host: string;
  readonly region: string;
  /** As AWS signs it: `dynamodb`, `secretsmanager`. */
  readonly service: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** When it is sent, by AWS's clock, epoch milliseconds. */
  readonly atMs: number;
};
export type SignedHeaders = Readonly<Record<string, string>>;

/** All headers to send, for a POST to `/`. */
export function signRequest(request: UnsignedRequest, credentials: AwsCredentials): SignedHeaders {
  const { host, region, service, headers, body, atMs } = request;
  const signed = aws4.sign(
    {
      method: 'POST',
      path: '/',
      host,
      region,
      service,
      headers: { ...headers, Host: host, 'X-Amz-Date': amzDate(atMs) },
      body,
    },
    credentials as aws4.Credentials,
  );
  return signed.headers as SignedHeaders;
}

/** `20261122T101500Z`. */
function amzDate(atMs: number): string {
  return new Date(atMs).toISOString().replace(/[:-]|\.\d{3}/g, '');
}
