/** The response of an endpoint, before it is written, so that a fault can replace it. */
export type PlatformResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | Buffer;
};

export function createJsonResponse(status: number, value: unknown): PlatformResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: JSON.stringify(value),
  };
}

/** Creates a redirect to a path of the same origin, whatever the page's address is (RFC 9110, section 15.4.4). */
export function redirectSeeOther(location: string): PlatformResponse {
  return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' };
}

export function createNotFoundResponse(): PlatformResponse {
  return createJsonResponse(404, { errors: 'Not Found' });
}

/** Creates the response 405 with the allowed methods. */
export function createMethodNotAllowedResponse(...allowed: string[]): PlatformResponse {
  const responseWithoutAllow = createJsonResponse(405, { errors: `Use ${allowed.join(' or ')}.` });
  return { ...responseWithoutAllow, headers: { ...responseWithoutAllow.headers, allow: allowed.join(', ') } };
}
