/**
 * Parses the Swift client, and compares the addresses, codes and fields of the Swift and Kotlin clients with the
 * service's, also where `npm run kotlin` and `npm run swift` find no compiler to compile and run them with.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import kotlin from '@ast-grep/lang-kotlin';
import swift from '@ast-grep/lang-swift';
import { parse as parseCode, registerDynamicLanguage, type SgNode } from '@ast-grep/napi';
import { describe, expect, test } from '@jest/globals';
import { allowedMethodsOfRequest } from '../../functions/headless-auth/endpoints.ts';
import {
  exchangeRequestSchema,
  startRequestSchema,
  tokenRequestSchema,
} from '../../functions/headless-auth/request-schemas.ts';
import { ROUTES } from '../../infra/definition/routes.ts';
import { type ErrorCode, errorCatalogue } from '../../lib/errors/catalogue.ts';
import type { Exchange } from '../../lib/http/exchange.ts';
import { readQuickstart } from './quickstart.ts';

const NO_CODES = ['POST', 'DELETE', 'UNCHECKED_CAST'];
/** Codes that only the TypeScript client has: those of functions for operations. */
const OF_OPERATIONS = ['ABSENT', 'ABORTED'];
const STEPS = ['start', 'exchange', 'refresh', 'revoke'];
/** A field of web pages only: an app returns to its own scheme. */
const OF_PAGES = 'redirectUri';
const requests = {
  StartRequest: startRequestSchema,
  ExchangeRequest: exchangeRequestSchema,
  TokenRequest: tokenRequestSchema,
};
registerDynamicLanguage({ swift, kotlin });

const read = (file: string) => readFileSync(file, 'utf8');
const descendants = (node: SgNode): SgNode[] => [node, ...node.children().flatMap(descendants)];
/** Returns the parser's errors and the nodes that it inserted to recover. */
const faultsOf = (text: string) =>
  descendants(parseCode('swift', text).root())
    .filter((node) => node.kind() === 'ERROR' || (node.children().length === 0 && node.text() === ''))
    .map((node) => `line ${node.range().start.line + 1}: ${node.text()}`);
const stringsOf = (language: string, text: string) =>
  descendants(parseCode(language, text).root())
    .filter((node) => ['line_string_literal', 'string_literal'].includes(String(node.kind())))
    .map((node) => node.text().slice(1, -1));

const filesOf = (pattern: string) => globSync(pattern).sort();
const sources = {
  swift: filesOf('clients/swift/*.swift'),
  kotlin: filesOf('clients/kotlin/{core,android}/*.kt'),
};
const kotlinCore = filesOf('clients/kotlin/core/*.kt').map(read).join('\n');
const swiftClient = sources.swift.map(read).join('\n');
/** The clients' own codes, in addition to the service's; the TypeScript client describes each. */
const ownCodes = [
  ...read('clients/typescript/src/errors/service-error.ts').matchAll(/^ {2}\| '([A-Z_]+)'/gm),
].map(([, code = '']) => code);

describe.each(Object.entries(sources))('%s', (language, files) => {
  const strings = files.flatMap((file) => stringsOf(language, read(file)));

  test('asks at addresses that there are', () => {
    const paths = strings.filter((value) => /^\/./.test(value));
    expect(paths).toEqual(expect.arrayContaining(STEPS.map((step) => `/headless-auth/${step}`)));
    const others = paths.filter(
      (path) => allowedMethodsOfRequest({ request: { path } } as Exchange).length === 0,
    );
    expect(new Set(others.map((path) => ROUTES.some((route) => route.path === path)))).toEqual(
      new Set([true]),
    );
  });

  test('names codes that there are', () => {
    const codes = strings.filter((value) => /^[A-Z]{3}[A-Z_]+$/.test(value) && !NO_CODES.includes(value));
    expect(codes).toEqual(expect.arrayContaining(['INVALID_REFRESH_TOKEN', 'TOKEN_NOT_FOUND']));
    expect(codes.filter((code) => !(code in errorCatalogue) && !ownCodes.includes(code))).toEqual([]);
    const documentedCodes = ownCodes.filter((code) => !OF_OPERATIONS.includes(code));
    expect(codes).toEqual(expect.arrayContaining(documentedCodes));
  });

  test('names each code of the catalogue after which the customer signs in again', () => {
    const codes = Object.entries(errorCatalogue).filter(([, { advice }]) => advice === 'SIGN_IN');
    expect(codes.length).toBeGreaterThan(3);
    expect(strings).toEqual(expect.arrayContaining(codes.map(([code]) => code)));
  });

  test('names what the catalogue calls retryable, and what lasts in spite of its status', () => {
    const named = (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => {
      const { status, retryable } = errorCatalogue[code];
      return retryable || status === 429 || status >= 500;
    });
    expect(named.filter((code) => !strings.includes(code))).toEqual([]);
  });
});

describe('swift', () => {
  test.each(sources.swift.map((file) => [basename(file), file]))(
    '%s is parsed, and a slip would be seen',
    (_, file) => {
      const text = read(file);
      expect(faultsOf(text)).toEqual([]);
      expect(faultsOf(text.trimEnd().slice(0, -1))).not.toEqual([]);
    },
  );

  const structs = [...swiftClient.matchAll(/struct (\w+)[^{\n]*\{\n((?: {2,}(?:let|\/\/\/).*\n)+)/g)];
  const fieldsOf = (name: string) => {
    const [, , body = ''] = structs.find(([, found]) => found === name) ?? [];
    return [...body.matchAll(/\blet (\w+):/g)].map(([, field = '']) => field);
  };

  test.each(Object.entries(requests))('%s has the fields that the endpoint takes', (name, schema) => {
    expect(fieldsOf(name)).toEqual(Object.keys(schema.shape).filter((field) => field !== OF_PAGES));
  });

  const answers = JSON.parse(read('docs/openapi.json')).components.schemas;
  test.each([
    ['Started', 'StartedSignIn'],
    ['TokenPair', 'Tokens'],
    ['Revoked', 'Revoked'],
  ])('%s has the fields that the endpoint answers', (name, answer) => {
    expect(fieldsOf(name).sort()).toEqual(Object.keys(answers[answer].properties).sort());
  });

  test.each(['StoredSession', 'StoredSignIn', 'StoredSignOut'])(
    '%s has fields that the Kotlin client, which is played, has as well',
    (name) => {
      const fields = fieldsOf(name);
      expect(fields.length).toBeGreaterThan(1);
      expect(fields.filter((field) => !kotlinCore.includes(`"${field}"`))).toEqual([]);
    },
  );
});

test('all three clients have the same functions, and store under the same keys', () => {
  const core = /export type CustomerCore = \{([\s\S]*?)\n\};/.exec(
    read('clients/typescript/src/customer-core.ts'),
  );
  const names = [...(core?.[1] ?? '').matchAll(/^ {2}(\w+)[(:]/gm)].map(([, name = '']) => name);
  expect(names).toContain('completeSignIn');
  const facades = [read('clients/kotlin/core/CustomerClient.kt'), read('clients/swift/CustomerClient.swift')];
  for (const facade of facades)
    expect(names.filter((name) => !new RegExp(`\\bfunc? ${name}[(<]|fun ${name}\\(`).test(facade))).toEqual(
      [],
    );
  for (const kind of ['session', 'signIns', 'signOuts']) {
    expect(read('clients/typescript/src/session/records.ts')).toMatch(new RegExp(`\\b${kind}:`));
    for (const text of [kotlinCore, swiftClient]) expect(text).toContain(`"${kind}"`);
  }
});

describe('the Swift quickstart of docs/mobile.md', () => {
  const text = readQuickstart('swift');
  type Parameter = { readonly label: string; readonly isRequired: boolean };

  /** Returns the parameters of a function of the client, or of a type's initializer, by their labels. */
  function parametersOf(name: string): readonly Parameter[] | undefined {
    const [, list] = new RegExp(`func ${name}(?:<[^>]*>)?\\(([^)]*)\\)`).exec(swiftClient) ?? [];
    const [, initial] =
      new RegExp(`struct ${name}: [\\s\\S]*?\\binit\\(([\\s\\S]*?)\\) \\{`).exec(swiftClient) ?? [];
    return (list ?? initial)
      ?.split(',')
      ?.filter((one) => one.trim() !== '')
      .map((one) => ({
        label: /^\s*(\w+)/.exec(one)?.[1] ?? '',
        isRequired: !/ = /.test(one),
      }));
  }

  /** Returns each call by the text before its parentheses, with the labels of its arguments. */
  const calls = descendants(parseCode('swift', text).root())
    .filter((node) => node.kind() === 'call_expression')
    .map((node) => {
      const [callee, suffix] = node.children();
      const values = descendants(suffix ?? node).find((one) => one.kind() === 'value_arguments');
      const given = values?.children().filter((one) => one.kind() === 'value_argument') ?? [];
      const labels = given.map((one) => /^(\w+):/.exec(one.text())?.[1] ?? '_');
      return { callee: callee?.text() ?? '', labels };
    });

  test('is parsed without a fault', () => {
    expect(faultsOf(text)).toEqual([]);
  });

  test.each([
    ['CustomerClientOptions', 'CustomerClientOptions'],
    ['KeychainStorage', 'KeychainStorage'],
    ['WebAuthenticationBrowser.open', 'open'],
    ['client.onSession', 'onSession'],
    ['client.signIn', 'signIn'],
    ['client.request', 'request'],
  ])('calls %s as the client declares it', (callee, name) => {
    const labels = calls.find((call) => call.callee === callee)?.labels;
    const parameters = parametersOf(name);
    expect(parameters).toBeDefined();
    // In the order of the declaration, and with every parameter that has no default.
    const expected = parameters?.filter(({ label, isRequired }) => isRequired || labels?.includes(label));
    expect(labels).toEqual(expected?.map(({ label }) => label));
  });

  test('uses no function, type or case that the client lacks', () => {
    const called = [...text.matchAll(/\bclient\.(\w+)/g)].map(([, name]) => name);
    expect(called.sort()).toEqual(['onSession', 'request', 'signIn']);
    for (const declaration of ['init(_ options: CustomerClientOptions)', 'case signedIn(customerId: Int64)'])
      expect(swiftClient).toContain(declaration);
    expect(swiftClient).toMatch(/enum JSONValue: [\s\S]*?\n {2}case string\(String\)/);
    expect(swiftClient).toMatch(/struct RequestResult<[\s\S]*?let data: Result/);
  });
});
