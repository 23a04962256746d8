/** Detects breaking changes for clients; each must be allowed by a record. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { parseAllowedBreaks } from '../../../tools/compatibility/allowed-breaks.ts';
import {
  classifyBreaks,
  findBreaksSinceRelease,
  findUndocumentedBreaks,
} from '../../../tools/compatibility/classify-breaks.ts';
import { parseDeprecationDay } from '../../../tools/compatibility/deprecation.ts';
import { readGenerated, readGitOutput, readRelease } from '../../../tools/compatibility/released.ts';
import { findRestBreaks } from '../../../tools/compatibility/rest-breaks.ts';
import { findRootBreaks } from '../../../tools/compatibility/root-breaks.ts';
import { findSchemaBreaks } from '../../../tools/compatibility/schema-breaks.ts';
import { listServiceDeprecations } from '../../../tools/compatibility/service-deprecations.ts';
import type { OpenApiDocument } from '../../../tools/generate/openapi/document.ts';
import { readSchema } from '../../../tools/generate/read-schema.ts';
import { findReleaseProblems, runRelease, writeRelease } from '../../../tools/release/release.ts';

const SDL = `
  directive @idempotent(key: String) on FIELD
  type Query { contract(id: ID, first: Int = 5, last: Int): Contract! old: Old @deprecated(reason: "use contract; until 2027-06-01") }
  interface Node { id: ID! }
  type Contract implements Node { id: ID! note: String lines: [String!]! status: Status! event: Event }
  type Old { value: OldValue }
  type OldValue { name: String }
  union Event = Contract | Other
  type Other { name: String }
  enum Status { ACTIVE PAUSED }
  input Range { from: Int = 1, to: Int }
  type Mutation { move(range: Range, status: Status): Contract }
`;

/** Returns the breaks of a change of the text, which must contain `from`. */
function breaksOf(from: string, to: string): string[] {
  expect(SDL).toContain(from);
  return findSchemaBreaks(buildSchema(SDL), buildSchema(SDL.replace(from, to)));
}

describe('a change of the schema breaks clients', () => {
  test.each([
    ['a field is taken out', 'note: String', '', ['Contract.note was removed.']],
    ['a field has another name', 'note', 'notes', ['Contract.note was removed.']],
    [
      'a field has another type',
      'note: String',
      'note: Int',
      ['Contract.note changed type from String to Int.'],
    ],
    [
      'a field that was never null may be',
      'lines: [String!]!',
      'lines: [String!]',
      ['Contract.lines changed type from [String!]! to [String!].'],
    ],
    [
      'an entry that was never null may be',
      '[String!]!',
      '[String]!',
      ['Contract.lines changed type from [String!]! to [String]!.'],
    ],
    [
      'an argument is made required',
      'id: ID,',
      'id: ID!,',
      ['Query.contract arg id has changed type from ID to ID!.'],
    ],
    [
      'a required argument comes',
      'id: ID,',
      'id: ID, of: ID!,',
      ['A required arg of on Query.contract was added.'],
    ],
    ['an argument is taken out', ', last: Int', '', ['Query.contract arg last was removed.']],
    [
      'a default is another one',
      'first: Int = 5',
      'first: Int = 6',
      ['Query.contract arg first has changed defaultValue from 5 to 6.'],
    ],
    [
      'a default goes',
      'first: Int = 5',
      'first: Int',
      ['Query.contract arg first defaultValue was removed.'],
    ],
    ['a default comes', 'last: Int', 'last: Int = 5', ['Query.contract arg last defaultValue was added.']],
    ['an enum value is taken out', 'PAUSED', '', ['PAUSED was removed from enum type Status.']],
    ['an input field is taken out', ', to: Int', '', ['Range.to was removed.']],
    ['an input field is made required', 'to: Int', 'to: Int!', ['Range.to changed type from Int to Int!.']],
    [
      'a required input field comes',
      'to: Int',
      'to: Int by: Int!',
      ['A required field by on input type Range was added.'],
    ],
    [
      'an input field has another default',
      'from: Int = 1',
      'from: Int = 2',
      ['Range.from has changed its default.'],
    ],
    [
      'an input takes one field at a time',
      'input Range { from: Int = 1',
      'input Range @oneOf { from: Int',
      ['Range.from has changed its default.', 'Range takes one field at a time.'],
    ],
    ['a union loses a type', 'Contract | Other', 'Contract', ['Other was removed from union type Event.']],
    ['an interface is left', 'implements Node ', '', ['Contract no longer implements interface Node.']],
    ['a directive goes', 'directive @idempotent(key: String) on FIELD', '', ['idempotent was removed.']],
    [
      'an argument of a directive is made required',
      'key: String',
      'key: String!',
      ['@idempotent arg key changed type from String to String!.'],
    ],
  ])('%s', (_what, from, to, found) => {
    expect(breaksOf(from, to)).toEqual(found);
  });

  test.each([
    ['a field', 'note: String', 'note: String more: String'],
    ['an optional argument', 'id: ID,', 'id: ID, of: ID,'],
    ['an optional input field', 'to: Int', 'to: Int by: Int'],
    ['an enum value', 'PAUSED', 'PAUSED ENDED'],
    ['a type of a union', 'union Event = Contract | Other', 'union Event = Contract | Other | Query'],
    ['a deprecation', 'note: String', 'note: String @deprecated(reason: "use lines; until 2028-01-01")'],
    ['a field that is never null any more', 'note: String', 'note: String!'],
    ['an argument that may be left out', 'key: String', 'key: String, more: Int'],
  ])('… is not broken if %s is added', (_what, from, to) => {
    expect(breaksOf(from, to)).toEqual([]);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: a test changes any part of it.
type Edited = any;
const REST: OpenApiDocument = JSON.parse(readGenerated(process.cwd()).rest);

/** Returns the breaks of a change of the OpenAPI document. */
function restBreaksOf(change: (document: Edited) => void): string[] {
  const changed = structuredClone(REST);
  change(changed);
  return findRestBreaks(REST, changed);
}

describe('a change of the REST routes breaks clients', () => {
  const REFRESH = '/headless-auth/refresh';
  const codesOf = (document: Edited, status: number) =>
    document.paths[REFRESH].post.responses[status]['x-error-codes'];
  test.each<[string, (document: Edited) => void, string[]]>([
    ['a route goes', (it) => delete it.paths[REFRESH], [`POST ${REFRESH} was removed.`]],
    [
      'a field of an answer goes',
      (it) => delete it.components.schemas.Tokens.properties.expiresAt,
      [
        'POST /headless-auth/exchange 200: answer field expiresAt was removed.',
        `POST ${REFRESH} 200: answer field expiresAt was removed.`,
      ],
    ],
    [
      'a field of an answer may be absent',
      (it) => it.components.schemas.StorefrontToken.required.pop(),
      ['POST /headless-auth/storefront-token 200: answer field shop may be absent.'],
    ],
    [
      'a field of a request becomes required',
      (it) => {
        it.components.schemas.StartRequest.properties.hint = { type: 'string' };
        it.components.schemas.StartRequest.required.push('hint');
      },
      ['POST /headless-auth/start request field hint is required.'],
    ],
    [
      'a field takes another type',
      (it) => {
        it.components.schemas.StartRequest.properties.shop.type = 'integer';
      },
      ['POST /headless-auth/start request field shop takes another form.'],
    ],
    [
      'a status goes',
      (it) => delete it.paths[REFRESH].post.responses[404],
      [`POST ${REFRESH} answers 404 no more.`],
    ],
    [
      'an error code goes',
      (it) => codesOf(it, 401).splice(0, 1),
      [`POST ${REFRESH} answers 401 INVALID_REFRESH_TOKEN no more.`],
    ],
    [
      'a code can be repeated no more',
      (it) => {
        it['x-error-catalogue'].THROTTLED.retryable = false;
      },
      ['The code THROTTLED has another retryable: true was, false is.'],
    ],
    [
      'a code is in the catalogue no more',
      (it) => delete it['x-error-catalogue'].NOT_RUN,
      ['The code NOT_RUN was removed.'],
    ],
    [
      'a header goes',
      (it) => delete it.paths[REFRESH].post.responses[503].headers['Retry-After'],
      [`POST ${REFRESH} answers 503 without Retry-After.`],
    ],
    [
      'another credential is asked for',
      (it) => {
        it.paths[REFRESH].post.security = [{ customer: [] }];
      },
      [`POST ${REFRESH} asks for other credentials.`],
    ],
  ])('%s', (_what, change, found) => {
    expect(restBreaksOf(change)).toEqual(found);
  });

  test('… is not broken if fields, codes and routes are added, or texts change', () => {
    const come = (it: Edited) => {
      it.components.schemas.Tokens.properties.scope = { type: 'string' };
      it.components.schemas.StartRequest.properties.hint = { type: 'string' };
      it.components.schemas.StartRequest.properties.shop.description = 'The store.';
      codesOf(it, 401).push('NEW_CODE');
      it['x-error-catalogue'].NEW_CODE = { status: 401 };
      it.paths['/headless-auth/new'] = it.paths[REFRESH];
    };
    expect(restBreaksOf(come)).toEqual([]);
  });
});

test('a root that asks for more than it did breaks clients; one that asks for less does not', () => {
  const pause = { scopes: ['WRITE'], needsCustomer: false, takesKey: true };
  const strict = { scopes: ['WRITE', 'WEBHOOKS'], needsCustomer: true, takesKey: false };
  expect(findRootBreaks({ 'Mutation.pause': pause }, { 'Mutation.pause': strict })).toEqual([
    'Mutation.pause needs the scope WEBHOOKS.',
    'Mutation.pause needs a customer to act for.',
    'Mutation.pause takes no @idempotent any more.',
  ]);
  expect(findRootBreaks({ 'Mutation.pause': strict }, { 'Mutation.pause': pause })).toEqual([]);
});

describe('since a release', () => {
  const documents = { customer: SDL, admin: SDL, roots: '{}', rest: JSON.stringify(REST) };
  const without = SDL.replace(/old: Old .*\) \}/, '}').replace(/type Old(Value)? .*\n/g, '');
  const since = (customer: string, today = '2027-05-31') =>
    findBreaksSinceRelease({ documents }, { ...documents, customer }, today);

  test('reports what customers lose as theirs', () => {
    expect(since(SDL.replace('note: String', ''))).toEqual(['customer: Contract.note was removed.']);
  });

  test('reports a removed deprecation before its day, and not from it on, with all it led to', () => {
    expect(without).not.toContain('Old');
    expect(since(without)).toEqual([
      'customer: Old was removed.',
      'customer: OldValue was removed.',
      'customer: Query.old was removed.',
    ]);
    expect(since(without, '2027-06-01')).toEqual([]);
  });

  test('reports a break that no record allows with the way out, and none that a record allows', () => {
    const breaks = since(SDL.replace('note: String', ''));
    expect(classifyBreaks('1.2.0', breaks, new Set())).toEqual([
      'customer: Contract.note was removed.\n  This breaks clients of release 1.2.0: deprecate first, or say in a record why (docs/releasing.md).',
    ]);
    expect(classifyBreaks('1.2.0', breaks, new Set(breaks))).toEqual([]);
  });

  test('reports a record that allows a break that does not exist', () => {
    expect(classifyBreaks('1.2.0', [], new Set(['customer: Contract.note was removed.']))).toEqual([
      'A record allows a break that there is not: customer: Contract.note was removed.',
    ]);
  });

  test('a record allows for the clients of one release', () => {
    const record =
      '# 9. Notes go\n\n```breaks 1.2.0\ncustomer: a.\nadmin: b.\n```\n\n```breaks 1.1.0\ncustomer: c.\n```\n';
    expect(parseAllowedBreaks(record, '1.2.0')).toEqual(['customer: a.', 'admin: b.']);
    expect(parseAllowedBreaks(record, '2.0.0')).toEqual([]);
  });
});

test('the tree breaks no client of the last release but as a record allows', () => {
  let complaints: string[] = [];
  try {
    complaints = findUndocumentedBreaks(process.cwd(), new Date().toJSON().slice(0, 10));
  } catch (error) {
    // A shallow clone cannot be compared; `npm run check` fails there with this message.
    expect(error).toMatchObject({
      message: expect.stringMatching(/is not in this clone: git fetch --unshallow$/),
    });
  }
  expect(complaints).toEqual([]);
});

describe('what is deprecated', () => {
  test('says for the service’s deprecations what to use, and until when they stay', () => {
    const wrong = listServiceDeprecations(readSchema()).filter(
      ({ reason }) => !reason.startsWith('use ') || parseDeprecationDay(reason) === undefined,
    );
    expect(wrong).toEqual([]);
  });

  test('finds deprecations on types, fields, arguments, input fields and values of the service, and none of the platform', () => {
    const old = '@deprecated(reason: "use b; until 2028-01-31")';
    const schema = buildSchema(`
      directive @service on FIELD_DEFINITION | OBJECT | INPUT_OBJECT | ENUM
      type Query { a(x: Int ${old}): Int @service  b: Int @service ${old}  theirs(x: Int ${old}): Int ${old} }
      type Ours @service { c: Int ${old} }
      input In @service { d: Int ${old} }
      enum E @service { F ${old} }
      enum Theirs { G ${old} }
    `);
    expect(listServiceDeprecations(schema).map(({ coordinate }) => coordinate)).toEqual([
      'Query.b',
      'Query.a.x',
      'Ours.c',
      'In.d',
      'E.F',
    ]);
  });

  test.each([
    ['use b; until 2028-01-31', '2028-01-31'],
    ['use b; until 2028-02-30', undefined],
    ['use b; until next year', undefined],
    ['until 2028-01-31 use b', undefined],
  ])('%s', (reason, day) => {
    expect(parseDeprecationDay(reason)).toBe(day);
  });
});

describe('the release command', () => {
  const nowMs = Date.parse('2026-07-01T12:00:00Z');
  const well = { breaks: [], deprecations: [], changelog: '# Changelog\n\n## Unreleased\n- Something.\n' };
  const refused = (
    version: string,
    state: Partial<Parameters<typeof findReleaseProblems>[2]> = {},
    last = '1.2.0',
  ) => findReleaseProblems({ version, nowMs }, { version: last }, { ...well, ...state });

  test.each(['1.2.1', '1.3.0', '2.0.0', '1.10.0'])('takes %s after 1.2.0', (version) => {
    expect(refused(version)).toEqual([]);
  });

  test.each(['1.2.0', '1.1.9', '0.9.9', 'v1.3.0', '1.3', ''])('refuses %j after 1.2.0', (version) => {
    expect(refused(version)).toHaveLength(1);
  });

  test('takes a break with a larger first number alone, before 1.0.0 with a larger second one', () => {
    const breaks = ['customer: Contract.note was removed.'];
    expect(refused('1.3.0', { breaks })).toEqual([
      '1.3.0 breaks clients of 1.2.0: it needs a larger first number.',
      ...breaks,
    ]);
    expect(refused('2.0.0', { breaks })).toEqual([]);
    expect(refused('0.3.0', { breaks }, '0.2.5')).toEqual([]);
    expect(refused('0.2.6', { breaks }, '0.2.5')).toHaveLength(2);
  });

  test('refuses a deprecation for less than a year, and a changelog without news', () => {
    const until = (day: string) => ({
      deprecations: [{ coordinate: 'Contract.note', reason: `use b; until ${day}` }],
    });
    expect(refused('1.3.0', until('2027-06-30'))).toEqual([
      'Contract.note is deprecated for less than a year: until 2027-07-01 at least.',
    ]);
    expect(refused('1.3.0', until('2027-07-01'))).toEqual([]);
    expect(refused('1.3.0', { changelog: '## Unreleased\n\n## 1.2.0 (2026-06-01)\n- Old.\n' })).toEqual([
      'CHANGELOG.md has nothing under "Unreleased".',
    ]);
    const empty = '## Unreleased\n\n### Added\n\n## 1.2.0 (2026-06-01)\n### Added\n- Old.\n';
    expect(refused('1.3.0', { changelog: empty })).toHaveLength(1);
    const sorted = '## Unreleased\n\n### Added\n- New.\n\n## 1.2.0 (2026-06-01)\n- Old.\n';
    expect(refused('1.3.0', { changelog: sorted })).toEqual([]);
  });

  test('takes any version as the first one', () => {
    expect(findReleaseProblems({ version: '0.1.0', nowMs }, undefined, well)).toEqual([]);
    expect(findReleaseProblems({ version: '1.0', nowMs }, undefined, well)).toHaveLength(1);
  });

  describe('in a repository of its own', () => {
    const TODAY = '2026-07-01';
    const CUSTOMER = 'graphql/schema/generated/customer.graphql';
    const root = mkdtempSync(join(tmpdir(), 'release-'));
    const read = (file: string) => readFileSync(join(root, file), 'utf8');
    const FILES = ['package.json', 'package-lock.json', 'clients/react/package.json', 'CHANGELOG.md'];
    const commitAll = () => {
      readGitOutput(root, 'add', '-A');
      readGitOutput(
        root,
        '-c',
        'user.name=a',
        '-c',
        'user.email=a@b.example',
        'commit',
        '-qm',
        'chore: release',
      );
    };
    beforeAll(async () => {
      readGitOutput(root, 'init', '-q');
      for (const file of [...FILES, 'docs', 'graphql/schema'])
        cpSync(file, join(root, file), { recursive: true });
      commitAll();
      expect(findUndocumentedBreaks(root, TODAY)).toEqual([]);
      await writeRelease(root, { version: '9.8.7', nowMs }, readGitOutput(root, 'rev-parse', 'HEAD').trim());
      commitAll();
    });
    afterAll(() => rmSync(root, { recursive: true }));

    test('writes the version everywhere, the heading, and the commit that later ones are compared with', () => {
      expect(JSON.parse(read('package.json')).version).toBe('9.8.7');
      const lock = JSON.parse(read('package-lock.json'));
      expect([lock.version, lock.packages[''].version]).toEqual(['9.8.7', '9.8.7']);
      expect(read('package-lock.json').match(/9\.8\.7/g)).toHaveLength(2);
      expect(JSON.parse(read('clients/react/package.json'))).toMatchObject({
        version: '9.8.7',
        peerDependencies: { 'subscription-management-client': '^9.8.7' },
      });
      expect(read('CHANGELOG.md')).toContain('## Unreleased\n\n## 9.8.7 (2026-07-01)\n\n### Added\n- ');
      const release = readRelease(root);
      expect(release).toMatchObject({
        version: '9.8.7',
        day: TODAY,
        documents: readGenerated(process.cwd()),
      });
      expect(findUndocumentedBreaks(root, TODAY)).toEqual([]);
    });

    test('finds a later break by the released commit', () => {
      writeFileSync(
        join(root, CUSTOMER),
        read(CUSTOMER).replace('displayName: String!', 'shownName: String!'),
      );
      expect(findUndocumentedBreaks(root, TODAY)).toEqual([
        expect.stringMatching(
          /^customer: Customer\.displayName was removed\.\n {2}This breaks clients of release 9\.8\.7/,
        ),
      ]);
      readGitOutput(root, 'checkout', '-q', '.');
    });

    test('refuses uncommitted work', async () => {
      writeFileSync(join(root, 'new.txt'), 'new');
      expect(await runRelease(root, { version: '10.0.0', nowMs })).toBe(1);
      rmSync(join(root, 'new.txt'));
    });

    test('says how to get the released commit into a shallow clone', () => {
      const shallow = mkdtempSync(join(tmpdir(), 'shallow-'));
      try {
        readGitOutput(root, 'clone', '-q', '--depth', '1', `file://${root}`, shallow);
        expect(() => findUndocumentedBreaks(shallow, TODAY)).toThrow(
          /^The release 9\.8\.7 \([0-9a-f]{40}\) is not in this clone: git fetch --unshallow$/,
        );
      } finally {
        rmSync(shallow, { recursive: true });
      }
    });
  });
});
