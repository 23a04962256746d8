/** Signs a request's headers and body with AWS Signature Version 4. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import aws4 from 'aws4';
import type { AwsCredentials } from '../../config/aws-environment.ts';

type SignerOptions = {
  /** With the port if it is not the protocol's default. */
  readonly host: string;
  readonly region: string;
  /** The service's name in signatures: `dynamodb`, `secretsmanager`. */
  readonly service: string;
  /** The media type of every body. */
  readonly contentType: string;
  readonly credentials: AwsCredentials;
};
type UnsignedRequest = {
  /** The operation's name for `X-Amz-Target`; absent when the path contains it. */
  readonly target?: string;
  /** The encoded path with the query. */
  readonly path?: string;
  readonly body: string;
  /** The time of AWS's clock, epoch milliseconds. */
  readonly atMs: number;
};
export type SignedHeaders = Readonly<Record<string, string>>;
/** All headers to send. */
type SignRequest = (request: UnsignedRequest) => SignedHeaders;

/** Creates the signer of one client, only for POST (AWS's "Create a signed AWS API request"). */
export function createRequestSigner(options: SignerOptions): SignRequest {
  const { host, region, service, contentType, credentials } = options;
  const keyOf = createSigningKeys(options);
  class Signer extends aws4.RequestSigner {
    override signature() {
      return createHmac('sha256', keyOf(this.getDate())).update(this.stringToSign()).digest('hex');
    }
  }
  return ({ target, path = '/', body, atMs }) => {
    const headers = {
      Host: host,
      'Content-Type': contentType,
      'X-Amz-Date': amzDate(atMs),
      ...(target && { 'X-Amz-Target': target }),
    };
    const unsigned = { method: 'POST', path, host, region, service, headers, body };
    return new Signer(unsigned, credentials as aws4.Credentials).sign().headers as SignedHeaders;
  };
}

/**
 * Returns the key of a day, `20261122` (AWS's "Derive a signing key"). aws4 stores it as bytes, which Node converts
 * to a key for each MAC: that takes longer than the rest of the signature.
 */
function createSigningKeys({ region, service, credentials }: SignerOptions): (date: string) => KeyObject {
  let known: { readonly date: string; readonly key: KeyObject } | undefined;
  return (date) => {
    if (known?.date === date) return known.key;
    const secret = Buffer.from(`AWS4${credentials.secretAccessKey}`);
    const steps = [date, region, service, 'aws4_request'];
    const bytes = steps.reduce((key, step) => createHmac('sha256', key).update(step).digest(), secret);
    known = { date, key: createSecretKey(bytes) };
    return known.key;
  };
}

/** `20261122T101500Z`. */
function amzDate(atMs: number): string {
  const text = new Date(atMs).toISOString();
  const part = (from: number) => text.slice(from, from + 2);
  return `${text.slice(0, 4)}${part(5)}${part(8)}T${part(11)}${part(14)}${part(17)}Z`;
}
