/**
 * One HTTP exchange as the steps of a handler see it. `read-request.ts` makes it from the API Gateway event,
 * every later step reads or adds to it, `answer.ts` turns what was answered into API Gateway's result.
 */
import type middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

export type HttpRequest = {
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body as text, decoded as UTF-8. */
  readonly body: string;
  readonly userAgent: string;
};

export type Exchange = {
  readonly request: HttpRequest;
  readonly requestId: string;
  readonly startedAtMs: number;
  /** Go with the answer, whatever it is. */
  readonly responseHeaders: Record<string, string>;
  /** Facts for the one log line of this request; never a secret. */
  readonly logFields: Record<string, string | number | boolean>;
};

/** The API Gateway event (payload format 2.0), with the exchange once `readRequest` has run. */
export type HttpEvent<More = unknown> = APIGatewayProxyEventV2 & { exchange: Exchange & More };
export type HttpResult = APIGatewayProxyStructuredResultV2;

/** One named step of a handler's list. `More` is what it expects or adds on the exchange. */
export type Step<More = unknown> = middy.MiddlewareObj<HttpEvent<More>, HttpResult>;
