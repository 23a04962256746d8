/** Describes zod's issues in the style of the other messages, which continue a sentence that begins with the value's path. */
import * as z from 'zod';

const EXPECTED_TEXTS: Readonly<Record<string, string>> = {
  string: 'a text, in quotes',
  number: 'a whole number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list: […]',
  object: 'an object: { … }',
};

/** @returns undefined for a kind of issue that no value has today: zod's own message is shown */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue);
    case 'invalid_value':
      return issue.input === undefined
        ? 'is missing'
        : `must be ${issue.values.map((one) => JSON.stringify(one)).join(' or ')}`;
    case 'too_small':
      return issue.origin === 'array' ? 'must not be empty' : `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    case 'unrecognized_keys':
      return describeUnknownKeys(issue);
    default:
      return undefined;
  }
}

function describeType({ input, expected }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string {
  if (input === undefined) return 'is missing';
  const expectation = `must be ${EXPECTED_TEXTS[expected] ?? expected}`;
  return input === null ? `${expectation}, not null; an optional value is left out` : expectation;
}

function describeUnknownKeys({ keys, inst }: z.core.$ZodRawIssue<z.core.$ZodIssueUnrecognizedKeys>): string {
  const knownKeysText = inst instanceof z.ZodObject ? `: it takes ${Object.keys(inst.shape).join(', ')}` : '';
  return `has no ${keys.map((key) => JSON.stringify(key)).join(', ')}${knownKeysText}`;
}
