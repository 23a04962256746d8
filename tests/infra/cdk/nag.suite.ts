/** cdk-nag finds nothing that is not acknowledged, and nothing is acknowledged that it does not find. */
import { expect, test } from '@jest/globals';
import type { App } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import {
  acknowledgeEdgeFindings,
  acknowledgeFindings,
  listEdgeAcknowledgements,
  listServiceAcknowledgements,
} from '../../../infra/cdk/acknowledge-findings.ts';
import { combinations, everyOption, withValues } from './template/config-options.ts';
import { makeStack } from './template/synthesise.ts';

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

/** An option adds the same resources in each environment, and staging differs from dev only in names and days. */
const matrix = [
  ...combinations.map(({ label, values }) => ['prod', label, values] as const),
  ['dev', 'no option', {}] as const,
  ['dev', everyOption().label, everyOption().values] as const,
];

test.each(matrix)('every finding in %s with %s is acknowledged', (name, _label, values) => {
  const environment = withValues(name, values);
  const { app, stack, edge } = makeStack(environment);
  if (edge !== undefined) acknowledgeEdgeFindings(edge);
  acknowledgeFindings(stack, environment.config.secretsPrefix);
  expect(findingsOf(app)).toEqual([]);
});

test('every acknowledgement has a reason and is needed', () => {
  const { config } = withValues('prod', { alarmEmails: { page: ['night@example.com'], ticket: [] } });
  const { app, stack } = makeStack({ name: 'prod', config });
  const findings = findingsOf(app);
  const all = [...listServiceAcknowledgements(stack, config.secretsPrefix), ...listEdgeAcknowledgements()];
  for (const { id, pathPattern, reason } of all) {
    const needed = findings.some((finding) => finding.id === id && pathPattern.test(finding.path));
    expect({ id, needed }).toEqual({ id, needed: true });
    expect(reason.length).toBeGreaterThan(40);
  }
});
