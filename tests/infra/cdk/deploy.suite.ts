/** The options of a single deploy: its template differs only in the option's resources. */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import {
  DEFAULT_DEPLOY_OPTIONS,
  type DeployedEnvironment,
  type DeployOptions,
} from '../../../infra/cdk/constructs/deploy-options.ts';
import { readEnvironmentConfig } from '../../../infra/definition/config.ts';
import { SCHEDULED_FUNCTION_NAMES } from '../../../infra/definition/function-definitions.ts';
import { makeStack, synthesise, templateOf } from './template/synthesise.ts';
import { deletionPoliciesOf, resourcesOf, theOne, type Values } from './template/template.ts';

test("a first deploy of production without protection leaves nothing that is in the next one's way", () => {
  const { stack } = makeStack(deployed({ protection: false }));
  const template = Template.fromStack(stack);
  expect(stack.terminationProtection).toBe(false);
  expect(theOne(template, 'AWS::DynamoDB::Table').properties.DeletionProtectionEnabled).toBe(false);
  expect(deletionPoliciesOf(template)).not.toContain('Retain');
  const retained = [/^Table\w+$/, /^OperatorsTraceLogGroup\w+$/];
  expect(changedIn(template)).toEqual(retained.map((name) => expect.stringMatching(name)));
  expect(makeStack(deployed({})).stack.terminationProtection).toBe(true);
});

test('a deploy without the canary moves the aliases at once, and nothing else is otherwise', () => {
  const template = synthesise(deployed({ canary: false }));
  const aliases = resourcesOf(template, 'AWS::Lambda::Alias');
  for (const { resource } of aliases) expect(resource.UpdatePolicy).toBeUndefined();
  const unmoved = SCHEDULED_FUNCTION_NAMES.map((name) => name.replaceAll('-', ''));
  const moved = aliases.filter(
    ({ properties }) => !unmoved.some((name) => JSON.stringify(properties).includes(name)),
  );
  expect(changedIn(template)).toEqual(moved.map(({ id }) => id));
});

/** Production, deployed with these options. */
function deployed(options: Partial<DeployOptions>): DeployedEnvironment {
  return { ...readEnvironmentConfig('prod'), deploy: { ...DEFAULT_DEPLOY_OPTIONS, ...options } };
}

/** The logical ids of the resources that are otherwise in production's usual template. */
function changedIn(template: Template): string[] {
  const usual = templateOf('prod').toJSON().Resources as Record<string, Values>;
  const resources = template.toJSON().Resources as Record<string, Values>;
  return Object.keys({ ...usual, ...resources }).filter((id) => !isDeepStrictEqual(usual[id], resources[id]));
}
