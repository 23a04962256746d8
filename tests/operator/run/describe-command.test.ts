/** The trace holds what decides, and never a secret, wherever a person has put one. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import { StoreChangeRefused } from '../../../lib/errors/store-change-refused.ts';
import type { CommandDefinition } from '../../../operator/command.ts';
import { OperatorError } from '../../../operator/operator-error.ts';
import { classifyFailure } from '../../../operator/run/classify-failure.ts';
import { describeCommand } from '../../../operator/run/describe-command.ts';

const commandName: CommandDefinition = {
  ...{ group: 'key', usage: 'issue <store>', summary: '', examples: [] },
  run: async () => ({ json: {}, lines: [] }),
};
const letters = (length: number) => fc.string({ unit: fc.constantFrom(...'abcXYZ019'), minLength: length });
const secrets = fc.oneof(
  letters(55).map((rest) => `SVC_AT_${rest}`),
  letters(30).map((rest) => `SVC_RT_${rest}`),
  letters(30).map((rest) => `shpat_${rest}`),
  letters(30).map((rest) => `shpss_${rest}`),
  letters(20).map((rest) => `eyJ${rest}.${rest}.${rest}`),
  letters(20).map((rest) => `Bearer ${rest}`),
  letters(43).map((rest) => `https://service.example/admin-keys/claim/${'L'.repeat(22)}#${rest}`),
);
const around = fc.constantFrom('', 'a ', '"', '\n', '=', '(');
const optionNames = fc.constantFrom(
  'label',
  'use',
  'by',
  'name',
  'storefrontUrl',
  'credentials',
  'events',
  'accessToken',
);

test('whatever argument or option holds one', () => {
  fc.assert(
    fc.property(secrets, around, optionNames, fc.boolean(), (secret, before, name, isArgument) => {
      const text = `${before}${secret}`;
      const command = describeCommand(
        commandName,
        isArgument ? [text] : [],
        isArgument ? {} : { [name]: text },
      );
      const bare = secret.replace(/^Bearer |.*#/, '');
      expect(JSON.stringify(command)).not.toContain(bare);
    }),
    { seed: 1, numRuns: 300 },
  );
});

test('what decides is in it, and what is about this machine is not', () => {
  const options = { label: 'ERP', voidUnclaimed: true, yes: true, credentials: '/home/sam/app.json' };
  const machine = { env: 'prod', state: '/tmp/a', json: true, output: '/home/sam/report.md' };
  expect(describeCommand(commandName, ['harbor'], { ...options, ...machine })).toEqual({
    verb: 'key issue',
    args: ['harbor'],
    options: { label: 'ERP', voidUnclaimed: true, yes: true, credentials: 'given' },
  });
});

test.each([
  [new OperatorError('no'), 'failed', 'OperatorError'],
  [new StoreChangeRefused('no'), 'failed', 'StoreChangeRefused'],
  [new ServiceError('SHOP_NOT_INSTALLED'), 'failed', 'SHOP_NOT_INSTALLED'],
  [new ServiceError('TEMPORARILY_UNAVAILABLE'), 'unknown', 'TEMPORARILY_UNAVAILABLE'],
  [new ServiceError('OUTCOME_UNKNOWN'), 'unknown', 'OUTCOME_UNKNOWN'],
  [new TypeError('a fault'), 'unknown', 'TypeError'],
  ['thrown text', 'unknown', 'Error'],
])('an error tells how it ended: %s', (error, outcome, errorCode) => {
  expect(classifyFailure(error)).toEqual({ outcome, errorCode });
});
