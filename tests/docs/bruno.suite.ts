/** The collection of docs/bruno, read with Bruno's own parser and sent as a whole, in its order, to a running stack. */
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { bruToEnvJsonV2, bruToJsonV2, collectionBruToJson } from '@usebruno/lang';
import { brunoFiles } from '../../infra/tools/generate/bruno/bruno-files.ts';
import { authorize, send } from '../contract/world/service-client.ts';
import { stack } from '../contract/world/shared-stack.ts';

const FOLDER = 'docs/bruno';
const read = (file: string) => readFileSync(file, 'utf8');
const inOrder = (one: { seq: number }, other: { seq: number }) => one.seq - other.seq;

const requests = globSync(`${FOLDER}/*/folder.bru`)
  .map((file) => ({ folder: dirname(file), seq: Number(collectionBruToJson(read(file)).meta.seq) }))
  .sort(inOrder)
  .flatMap(({ folder }) =>
    globSync(`${folder}/*.bru`, { exclude: ['**/folder.bru'] })
      .map((file) => ({ file, ...bruToJsonV2(read(file)), seq: Number(bruToJsonV2(read(file)).meta.seq) }))
      .sort(inOrder),
  );

/** The variables of the run, as Bruno keeps them. */
const kept = new Map<string, unknown>();
const filled = (text: string) =>
  text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => {
    if (!kept.has(name)) throw new Error(`Nothing has set {{${name}}}.`);
    return String(kept.get(name));
  });

/** Sends one request as Bruno does. */
async function run(request: (typeof requests)[number]) {
  const { http, headers = [], auth, body = {}, vars, script } = request;
  if (script?.req)
    new Function('bru', script.req)({ setVar: (name: string, value: unknown) => kept.set(name, value) });
  const { graphql, json } = body;
  const sent = graphql === undefined ? json : JSON.stringify({ query: graphql.query });
  const answer = await send({ ...stack, baseUrl: '' }, filled(http.url), {
    method: http.method.toUpperCase(),
    headers: Object.fromEntries([
      ...headers.map(({ name, value }) => [name, filled(value)]),
      ...(auth?.bearer ? [['authorization', `Bearer ${filled(auth.bearer.token)}`]] : []),
    ]),
    ...(sent !== undefined && { body: filled(sent) }),
  });
  for (const { name, value } of vars?.res ?? []) kept.set(name, evaluate(value, answer.body));
  return answer;
}

/** The value of an expression such as `res.body.data.nodes[0].id`. */
function evaluate(expression: string, body: unknown): unknown {
  return new Function('res', `return ${expression};`)({ body });
}

describe('the Bruno collection', () => {
  test('has no file that is not generated', () => {
    expect(globSync(`${FOLDER}/**/*.{bru,json}`).sort()).toEqual(
      brunoFiles()
        .map(({ file }) => file)
        .sort(),
    );
  });

  test('has every request of the README', () => {
    const urls = requests.map(({ http }) => http.url.replace('{{baseUrl}}', ''));
    const paths = [...read('README.md').matchAll(/"\$BASE(\/[\w/.-]+)/g)].map(([, path = '']) => path);
    const asked = read('README.md').match(/^ask /gm)?.length ?? 0;
    expect(paths.filter((path) => !urls.includes(path) && path !== '/api/')).toEqual([]);
    expect(requests.filter(({ file }) => file.includes('journey'))).toHaveLength(asked);
    expect(asked).toBeGreaterThan(3);
  });

  test('has every example of docs/operations.md', () => {
    const asked = read('docs/operations.md').match(/^```graphql/gm)?.length ?? 0;
    expect(requests.filter(({ file }) => /all-(queries|changes)/.test(file))).toHaveLength(asked);
  });

  test('can be sent as a whole', async () => {
    const { variables } = bruToEnvJsonV2(read(`${FOLDER}/environments/npm-start.bru`));
    for (const { name, value } of variables) kept.set(name, value);
    kept.set('baseUrl', stack.baseUrl).set('adminKey', stack.adminKey);
    for (const request of requests) {
      const { status, text } = await run(request);
      expect([request.file, status, text]).toEqual([
        request.file,
        200,
        expect.not.stringContaining('"errors"'),
      ]);
      // What a person does in the browser between the first two.
      if (kept.has('authUrl') && !kept.has('code')) {
        const authUrl = String(kept.get('authUrl'));
        const started = { authUrl, state: new URL(authUrl).searchParams.get('state') ?? '' };
        kept.set('code', await authorize(stack, started as never, 'ada@example.com'));
      }
    }
  });
});
