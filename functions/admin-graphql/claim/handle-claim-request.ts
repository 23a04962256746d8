/**
 * The route of one-time links to admin keys. GET shows a page. POST opens the link: the page sends a proof that it
 * derives from the secret in the link's URL fragment, and gets the sealed key.
 */
import { ServiceError } from '../../../lib/errors/service-error.ts';
import type { Exchange, HttpEvent, HttpResult } from '../../../lib/http/exchange.ts';
import { type HttpResponse, toApiGatewayResult } from '../../../lib/http/http-response.ts';
import type { ParsedBody } from '../../../lib/http/parse-json.ts';
import {
  createOneTimeLinkRepository,
  type OneTimeLinkId,
  parseOneTimeLinkId,
} from '../../../lib/storage/one-time-links.ts';
import { type ClaimKeyDeps, claimAdminKey } from '../../../lib/stores/admin-keys/claim-admin-key.ts';
import {
  inspectOneTimeLink,
  type OneTimeLinkView,
} from '../../../lib/stores/admin-keys/inspect-one-time-link.ts';
import { buildClaimPage, unavailableClaimPage } from './claim-page.ts';
import { CLAIM_PATH } from './claim-path.ts';
import { parseClaim } from './parse-claim.ts';

export type ClaimRouteDeps = Omit<ClaimKeyDeps, 'links'> & { readonly shopDomainSuffixes: readonly string[] };

const STATUS_BY_LINK_STATE: Record<OneTimeLinkView['state'], number> = { open: 200, gone: 410, unknown: 404 };
const HTML_HEADERS = { 'content-type': 'text/html; charset=utf-8' };

/** Responds to GET and HEAD with the page, which changes nothing, and to POST with the sealed key. */
export function handleClaimRequest(routeDeps: ClaimRouteDeps) {
  const deps = { ...routeDeps, links: createOneTimeLinkRepository(routeDeps) };
  return async ({ exchange }: HttpEvent<ParsedBody>): Promise<HttpResult> => {
    const { method, path } = exchange.request;
    const linkId = parseOneTimeLinkId(path.slice(CLAIM_PATH.length));
    if (method !== 'POST')
      return toApiGatewayResult(exchange, await handlePageRequest(deps, linkId, exchange));
    const claim = parseClaim(exchange.json, deps.shopDomainSuffixes);
    if (linkId === undefined) throw createUnknownLinkError();
    return toApiGatewayResult(exchange, {
      status: 200,
      body: await handleClaim(deps, { ...claim, linkId }, exchange),
    });
  };
}

async function handlePageRequest(
  deps: ClaimKeyDeps,
  linkId: OneTimeLinkId | undefined,
  { logFields }: Exchange,
): Promise<HttpResponse> {
  try {
    const view = await inspectOneTimeLink(deps, linkId);
    // Log the id only of an existing link: any other path can contain arbitrary text.
    if (linkId !== undefined && view.state !== 'unknown') logFields.linkId = linkId;
    return { status: STATUS_BY_LINK_STATE[view.state], body: buildClaimPage(view), headers: HTML_HEADERS };
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'TEMPORARILY_UNAVAILABLE')) throw error;
    Object.assign(logFields, { errorCode: error.code, causedBy: error.causedBy });
    return { status: 503, body: unavailableClaimPage, headers: { ...HTML_HEADERS, 'retry-after': '5' } };
  }
}

async function handleClaim(
  deps: ClaimKeyDeps,
  request: Parameters<typeof claimAdminKey>[1],
  { logFields }: Exchange,
) {
  const claimResult = await claimAdminKey(deps, request);
  if (claimResult.outcome !== 'unknown') logFields.linkId = request.linkId;
  switch (claimResult.outcome) {
    case 'opened':
      return { sealedKey: claimResult.sealedKey, keyId: claimResult.keyId, label: claimResult.label };
    case 'unknown':
      throw createUnknownLinkError();
    case 'wrong-domain':
      throw new ServiceError('WRONG_STORE_DOMAIN');
    case 'locked':
      throw createClaimLockedError(claimResult.retryAfterSeconds);
    case 'gone':
      throw createEndedLinkError(claimResult.openedAtMs);
  }
}

function createUnknownLinkError(): ServiceError {
  return new ServiceError('NOT_FOUND', {
    message: 'We do not recognize this link. Open it again from the message it came in.',
  });
}

function createClaimLockedError(seconds: number): ServiceError {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const message = `A wrong domain was entered five times. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
  return new ServiceError('THROTTLED', { message, retryAfterSeconds: seconds });
}

function createEndedLinkError(openedAtMs: number | undefined): ServiceError {
  const openedText =
    openedAtMs === undefined
      ? 'This link is no longer valid.'
      : `This link was opened on ${new Date(openedAtMs).toUTCString()}. If that was not you, tell the person who sent it at once.`;
  return new ServiceError('LINK_GONE', { message: `${openedText} Ask for a new link.` });
}
