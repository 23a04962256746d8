/** The one way upstream of all contenders: the service's own HTTP client. */
import { createSendAdminRequest } from '../../../lib/platform/admin-api/admin-request.ts';

const send = createSendAdminRequest({ now: Date.now });
const origin = (process.env.PLATFORM_ORIGIN ?? '').replaceAll('{shop}', 'harbor-coffee.myshopify.com');

const url = new URL(`${origin}/admin/api/2026-07/graphql.json`);

/** The body of the platform's answer. */
export async function postUpstream(body: string): Promise<string> {
  const answer = await send({
    url,
    accessToken: 'shpat_benchmark',
    body,
    timeoutMs: 20_000,
    freshConnection: false,
  });
  return answer.body;
}
