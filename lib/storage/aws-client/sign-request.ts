/** Signs a request's headers and body with AWS Signature Version 4. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import aws4 from 'aws4';
import type { AwsCredentials } from '../../config/aws-environment.ts';

type SignerOptions = {
  /** The host of the endpoint, with the port if it is not the default of the protocol. */
  readonly host: string;
  readonly region: string;
  /** The name of the service in signatures, for example `dynamodb`. */
  readonly service: string;
  /** The media type of all bodies. */
  readonly contentType: string;
  /** Returns the present credentials. */
  readonly credentials: () => AwsCredentials;
};
type UnsignedRequest = {
  /**
   * The value of the header `X-Amz-Target`, which names the operation. Undefined for an API with the operation in its
   * path.
   */
  readonly target?: string;
  /** The encoded path, with the query. */
  readonly path?: string;
  readonly body: string;
  /** The time of AWS's clock, epoch milliseconds. */
  readonly atMs: number;
};
export type SignedHeaders = Readonly<Record<string, string>>;
/** Returns all headers to send, including the signature. */
type SignRequest = (request: UnsignedRequest) => SignedHeaders;

/** Creates the function that signs requests (AWS's "Create a signed AWS API request"). All requests are POST. */
export function createRequestSigner(options: SignerOptions): SignRequest {
  const { host, region, service, contentType, credentials } = options;
  const keyOf = createSigningKeys(options);
  class Signer extends aws4.RequestSigner {
    override signature() {
      return createHmac('sha256', keyOf(this.getDate(), this.credentials))
        .update(this.stringToSign())
        .digest('hex');
    }
  }
  return ({ target, path = '/', body, atMs }) => {
    const headers = {
      Host: host,
      'Content-Type': contentType,
      'X-Amz-Date': formatAmzDate(atMs),
      ...(target && { 'X-Amz-Target': target }),
    };
    const unsigned = { method: 'POST', path, host, region, service, headers, body };
    return new Signer(unsigned, credentials() as aws4.Credentials).sign().headers as SignedHeaders;
  };
}

/**
 * Returns the signing key of a day such as `20261122` (AWS's "Derive a signing key"). Caches the last one as a KeyObject: aws4
 * caches its bytes, and Node would convert these for every signature, which takes longer than the rest of the
 * signature.
 */
function createSigningKeys({ region, service }: SignerOptions) {
  let known: { readonly date: string; readonly secretAccessKey: string; readonly key: KeyObject } | undefined;
  return (date: string, { secretAccessKey = '' }: aws4.Credentials): KeyObject => {
    if (known?.date === date && known.secretAccessKey === secretAccessKey) return known.key;
    const secret = Buffer.from(`AWS4${secretAccessKey}`);
    const steps = [date, region, service, 'aws4_request'];
    const bytes = steps.reduce((key, step) => createHmac('sha256', key).update(step).digest(), secret);
    known = { date, secretAccessKey, key: createSecretKey(bytes) };
    return known.key;
  };
}

/** Formats a time for the header `X-Amz-Date`, for example `20261122T101500Z`. */
function formatAmzDate(atMs: number): string {
  const text = new Date(atMs).toISOString();
  const part = (from: number) => text.slice(from, from + 2);
  return `${text.slice(0, 4)}${part(5)}${part(8)}T${part(11)}${part(14)}${part(17)}Z`;
}
