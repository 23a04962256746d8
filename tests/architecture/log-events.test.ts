/** Checks that log events are named `noun.verb_past`: constant, with the facts in the fields. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { redactSecrets } from '../../lib/observability/redact-secrets.ts';

const EVENT = /^[a-z_]+\.[a-z_]+$/;
/** Operators' own queries depend on these names from before the rule. */
const FORMER = ['request', 'store_change'];

const isAllowed = (event: string) => EVENT.test(event) || FORMER.includes(event);

/** The events of calls of the logger, and of the functions and variables that pass an event on to it. */
const CALL = /(?:logger\.(?:debug|info|warn|error)|warnOnce|\bnote)\(\s*(?:context,\s*)?(['"`])(.*?)\1/g;

const events = globSync('{functions,graphql,lib,operator}/**/*.ts').flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(CALL)].map(([, , event = '']) => ({ path, event })),
);

test('every log event is named noun.verb_past', () => {
  expect(events.length).toBeGreaterThan(80);
  expect(events.filter(({ event }) => !isAllowed(event))).toEqual([]);
});

test.each(['platform request failed', 'key_claimed', 'Key.claimed', 'key.claimed.twice'])(
  'refuses the name %s',
  (event) => {
    expect(isAllowed(event)).toBe(false);
  },
);

/** The fields of a call's last argument, an object in one line or in several. */
const FIELDS = /logger\.(?:debug|info|warn|error)\(\s*'[^']*',\s*\{([^{}]*)\}/g;

const fieldNames = globSync('{functions,graphql,lib,operator}/**/*.ts').flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(FIELDS)].flatMap(([, fields = '']) =>
    [...fields.matchAll(/(?:^|,)\s*(\w+)/g)].map(([, name = '']) => ({ path, name })),
  ),
);

test('no log line has a field that the logger redacts', () => {
  expect(fieldNames.length).toBeGreaterThan(100);
  expect(fieldNames.filter(({ name }) => redactSecrets({ [name]: 'a value' })[name] !== 'a value')).toEqual(
    [],
  );
});
