/** The sign-in endpoints: method, path, schema of the body, use case, and HTTP status. */
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { Exchange, HttpEvent, HttpResult } from '../../lib/http/exchange.ts';
import { type HttpResponse, toApiGatewayResult } from '../../lib/http/http-response.ts';
import type { ParsedBody } from '../../lib/http/parse-json.ts';
import { exchangeCodeForTokens } from '../../lib/sign-in/exchange/exchange-code-for-tokens.ts';
import { refreshTokens } from '../../lib/sign-in/sessions/refresh-tokens.ts';
import { revokePresentedSession } from '../../lib/sign-in/sessions/revoke-presented-session.ts';
import type { SignInDeps } from '../../lib/sign-in/sign-in-deps.ts';
import { startSignIn } from '../../lib/sign-in/start-sign-in.ts';
import { readStorefrontToken } from '../../lib/sign-in/storefront-token.ts';
import { HEALTH_METHODS, HEALTH_PATH } from './handle-health-check.ts';
import {
  exchangeRequestSchema,
  type ParsedRequest,
  parseRequest,
  type RequestSchema,
  startRequestSchema,
  storefrontTokenRequestSchema,
  tokenRequestSchema,
} from './request-schemas.ts';

type EndpointDeps = SignInDeps & { readonly shopDomainSuffixes: readonly string[] };

type SignInEndpoint = {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly respond: (deps: EndpointDeps, exchange: Exchange & ParsedBody) => Promise<HttpResponse>;
};

const SIGN_IN_ENDPOINTS: readonly SignInEndpoint[] = [
  createEndpoint('POST', '/headless-auth/start', {
    schema: startRequestSchema,
    useCase: startSignIn,
    status: 200,
  }),
  createEndpoint('POST', '/headless-auth/exchange', {
    schema: exchangeRequestSchema,
    useCase: exchangeCodeForTokens,
    status: 200,
  }),
  createEndpoint('POST', '/headless-auth/refresh', {
    schema: tokenRequestSchema,
    useCase: refreshTokens,
    status: 200,
  }),
  createEndpoint('DELETE', '/headless-auth/revoke', {
    schema: tokenRequestSchema,
    useCase: revokePresentedSession,
    status: 200,
  }),
  createEndpoint('POST', '/headless-auth/storefront-token', {
    schema: storefrontTokenRequestSchema,
    useCase: readStorefrontToken,
    status: 200,
  }),
];

/** Returns the methods that are allowed at the request's path. Empty when the path does not exist. */
export function allowedMethodsOfRequest({ request }: Exchange): readonly string[] {
  if (request.path === HEALTH_PATH) return HEALTH_METHODS;
  return SIGN_IN_ENDPOINTS.filter(({ path }) => path === request.path).map(({ method }) => method);
}

/** Returns a handler that runs the use case for the request's path and method. */
export function handleEndpoint(deps: EndpointDeps) {
  return async ({ exchange: currentExchange }: HttpEvent<ParsedBody>): Promise<HttpResult> => {
    const { method, path } = currentExchange.request;
    const endpoint = SIGN_IN_ENDPOINTS.find(
      (candidate) => candidate.path === path && candidate.method === method,
    );
    if (endpoint === undefined) throw new ServiceError('NOT_FOUND');
    return toApiGatewayResult(currentExchange, await endpoint.respond(deps, currentExchange));
  };
}

type EndpointWork<Fields extends { shop: string }> = {
  readonly schema: RequestSchema<Fields>;
  readonly useCase: (
    deps: EndpointDeps,
    request: ParsedRequest<Fields> & { readonly userAgent: string },
  ) => Promise<unknown>;
  readonly status: number;
};

function createEndpoint<Fields extends { shop: string }>(
  method: SignInEndpoint['method'],
  path: string,
  { schema, useCase, status }: EndpointWork<Fields>,
): SignInEndpoint {
  return {
    method,
    path,
    async respond(deps, { json, request }) {
      const requestFields = parseRequest(schema, json, deps.shopDomainSuffixes);
      return { status, body: await useCase(deps, { ...requestFields, userAgent: request.userAgent }) };
    },
  };
}
