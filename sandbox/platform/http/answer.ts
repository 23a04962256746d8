/** What an endpoint answers, before anything is written: so that a fault can be put in its place. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | Buffer;
};

export function jsonAnswer(status: number, value: unknown): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: JSON.stringify(value),
  };
}

/** A redirect to a path of the same origin, under whatever address the page is seen (RFC 9110, section 15.4.4). */
export function seeOther(location: string): Answer {
  return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' };
}

export function notFound(): Answer {
  return jsonAnswer(404, { errors: 'Not Found' });
}

/** 405 and the methods that are allowed. */
export function methodNotAllowed(...allowed: string[]): Answer {
  const answer = jsonAnswer(405, { errors: `Use ${allowed.join(' or ')}.` });
  return { ...answer, headers: { ...answer.headers, allow: allowed.join(', ') } };
}
