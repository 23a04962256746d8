/**
 * An exchange is one HTTP request and its answer as the steps of a handler see them. `read-request.ts` makes it from
 * the API Gateway event, every later step reads or adds to it, `answer.ts` makes API Gateway's result of the answer.
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
  /** Headers that go with the answer, errors included. */
  readonly responseHeaders: Record<string, string>;
  /** Facts for the one log line of this request; never a secret. */
  readonly logFields: Record<string, string | number | boolean>;
  /** The language that the request names beside its headers, once it is known. */
  language?: LanguageCode;
};

/** The API Gateway event (payload format 2.0), with the exchange once `readRequest` has run. */
export type HttpEvent<More = unknown> = APIGatewayProxyEventV2 & { exchange: Exchange & More };
export type HttpResult = APIGatewayProxyStructuredResultV2;

/** One named step of a handler's list. `More` is what the step expects or adds on the exchange. */
export type Step<More = unknown> = middy.MiddlewareObj<HttpEvent<More>, HttpResult>;
