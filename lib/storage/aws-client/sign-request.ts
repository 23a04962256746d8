/** A request's headers with AWS's signature (Signature Version 4) over them and over the body. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
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
 * The key of a day, `20261122` (AWS's "Derive a signing key"). aws4 keeps it as bytes, of which Node makes a key for each
 * MAC: that costs more than the rest of the signature.
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
