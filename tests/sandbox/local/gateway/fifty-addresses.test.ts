/** The documented limit for addresses just below the edge's rules: fifty of them fit into production's throttles. */
import { expect, test } from '@jest/globals';
import { readEnvironmentConfig } from '../../../../infra/definition/config.ts';
import { doesRuleCountRequest, RATE_RULES } from '../../../../infra/definition/edge-rules.ts';
import { listEnvironmentRoutes } from '../../../../infra/definition/routes.ts';

const { config } = readEnvironmentConfig('prod');
const ADDRESSES = 50;
/** Merchants' servers: a rule for one that works through all its subscriptions, so fifteen of them fill the door. */
const NOT_BLOCKED = ['POST /api/admin/unstable/graphql.json'];

/** Routes of clients name a method; ANY and $default only catch unknown requests. */
const doors = listEnvironmentRoutes(config)
  .filter(({ method }) => method !== 'ANY')
  // The platform's alone, which sends from few addresses: no rule counts it.
  .filter(({ function: name }) => name !== 'platform-webhooks');

test('no rule counts by address what the platform sends', () => {
  const webhook = { method: 'POST', path: '/platform/webhooks' };
  expect(RATE_RULES.filter((rule) => doesRuleCountRequest(rule, webhook))).toEqual([]);
});

test.each(doors)('$method $path', ({ method, path, throttle }) => {
  const requested = { method, path: path.replace('{linkId}', 'x') };
  const perSecond = RATE_RULES.filter((rule) => doesRuleCountRequest(rule, requested)).map(
    ({ maxRequests, windowSeconds }) => maxRequests / windowSeconds,
  );
  const { ratePerSecond } = config.throttling[throttle];
  const fits = ADDRESSES * Math.min(...perSecond) <= ratePerSecond;
  expect(fits).toBe(!NOT_BLOCKED.includes(`${method} ${path}`));
  expect(15 * Math.min(...perSecond)).toBeLessThanOrEqual(ratePerSecond);
});
