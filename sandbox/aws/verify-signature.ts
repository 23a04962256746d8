/**
 * Verifies signatures as AWS does before anything else: a request with a wrong signature, or signed for another time,
 * is refused.
 */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { SignatureV4 } from '@smithy/signature-v4';
import { type Credentials, deriveCredentials } from './credentials.ts';
import { Sha256 } from './sha-256.ts';

export type SignedRequest = {
  readonly service: 'dynamodb' | 'secretsmanager' | 'logs' | 'sts';
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
  /** The clock for the signatures' times. Without it any time is accepted, as the stack's clock may move in a request. */
  readonly awsClock?: (() => number) | undefined;
};
/** AWS's name and message of the error; its status is 400. */
export type SignatureError = {
  readonly type: 'IncompleteSignatureException' | 'InvalidSignatureException' | 'UnrecognizedClientException';
  readonly message: string;
};

/** Returns AWS's error, or undefined when the signature is valid. */
export async function findSignatureError(request: SignedRequest): Promise<SignatureError | undefined> {
  const givenAuthorization = parseAuthorizationHeader(request.headers.authorization);
  if (givenAuthorization === undefined)
    return { type: 'IncompleteSignatureException', message: 'Authorization is not complete.' };
  const credentials = deriveCredentials(givenAuthorization.keyId);
  const { sessionToken } = credentials;
  if (request.headers['x-amz-security-token'] !== sessionToken)
    return {
      type: 'UnrecognizedClientException',
      message: 'The security token included in the request is invalid.',
    };
  const authorizationProblem = findScopeProblem(request, givenAuthorization) ?? findTimeProblem(request);
  if (authorizationProblem !== undefined)
    return { type: 'InvalidSignatureException', message: authorizationProblem };
  const expectedSignature = await computeExpectedSignature(request, givenAuthorization, credentials);
  if (expectedSignature === givenAuthorization.signature) return undefined;
  return {
    type: 'InvalidSignatureException',
    message: `The request signature we calculated does not match the signature you provided. The headers were\nx-amz-security-token:${sessionToken}`,
  };
}

const AUTHORIZATION_PATTERN =
  /^AWS4-HMAC-SHA256 Credential=([\w-]+)\/\d{8}\/([a-z0-9-]+)\/([a-z]+)\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;

type AuthorizationHeader = NonNullable<ReturnType<typeof parseAuthorizationHeader>>;

function parseAuthorizationHeader(text = '') {
  const [, keyId, region, service, names, signature] = AUTHORIZATION_PATTERN.exec(text) ?? [];
  if (keyId === undefined || region === undefined || names === undefined) return undefined;
  return { keyId, region, service, signedHeaderNames: names.split(';'), signature };
}

const HEADERS_TO_SIGN = ['host', 'x-amz-date', 'x-amz-security-token', 'x-amz-target'];

function findScopeProblem(
  { service, headers }: SignedRequest,
  authorization: AuthorizationHeader,
): string | undefined {
  // STS names its operation in the body.
  const requiredHeaderNames = HEADERS_TO_SIGN.filter((name) => name in headers || service !== 'sts');
  const unsignedHeaderName = requiredHeaderNames.find(
    (name) => !authorization.signedHeaderNames.includes(name),
  );
  if (unsignedHeaderName !== undefined)
    return `'${unsignedHeaderName}' must be a 'SignedHeader' in the AWS Authorization.`;
  return authorization.service === service
    ? undefined
    : `Credential should be scoped to correct service: '${service}'.`;
}

const MAX_SKEW_MS = 300_000;

function findTimeProblem({ headers, awsClock }: SignedRequest): string | undefined {
  const skewMs = awsClock === undefined ? 0 : awsClock() - parseSigningDate(headers).getTime();
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return undefined;
  return skewMs > 0 ? 'Signature expired: it is of more than 5 min. ago.' : 'Signature not yet current.';
}

function parseSigningDate(headers: IncomingHttpHeaders): Date {
  const timestampPattern = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
  return new Date(`${headers['x-amz-date']}`.replace(timestampPattern, '$1-$2-$3T$4:$5:$6Z'));
}

const BODY_HASH_HEADER = 'x-amz-content-sha256';

async function computeExpectedSignature(
  request: SignedRequest,
  authorization: AuthorizationHeader,
  credentials: Credentials,
): Promise<string | undefined> {
  const { service, headers, body } = request;
  const { region, signedHeaderNames } = authorization;
  const signedHeaders = Object.fromEntries(signedHeaderNames.map((name) => [name, `${headers[name]}`]));
  // The library trusts the hash in the header, so it is recomputed here.
  if (BODY_HASH_HEADER in signedHeaders)
    signedHeaders[BODY_HASH_HEADER] = createHash('sha256').update(body).digest('hex');
  const signer = new SignatureV4({
    service,
    region,
    credentials,
    sha256: Sha256,
    applyChecksum: false,
  });
  const requestToSign = {
    method: 'POST',
    protocol: 'http:',
    hostname: '',
    path: '/',
    headers: signedHeaders,
    body,
  };
  const recomputedRequest = await signer.sign(requestToSign, {
    signingDate: parseSigningDate(headers),
    signableHeaders: new Set(signedHeaderNames),
  });
  return parseAuthorizationHeader(recomputedRequest.headers.authorization)?.signature;
}
