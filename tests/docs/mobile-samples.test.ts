/** docs/mobile.md is a guide, and its samples are files: documents that are valid, Swift and Kotlin that are parsed. */
import { readdirSync, readFileSync } from 'node:fs';
import kotlin from '@ast-grep/lang-kotlin';
import swift from '@ast-grep/lang-swift';
import { parse as parseCode, registerDynamicLanguage, type SgNode } from '@ast-grep/napi';
import { describe, expect, test } from '@jest/globals';
import { parse, validate } from 'graphql';
import { methodsAt } from '../../functions/headless-auth/endpoints.ts';
import {
  exchangeRequest,
  startRequest,
  tokenRequest,
} from '../../functions/headless-auth/request-schemas.ts';
import { schemaOf } from '../../graphql/schema/schema.ts';
import { routes } from '../../infra/definition/routes.ts';
import { catalogue } from '../../lib/errors/catalogue.ts';
import type { Exchange } from '../../lib/http/exchange.ts';

const FOLDER = 'docs/examples/mobile';
const page = readFileSync('docs/mobile.md', 'utf8');
const read = (name: string) => readFileSync(`${FOLDER}/${name}`, 'utf8');

describe('docs/mobile.md', () => {
  test('is a guide that one sitting is enough for', () => {
    expect(page.split('\n').length).toBeLessThan(300);
  });

  test('links to every file of its samples', () => {
    const linked = [...page.matchAll(/\]\(examples\/mobile\/([^)]+)\)/g)].map(([, name]) => name);
    expect(new Set(linked)).toEqual(new Set(readdirSync(FOLDER)));
  });

  test('shows no code but app.ts, as it is', () => {
    const blocks = [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, kind, text]) => [kind, text]);
    expect(blocks).toEqual([['ts', read('app.ts')]]);
  });

  test('its documents fit what a customer may ask', () => {
    const inApp = [...read('app.ts').matchAll(/`((?:query|mutation) [^`]+)`/g)].map(([, text = '']) => text);
    const documents = [read('portal.graphql'), ...inApp];
    expect(documents).toHaveLength(3);
    for (const document of documents) expect(validate(schemaOf('customer'), parse(document))).toEqual([]);
  });

  test('the scheme of the manifest is the one that the page names', () => {
    expect(read('AndroidManifest.xml')).toMatch(/android:scheme="shop\.\d+\.app" android:host="callback"/);
  });
});

const METHODS = ['POST', 'DELETE'];
/** What the samples tell of themselves, beside the codes of the service. */
const OWN_CODES = 'NETWORK UNKNOWN SIGNED_OUT FOREIGN_REDIRECT CANCELLED BAD_ADDRESS KEYCHAIN'.split(' ');
const requests = { PendingExchange: exchangeRequest, TokenRequest: tokenRequest, StartRequest: startRequest };
registerDynamicLanguage({ swift, kotlin });

const descendants = (node: SgNode): SgNode[] => [node, ...node.children().flatMap(descendants)];
/** What the parser could not read, and what it had to put in to go on. */
const faultsOf = (language: string, text: string) =>
  descendants(parseCode(language, text).root())
    .filter((node) => node.kind() === 'ERROR' || (node.children().length === 0 && node.text() === ''))
    .map((node) => `line ${node.range().start.line + 1}: ${node.text()}`);

describe.each([
  ['swift', 'SubscriptionService.swift'],
  ['kotlin', 'SubscriptionService.kt'],
])('%s', (language, file) => {
  const text = read(file);
  const nodes = descendants(parseCode(language, text).root());
  const strings = nodes
    .filter((node) => ['line_string_literal', 'string_literal'].includes(String(node.kind())))
    .map((node) => node.text().slice(1, -1));

  test('is parsed, and a slip would be seen', () => {
    expect(faultsOf(language, text)).toEqual([]);
    for (const slip of [text.trimEnd().slice(0, -1), text.replace(' {', ' ((')])
      expect(faultsOf(language, slip)).not.toEqual([]);
  });

  test('asks at addresses that there are', () => {
    const paths = strings.filter((value) => value.startsWith('/'));
    const steps = ['start', 'exchange', 'refresh', 'revoke'].map((step) => `/headless-auth/${step}`);
    expect(paths).toEqual(expect.arrayContaining(steps));
    const others = paths.filter((path) => methodsAt({ request: { path } } as Exchange).length === 0);
    expect(others.filter((path) => !routes.some((route) => route.path === path))).toEqual([]);
  });

  test('names codes that there are', () => {
    const codes = strings.filter((value) => /^[A-Z]{3}[A-Z_]+$/.test(value) && !METHODS.includes(value));
    expect(codes).toEqual(expect.arrayContaining(['INVALID_REFRESH_TOKEN', 'TOKEN_NOT_FOUND']));
    const others = codes.filter((code) => !(code in catalogue) && !OWN_CODES.includes(code));
    expect(others).toEqual([]);
  });

  test('sends the fields that the endpoints take', () => {
    const classes = nodes.filter((node) => node.kind() === 'class_declaration').map((node) => node.text());
    const sent = Object.entries(requests).flatMap(([name, schema]) => {
      const body = classes.find((one) => new RegExp(`(struct|class) ${name}\\b`).test(one));
      const fields = [...(body ?? '').matchAll(/\b(?:let|val) (\w+):/g)].map(([, field]) => field);
      return body === undefined ? [] : [[name, fields, Object.keys(schema.shape)] as const];
    });
    expect(sent.length).toBeGreaterThan(1);
    for (const [name, fields, taken] of sent) expect([name, fields]).toEqual([name, taken]);
  });
});
