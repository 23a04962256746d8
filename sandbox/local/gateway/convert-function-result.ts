/** Converts a function's result to the HTTP response of an HTTP API (payload format 2.0). */

export type GatewayResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
};

/** Headers that API Gateway sets itself and ignores in a result. */
const GATEWAY_SET_HEADERS = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
]);

/**
 * Converts a result. Without a `statusCode`, the result itself is the body, with 200 and JSON. A result that API
 * Gateway cannot read becomes its 500.
 */
export function convertFunctionResult(result: unknown): GatewayResponse {
  if (typeof result !== 'object' || result === null || !('statusCode' in result))
    return inferResponse(result);
  const statusCode = Number(result.statusCode);
  const { body, headers, cookies, isBase64Encoded } = result as Record<string, unknown>;
  if (!Number.isInteger(statusCode) || statusCode < 100 || statusCode > 599)
    return createGatewayResponse(500);
  if (body !== undefined && body !== null && typeof body !== 'string') return createGatewayResponse(500);
  return {
    status: statusCode,
    headers: { 'content-type': 'text/plain;charset=UTF-8', ...convertHeaders(headers) },
    cookies: Array.isArray(cookies) ? cookies.map(String) : [],
    body: Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8'),
  };
}

function inferResponse(result: unknown): GatewayResponse {
  const text = typeof result === 'string' ? result : JSON.stringify(result ?? null);
  return { status: 200, headers: JSON_TYPE, cookies: [], body: Buffer.from(text) };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const MESSAGE_BY_STATUS = {
  413: 'Request Entity Too Large',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

/** Creates a response of API Gateway itself. */
export function createGatewayResponse(status: keyof typeof MESSAGE_BY_STATUS): GatewayResponse {
  return {
    status,
    headers: JSON_TYPE,
    cookies: [],
    body: Buffer.from(JSON.stringify({ message: MESSAGE_BY_STATUS[status] })),
  };
}

function convertHeaders(headers: unknown): Record<string, string> {
  const headerEntries = Object.entries((headers ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    headerEntries
      .filter(
        ([name, value]) =>
          value !== undefined && value !== null && !GATEWAY_SET_HEADERS.has(name.toLowerCase()),
      )
      .map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}
