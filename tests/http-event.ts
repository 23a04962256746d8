import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';

type Request = {
  readonly method?: string;
  readonly path?: string;
  /** Without the question mark. */
  readonly query?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
};

/** An API Gateway event (payload format 2.0) for tests that call a handler without a server. */
export function httpEvent(request: Request = {}): APIGatewayProxyEventV2 {
  const { method = 'GET', path = '/', query = '', headers = {}, body, isBase64Encoded = false } = request;
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: query,
    headers,
    isBase64Encoded,
    ...(body !== undefined && { body }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'test',
      domainName: 'test',
      domainPrefix: 'test',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'test' },
      requestId: 'request-1',
      routeKey: '$default',
      stage: '$default',
      time: '',
      timeEpoch: 0,
    },
  };
}

/** A Lambda context with the one field that the handlers read. */
export const context = { awsRequestId: 'invocation-1' } as Context;
