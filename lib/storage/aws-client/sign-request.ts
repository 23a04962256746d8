/**
 * Signs a request's headers and body with AWS Signature Version 4. A library that signs any request takes 70 µs more in
 * each of a container's first requests, because this client always signs the same headers.
 */
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
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
type RequestToSign = {
  /**
   * The value of the header `X-Amz-Target`, which names the operation. Undefined for an API with the operation in its
   * path.
   */
  readonly target?: string;
  /** The encoded path. */
  readonly path?: string;
  /** The encoded query, with at most one parameter. */
  readonly query?: string;
  readonly body: string;
  /** The time of AWS's clock, epoch milliseconds. */
  readonly signedAtMs: number;
};
export type SignedHeaders = Readonly<Record<string, string>>;
/** Returns all headers to send, including the signature. */
type SignRequest = (request: RequestToSign) => SignedHeaders;

const SIGNATURE_ALGORITHM = 'AWS4-HMAC-SHA256';

/** Creates the function that signs requests (AWS's "Create a signed AWS API request"). All requests are POST. */
export function createRequestSigner(options: SignerOptions): SignRequest {
  const { host, region, service, contentType, credentials } = options;
  const signingKeyOf = createSigningKeyOf(options);
  return ({ target, path = '/', query = '', body, signedAtMs }) => {
    const { accessKeyId, secretAccessKey, sessionToken } = credentials();
    const amzDate = formatAmzDate(signedAtMs);
    const amzDay = amzDate.slice(0, 8);
    const credentialScope = `${amzDay}/${region}/${service}/aws4_request`;
    const signedHeaders = `content-type;host;x-amz-date${sessionToken ? ';x-amz-security-token' : ''}${target ? ';x-amz-target' : ''}`;
    const headerLines = `content-type:${contentType}\nhost:${host}\nx-amz-date:${amzDate}\n${sessionToken ? `x-amz-security-token:${sessionToken}\n` : ''}${target ? `x-amz-target:${target}\n` : ''}`;
    const canonicalRequest = `POST\n${encodePathAgain(path)}\n${query}\n${headerLines}\n${signedHeaders}\n${hash('sha256', body)}`;
    const signature = createHmac('sha256', signingKeyOf(amzDay, secretAccessKey))
      .update(`${SIGNATURE_ALGORITHM}\n${amzDate}\n${credentialScope}\n${hash('sha256', canonicalRequest)}`)
      .digest('hex');
    return {
      Host: host,
      'Content-Type': contentType,
      'Content-Length': `${Buffer.byteLength(body)}`,
      'X-Amz-Date': amzDate,
      ...(sessionToken && { 'X-Amz-Security-Token': sessionToken }),
      ...(target && { 'X-Amz-Target': target }),
      Authorization: `${SIGNATURE_ALGORITHM} Credential=${accessKeyId}/${credentialScope}, SignedHeaders=${signedHeaders}, Signature=${signature}`,
    };
  };
}

/** A signature contains the path encoded twice. */
function encodePathAgain(path: string): string {
  return path === '/' ? path : path.split('/').map(encodeURIComponent).join('/');
}

/**
 * Creates the function that returns the signing key of a day such as `20261122` (AWS's "Derive a signing key"). Caches
 * the last key as a KeyObject, because Node would convert its bytes for every signature, which takes longer than the
 * rest of the signature.
 */
function createSigningKeyOf({ region, service }: SignerOptions) {
  let cachedSigningKey:
    | { readonly date: string; readonly secretAccessKey: string; readonly key: KeyObject }
    | undefined;
  return (date: string, secretAccessKey: string): KeyObject => {
    if (cachedSigningKey?.date === date && cachedSigningKey.secretAccessKey === secretAccessKey)
      return cachedSigningKey.key;
    const initialKey = Buffer.from(`AWS4${secretAccessKey}`);
    const keyParts = [date, region, service, 'aws4_request'];
    const keyBytes = keyParts.reduce(
      (key, step) => createHmac('sha256', key).update(step).digest(),
      initialKey,
    );
    cachedSigningKey = { date, secretAccessKey, key: createSecretKey(keyBytes) };
    return cachedSigningKey.key;
  };
}

/** Formats a time for the header `X-Amz-Date`, for example `20261122T101500Z`. */
function formatAmzDate(epochMs: number): string {
  const text = new Date(epochMs).toISOString();
  const twoDigitsFrom = (from: number) => text.slice(from, from + 2);
  return `${text.slice(0, 4)}${twoDigitsFrom(5)}${twoDigitsFrom(8)}T${twoDigitsFrom(11)}${twoDigitsFrom(14)}${twoDigitsFrom(17)}Z`;
}
