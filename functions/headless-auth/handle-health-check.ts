/**
 * GET /healthz shows monitors outside AWS that requests reach a function that starts, and which release it is. It does
 * not check the table or the platform. It leaves out Lambda's version number, which would show the public how often the
 * service is deployed.
 */

import type { HandlerStep } from '../../lib/http/exchange.ts';
import { toApiGatewayResult } from '../../lib/http/http-response.ts';

export const HEALTH_PATH = '/healthz';
export const HEALTH_METHODS: readonly string[] = ['GET', 'HEAD'];

/**
 * Responds to requests to the health path; an earlier step has checked the method. `version` is the release of the
 * project.
 */
export function handleHealthCheck({ version }: { readonly version: string }): HandlerStep {
  return {
    name: 'handleHealthCheck',
    before: ({ event: { exchange } }) => {
      if (exchange.request.path !== HEALTH_PATH) return;
      return toApiGatewayResult(exchange, { status: 200, body: { status: 'ok', version } });
    },
  };
}
