/**
 * An exchange is one HTTP request with its response, as the steps of a handler see it. `read-request.ts` creates it
 * from the event of API Gateway, later steps read and extend it, and `http-response.ts` converts the response to the result
 * for API Gateway.
 */
import type middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { ShopId } from '../domain/shop-id.ts';
import type { LanguageCode } from '../messages/languages.ts';

type HttpRequest = {
  /** The method in upper case. */
  readonly method: string;
  readonly path: string;
  /** The query without its question mark, as it was sent. */
  readonly query: string;
  /** The headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body as text, decoded from UTF-8. */
  readonly body: string;
  readonly userAgent: string;
};

export type Exchange = {
  readonly request: HttpRequest;
  readonly requestId: string;
  readonly startedAtMs: number;
  /** The store whose page sends the request. Undefined for apps, and for pages of a configured origin. */
  pageShopId?: ShopId | undefined;
  /** Headers of the response, also if it is an error. */
  readonly responseHeaders: Record<string, string>;
  /** Fields of the request's log line. Never a secret. */
  readonly logFields: Record<string, string | number | boolean>;
  /** The language that the GraphQL request itself names, once it is known. Headers do not set it. */
  language?: LanguageCode;
};

/** The event of API Gateway (payload format 2.0). `readRequest` adds the exchange. */
export type HttpEvent<More = unknown> = APIGatewayProxyEventV2 & { exchange: Exchange & More };
export type HttpResult = APIGatewayProxyStructuredResultV2;

/** One named step of a handler. `More` are the properties of the exchange that the step reads or adds. */
export type HandlerStep<More = unknown> = middy.MiddlewareObj<HttpEvent<More>, HttpResult>;
