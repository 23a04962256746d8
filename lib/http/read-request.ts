import type { HttpEvent, Step } from './exchange.ts';

type Deps = { readonly now: () => number };

/**
 * First step of every handler: API Gateway's event becomes an exchange.
 * The request id is API Gateway's own, so that its access log and ours name the same request.
 */
export function readRequest({ now }: Deps): Step {
  return {
    name: 'readRequest',
    before: ({ event, context }) => {
      const { http, requestId } = event.requestContext;
      const id = requestId ?? context.awsRequestId;
      event.exchange = {
        request: {
          method: http.method.toUpperCase(),
          path: event.rawPath,
          headers: event.headers,
          userAgent: http.userAgent ?? '',
          ...readBody(event),
        },
        requestId: id,
        startedAtMs: now(),
        responseHeaders: { 'x-request-id': id },
        logFields: {},
      };
    },
  };
}

function readBody({ body, isBase64Encoded }: HttpEvent) {
  if (body === undefined) return { body: '', bodyBytes: 0 };
  if (!isBase64Encoded) return { body, bodyBytes: Buffer.byteLength(body) };
  const bytes = Buffer.from(body, 'base64');
  return { body: bytes.toString('utf8'), bodyBytes: bytes.byteLength };
}
