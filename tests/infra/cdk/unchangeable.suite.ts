/**
 * What a deploy must never change by accident: a new logical id, name or key would make CloudFormation put an empty
 * table, another ring of token keys or another encryption key in the place of the one in use. If a test fails here,
 * do not update the snapshot: undo the change, or write down how the data moves.
 */
import { expect, test } from '@jest/globals';
import { ENVIRONMENTS } from '../../../infra/definition/config.ts';
import { templateOf } from './template/synthesise.ts';
import type { Values } from './template/template.ts';

const RETAINED = {
  'AWS::DynamoDB::Table': [
    'TableName',
    'KeySchema',
    'AttributeDefinitions',
    'GlobalSecondaryIndexes',
    'TimeToLiveSpecification',
    'DeletionProtectionEnabled',
  ],
  'AWS::SecretsManager::Secret': ['Name', 'GenerateSecretString', 'KmsKeyId'],
  'AWS::KMS::Key': ['EnableKeyRotation'],
  'AWS::Logs::LogGroup': ['LogGroupName', 'RetentionInDays'],
};

test.each(Object.keys(ENVIRONMENTS))('what holds data in %s', (environment) => {
  const { Resources } = templateOf(environment).toJSON();
  const retained = Object.entries(Resources as Record<string, Values>).flatMap(([id, resource]) => {
    const names = RETAINED[String(resource.Type) as keyof typeof RETAINED];
    if (names === undefined) return [];
    const { Type, DeletionPolicy, UpdateReplacePolicy, Properties = {} } = resource;
    const properties = Object.fromEntries(names.map((name) => [name, (Properties as Values)[name]]));
    return [[id, { Type, DeletionPolicy, UpdateReplacePolicy, ...properties }]];
  });
  expect(Object.fromEntries(retained)).toMatchSnapshot();
});
