import type { HandlerStep, HttpEvent } from './exchange.ts';

type Deps = { readonly now: () => number };

/**
 * Creates the exchange from the event of API Gateway. This is the first step of every handler. The request id is that
 * of API Gateway, so that its access log and the log of the function have the same id.
 */
export function readRequest({ now }: Deps): HandlerStep {
  return {
    name: 'readRequest',
    before: ({ event, context }) => {
      const { http, requestId } = event.requestContext;
      const id = requestId ?? context.awsRequestId;
      event.exchange = {
        request: {
          method: http.method.toUpperCase(),
          path: event.rawPath,
          query: event.rawQueryString,
          headers: event.headers,
          userAgent: http.userAgent ?? '',
          body: readBody(event),
        },
        requestId: id,
        startedAtMs: now(),
        responseHeaders: { 'x-request-id': id },
        logFields: {},
      };
    },
  };
}

function readBody({ body = '', isBase64Encoded }: HttpEvent): string {
  return isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body;
}
