/** The text of a request in Bruno's own format (docs.usebruno.com, "Bru Lang"). */

export type BruRequest = {
  readonly name: string;
  readonly method: 'get' | 'post' | 'delete';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A variable's name, whose value is the bearer. */
  readonly bearer?: string;
  readonly json?: unknown;
  readonly query?: string;
  /** Variables that the answer gives, each with an expression over `res`. */
  readonly keeps?: Readonly<Record<string, string>>;
  /** JavaScript that runs before it. */
  readonly before?: readonly string[];
  readonly about?: string;
};

/** The file of a request, `place` being its number in the folder. */
export function bruText(request: BruRequest, place: number): string {
  const { name, method, url, headers, bearer, json, query, keeps, before, about } = request;
  const body = query === undefined ? (json === undefined ? 'none' : 'json') : 'graphql';
  const auth = bearer === undefined ? 'none' : 'bearer';
  return [
    pairs('meta', { name, type: query === undefined ? 'http' : 'graphql', seq: `${place}` }),
    pairs(method, { url: `{{baseUrl}}${url}`, body, auth }),
    headers && pairs('headers', headers),
    bearer && pairs('auth:bearer', { token: `{{${bearer}}}` }),
    json !== undefined && block('body:json', JSON.stringify(json, null, 2)),
    query !== undefined && block('body:graphql', query.trim()),
    keeps && pairs('vars:post-response', keeps),
    before && block('script:pre-request', before.join('\n')),
    about && block('docs', about),
  ]
    .filter((part) => typeof part === 'string')
    .join('\n');
}

/** A block of names and values. */
export function pairs(name: string, values: Readonly<Record<string, string>>): string {
  return block(
    name,
    Object.entries(values)
      .map(([key, value]) => `${key}: ${value}`)
      .join('\n'),
  );
}

function block(name: string, text: string): string {
  const lines = text.split('\n').map((line) => (line === '' ? '' : `  ${line}`));
  return `${name} {\n${lines.join('\n')}\n}\n`;
}
