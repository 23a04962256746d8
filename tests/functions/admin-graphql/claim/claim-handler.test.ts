import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Network } from '../../../../lib/domain/network.ts';
import {
  type OneTimeLinkSecret,
  openSealedAdminKey,
} from '../../../../lib/domain/tokens/one-time-link-secret.ts';
import type { HttpResult } from '../../../../lib/http/exchange.ts';
import { claimOf } from '../../../lib/stores/world/merchant.ts';
import { createAnswerCheck } from '../../documented-answers.ts';
import { type ClaimWorld, createClaimWorld } from './claim-world.ts';

const answers = createAnswerCheck();
let world: ClaimWorld;
beforeAll(async () => {
  const created = await createClaimWorld();
  world = {
    ...created,
    async call(request = {}) {
      const answer = await created.call(request);
      checkClaim(request, answer);
      return answer;
    },
  };
});
afterAll(() => world.close());

type Link = Awaited<ReturnType<ClaimWorld['link']>>;
const json = { 'content-type': 'application/json' };

/** Checks the responses to the page's requests; the response to GET is the page itself. */
function checkClaim({ method }: NonNullable<Parameters<ClaimWorld['call']>[0]>, answer: HttpResult): void {
  if (method !== 'POST' && method !== 'PUT') return;
  const { statusCode: status, headers } = answer;
  answers.check({ operation: 'POST /admin-keys/claim/{linkId}', status, headers, body: bodyOf(answer) });
}

function post(link: Link, changes: Record<string, unknown> = {}) {
  const { linkId: _linkId, ...claim } = claimOf(link.issued, link.domain);
  const body = JSON.stringify({ ...claim, ...changes });
  return world.call({ method: 'POST', path: link.path, headers: json, body });
}
const bodyOf = (result: { body?: string | undefined }) => JSON.parse(result.body ?? '');

describe('looking at a link', () => {
  test('GET, HEAD and OPTIONS show what it is and change nothing', async () => {
    const link = await world.link();
    const before = await world.find(link.issued.linkId);
    const page = await world.call({ path: link.path });
    expect(page).toMatchObject({ statusCode: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(page.body).toContain('An admin key for Harbor Coffee');
    expect(page.body).toContain('Back office');
    expect(page.body).toContain('<strong>charge every customer</strong>');
    expect(page.body).toContain('change customers’ names, e-mails and addresses');
    expect(page.body).not.toContain(link.domain);
    expect(await world.call({ method: 'HEAD', path: link.path })).toMatchObject({
      statusCode: 200,
      body: '',
    });
    const options = await world.call({
      method: 'OPTIONS',
      path: link.path,
      headers: { origin: 'https://a.example' },
    });
    expect(options).toMatchObject({ statusCode: 204, headers: { allow: 'GET, HEAD, OPTIONS, POST' } });
    expect(options.headers).not.toHaveProperty('access-control-allow-origin');
    expect(await world.find(link.issued.linkId)).toEqual(before);
  });

  test('says in plain words what the key may do, from which networks and until when', async () => {
    const notAfter = world.now() + 86_400_000;
    const networks = ['203.0.113.0/24' as Network];
    const link = await world.link('Harbor Coffee', { scopes: ['READ', 'WEBHOOKS'], networks, notAfter });
    const { body } = await world.call({ path: link.path });
    expect(body).toContain('read every subscription of Harbor Coffee');
    expect(body).toContain('choose where news of changes is sent');
    expect(body).toContain('It cannot change a subscription, or charge an order by itself.');
    expect(body).not.toContain('charge every customer');
    expect(body).toContain('It works only from 203.0.113.0/24.');
    expect(body).toContain(`It ends on <time datetime="${new Date(notAfter).toISOString()}">`);
  });

  test('allows no caching, indexing, framing, foreign resources or referrers', async () => {
    const link = await world.link();
    for (const path of [link.path, '/admin-keys/claim/AAAAAAAAAAAAAAAAAAAAAA']) {
      const { headers, body } = await world.call({ path });
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow',
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-/,
        ),
      });
      expect(body).not.toMatch(/(src|href)="(?!data:)/);
    }
  });

  test('names of stores and keys are text, whatever they look like', async () => {
    const link = await world.link('<img src=x onerror=alert(1)>', { label: '"><script>1</script>' });
    const { body } = await world.call({ path: link.path });
    expect(body).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(body).not.toContain('<img');
    expect(body?.match(/<script>/g)).toHaveLength(1);
  });

  test('an unknown link is 404, an opened one 410 with the time', async () => {
    expect(await world.call({ path: '/admin-keys/claim/AAAAAAAAAAAAAAAAAAAAAA' })).toMatchObject({
      statusCode: 404,
    });
    const link = await world.link();
    await post(link);
    world.advance(121_000);
    const late = await world.call({ path: link.path });
    expect(late).toMatchObject({ statusCode: 410 });
    expect(late.body).toMatch(/It was opened on <time/);
  });
});

describe('the log', () => {
  test('names a link that there is, and no other text in its place', async () => {
    const link = await world.link();
    await world.call({ path: link.path });
    expect(world.logs.at(-1)).toContain(`"linkId":"${link.issued.linkId}"`);
    await post(link);
    expect(world.logs.at(-1)).toContain(`"linkId":"${link.issued.linkId}"`);
    for (const text of ['ada@example.com', 'A1b2C3d4E5f6G7h8I9j0K1']) {
      for (const method of ['GET', 'POST', 'PUT', 'OPTIONS']) {
        await world.call({ method, path: `/admin-keys/claim/${text}` });
        expect(world.logs.at(-1)).not.toContain(text);
      }
    }
  });
});

describe('opening a link', () => {
  test('returns the sealed key, which the fragment opens, and logs nothing of it', async () => {
    const link = await world.link();
    const answer = await post(link, { domain: ` https://${link.domain.toUpperCase()}/admin ` });
    expect(answer.statusCode).toBe(200);
    const key = openSealedAdminKey(bodyOf(answer).sealedKey, link.issued.fragment as OneTimeLinkSecret);
    expect(key).toMatch(/^SVC_AT_/);
    expect(answer.body).not.toContain(key);
    expect(world.logs.join()).not.toContain(key);
    expect(world.logs.join()).not.toContain(link.issued.fragment);
    expect(world.logs.join()).not.toContain(bodyOf(answer).sealedKey);
  });

  test.each([
    ['no proof', { proof: undefined }, 400, 'MISSING_PARAMETERS'],
    ['a proof of something else', { proof: 'A'.repeat(43) }, 404, 'NOT_FOUND'],
    ['no domain', { domain: '' }, 400, 'INVALID_SHOP'],
    ['no domain of a store', { domain: 'test@example.com' }, 400, 'INVALID_SHOP'],
    ['a claim id of another form', { claimId: '' }, 400, 'MISSING_PARAMETERS'],
    ['the domain of another store', { domain: 'other.myshopify.com' }, 403, 'WRONG_STORE_DOMAIN'],
  ])('refuses a link with %s, and does not open it', async (_what, changes, status, code) => {
    const link = await world.link();
    const answer = await post(link, changes);
    expect([answer.statusCode, bodyOf(answer).error.code]).toEqual([status, code]);
    expect((await world.find(link.issued.linkId))?.claimId).toBeUndefined();
    expect((await world.find(link.issued.linkId))?.wrongDomains).toBe(code === 'WRONG_STORE_DOMAIN' ? 1 : 0);
  });

  test('the sixth try after five wrong domains is 429 with Retry-After', async () => {
    const link = await world.link();
    for (let tries = 0; tries < 5; tries++) await post(link, { domain: 'other.myshopify.com' });
    const answer = await post(link);
    expect(answer).toMatchObject({
      statusCode: 429,
      headers: { 'retry-after': expect.stringMatching(/^3[56]\d\d$/) },
    });
  });

  test('returns 410 and the time to a second person, and refuses a form post, another method and a large body', async () => {
    const link = await world.link();
    await post(link);
    const second = await post(link);
    expect(second.statusCode).toBe(410);
    expect(bodyOf(second).error.message).toMatch(/was opened on .* GMT/);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await world.call({ method: 'POST', path: link.path, headers: form, body: 'a=b' })).toMatchObject({
      statusCode: 415,
    });
    expect(await world.call({ method: 'PUT', path: link.path })).toMatchObject({ statusCode: 405 });
    const large = { method: 'POST', path: link.path, headers: json, body: ' '.repeat(5000) };
    expect(await world.call(large)).toMatchObject({ statusCode: 413 });
  });
});

test('every error of the API document has been answered', () => answers.expectComplete());
