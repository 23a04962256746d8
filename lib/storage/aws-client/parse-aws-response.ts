/** Parses a response of AWS's JSON protocols 1.0 and 1.1. */
import { crc32 } from 'node:zlib';
import { parseJsonObject } from '../../domain/json-object.ts';
import type { AwsOutput } from './aws-call.ts';
import { AwsError } from './aws-error.ts';
import type { AwsResponse } from './send-once.ts';

/** The body is not JSON, or does not match its checksum. It was damaged on the way, so a retry may succeed. */
export class UnreadableAwsResponse extends Error {
  override readonly name = 'UnreadableAwsResponse';
}

/**
 * Returns the output.
 * @throws AwsError when the status is not 200
 * @throws UnreadableAwsResponse when the body cannot be read
 */
export function parseAwsResponse(response: AwsResponse): AwsOutput {
  const { status, headers, body } = response;
  const checksum = headers['x-amz-crc32'];
  if (checksum !== undefined && Number(checksum) !== crc32(body))
    throw new UnreadableAwsResponse('the checksum is wrong');
  // An empty body is an error. Taken as an output without an item, it would mean that the item does not exist.
  const output = parseJsonObject(body.toString('utf8'));
  if (status !== 200) throw toAwsError(response, output ?? {});
  if (output === undefined) throw new UnreadableAwsResponse('an answer is no JSON object');
  return output;
}

function toAwsError({ status, headers }: AwsResponse, body: AwsOutput): AwsError {
  const message = body.message ?? body.Message;
  return new AwsError({
    name: parseErrorCode(headers['x-amzn-errortype'] ?? body.__type),
    message: typeof message === 'string' ? message : `status ${status}`,
    httpStatusCode: status,
    requestId: parseRequestId(headers['x-amzn-requestid']),
    serverTimeMs: finiteOrUndefined(Date.parse(headers.date ?? '')),
    retryAfterMs: finiteOrUndefined(Number(headers['x-amz-retry-after'] ?? Number.NaN)),
  });
}

/**
 * Returns the error code from `com.amazonaws.dynamodb.v20120810#ThrottlingException` or `ThrottlingException:http://…`.
 */
function parseErrorCode(errorType: unknown): string {
  const [, name] =
    /^(?:[\w.]+#)?(\w{1,100})(?::.*)?$/.exec(typeof errorType === 'string' ? errorType : '') ?? [];
  return name ?? 'UnknownError';
}

/** Returns the header if it has the form of a request id, because it is logged. */
function parseRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w-]{1,100}$/.test(header) ? header : undefined;
}

function finiteOrUndefined(number: number): number | undefined {
  return Number.isFinite(number) ? number : undefined;
}
