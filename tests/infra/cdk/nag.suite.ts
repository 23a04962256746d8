/** cdk-nag finds nothing that is not acknowledged, and nothing is acknowledged that it does not find. */
import { expect, test } from '@jest/globals';
import type { App } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { environments, readEnvironmentConfig } from '../../../infra/config.ts';
import { acknowledgeFindings, allAcknowledgements } from '../../../infra/nag-acknowledgements.ts';
import { makeStack } from './synthesise.ts';

/** `rule at path` of every finding, of both packs. */
function findingsOf(app: App): { id: string; path: string }[] {
  return [new AwsSolutionsChecks(app), new ServerlessChecks(app)].flatMap((pack) =>
    pack.validateScope(app).violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath }) => ({
        id: ruleName,
        path: String(constructPath).split('/').slice(1).join('/'),
      })),
    ),
  );
}

const pinned = { account: '123456789012', region: 'eu-central-1' };

test.each([...Object.keys(environments).map((name) => [name, {}] as const), ['prod', pinned] as const])(
  'every finding in %s with %j is acknowledged',
  (name, more) => {
    const { config } = readEnvironmentConfig(name);
    const { app, stack } = makeStack({ name, config: { ...config, ...more } });
    acknowledgeFindings(stack, config.secretsPrefix);
    expect(findingsOf(app)).toEqual([]);
  },
);

test('every acknowledgement has a reason and is needed', () => {
  const { config } = readEnvironmentConfig('prod');
  const { app, stack } = makeStack({ name: 'prod', config });
  const findings = findingsOf(app);
  for (const { id, at, reason } of allAcknowledgements(stack, config.secretsPrefix)) {
    const needed = findings.some((finding) => finding.id === id && at.test(finding.path));
    expect({ id, needed }).toEqual({ id, needed: true });
    expect(reason.length).toBeGreaterThan(40);
  }
});
