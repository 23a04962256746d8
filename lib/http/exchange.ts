/**
 * An exchange: one HTTP request and its answer, as the steps of a handler use them. `read-request.ts` creates it from
 * the API Gateway event, the later steps read and extend it, and `answer.ts` converts the answer to API Gateway's
 * result.
 */
import type middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { LanguageCode } from '../messages/languages.ts';

type HttpRequest = {
  /** The method in upper case. */
  readonly method: string;
  readonly path: string;
  /** The headers by their lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body as text, decoded as UTF-8. */
  readonly body: string;
  readonly userAgent: string;
};

export type Exchange = {
  readonly request: HttpRequest;
  readonly requestId: string;
  readonly startedAtMs: number;
  /** How long the container had waited for the platform before this request. */
  readonly platformMsBefore: number;
  /** Headers of the answer, including errors. */
  readonly responseHeaders: Record<string, string>;
  /** Fields of the request's log line; never a secret. */
  readonly logFields: Record<string, string | number | boolean>;
  /** The language that the request itself names, once it is known; it is not from a header. */
  language?: LanguageCode;
};

/** The API Gateway event (payload format 2.0), with the exchange once `readRequest` has run. */
export type HttpEvent<More = unknown> = APIGatewayProxyEventV2 & { exchange: Exchange & More };
export type HttpResult = APIGatewayProxyStructuredResultV2;

/** One named step of a handler. `More`: the properties that the step reads from or adds to the exchange. */
export type Step<More = unknown> = middy.MiddlewareObj<HttpEvent<More>, HttpResult>;
