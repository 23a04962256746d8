/** A bare forwarder: parse the body, post it upstream, parse the answer, write it down. */
import { postUpstream } from './post-upstream.ts';

export { forward as handler };

/** Answers one event. */
export async function forward({ body }: { readonly body: string }) {
  const { query, variables } = JSON.parse(body);
  const answer = JSON.parse(await postUpstream(JSON.stringify({ query, variables })));
  return {
    statusCode: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ data: answer.data }),
  };
}
