/** Each saved query, and each query of the runbook, finds lines, and the lines have every field that it names. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import middy from '@middy/core';
import { withRequestContext } from '../../../../functions/compose/with-request-context.ts';
import type { HttpEvent, HttpResult } from '../../../../lib/http/exchange.ts';
import { logRequest } from '../../../../lib/http/log-request.ts';
import { readRequest } from '../../../../lib/http/read-request.ts';
import { context, httpEvent } from '../../../http-event.ts';
import { type Line, linesOf, metrics } from '../../../lib/observability/log-lines.ts';
import { edgeTemplateOf, templateOf } from '../template/synthesise.ts';
import { resourcesOf, theOne } from '../template/template.ts';

const template = templateOf('prod');
const saved = resourcesOf(template, 'AWS::Logs::QueryDefinition').map(
  ({ properties: { Name, QueryString } }) => [String(Name), String(QueryString)] as const,
);
const runbook = readFileSync('docs/runbook.md', 'utf8');
const ofRunbook = [
  ...runbook.matchAll(/```\n((?:fields|filter) [^`]*?(?:`[\w-]+`[^`]*?)*)```/g),
  ...runbook.matchAll(/`(filter [^`]+)`/g),
].map(([, query = '']) => [query.split('\n')[0] ?? '', query.replaceAll('\n', ' ')] as const);

/** The lines of API Gateway and CloudFront, with the values that the runbook looks for. */
const { Format } = theOne(template, 'AWS::ApiGatewayV2::Stage').properties.AccessLogSettings as {
  Format: string;
};
const { RecordFields } = theOne(edgeTemplateOf('prod'), 'AWS::Logs::Delivery').properties as {
  RecordFields: string[];
};
const others = ['429', '500'].flatMap((status) => [
  { ...JSON.parse(Format), status },
  { ...Object.fromEntries(RecordFields.map((name) => [name, '1'])), 'sc-status': status },
]);

/** The lines of the service: those of requests by each outcome, and the events that queries name. */
const ids = { shopId: 81, keyId: '<key id>' };
const requests: Readonly<Record<string, string | number>>[] = [
  { ...ids, userErrors: 'INVALID' },
  { ...ids, errorCode: 'INTERNAL_ERROR', status: 500 },
  { ...ids, errorCode: 'FORBIDDEN', reason: 'refused', refusal: 'topic', userErrors: 'INVALID', status: 403 },
  { ...ids, status: 200, takesMs: 1_500 },
];
const events = {
  store_change: {
    ...ids,
    ...{ customerId: 7, requestId: 'r', root: 'a', outcome: 'done', ids: 'gid', fields: 'tags' },
  },
  'postponement.extension_late': { shopId: 81, contract: 1, ahead: 2, alarm: 'postponement_late' },
  'key.network_refused': { ...ids, caller: '192.0.2.1', customerId: 7, alarm: 'key_outside_networks' },
};
const lines = (await linesOf(async (logger) => {
  for (const { status = 200, takesMs = 0, ...fields } of requests) {
    const clock = { nowMs: metrics.now() };
    const now = () => clock.nowMs;
    const steps = middy<HttpEvent, HttpResult>({ requestEnd: logRequest({ logger, now }) })
      .use([readRequest({ now })])
      .handler(async ({ exchange }) => {
        Object.assign(exchange.logFields, fields);
        clock.nowMs += Number(takesMs);
        return { statusCode: Number(status) };
      });
    // The logger writes the request's id into each line.
    const handler = withRequestContext({ now }, steps);
    const event = httpEvent({ method: 'POST', path: '/headless-auth/exchange' });
    const id = { ...event.requestContext, requestId: '<request id>' };
    const routeKey = 'POST /headless-auth/exchange';
    await handler({ ...event, requestContext: id, routeKey } as unknown as HttpEvent, context);
  }
  for (const [message, fields] of Object.entries(events)) logger.error(message, fields);
})) as readonly Line[];

/** Whether a line fulfils a condition of CloudWatch Logs Insights, of the forms that the queries use. */
function fulfils(line: Line, condition: string): boolean {
  const [, name = '', operator, value = ''] = /^`?([\w-]+)`? (=|>=|in) (.+)$/.exec(condition) ?? [];
  const present = /^ispresent\((\w+)\)$/.exec(condition)?.[1];
  if (present !== undefined) return line[present] !== undefined;
  const values = JSON.parse(operator === 'in' ? value : `[${value}]`);
  if (operator === '>=') return Number(line[name]) >= values[0];
  if (operator === undefined) throw new Error(`The test does not know the condition ${condition}.`);
  return values.includes(line[name]);
}

/** The fields that a query shows, counts or groups by. */
function fieldsOf(query: string): string[] {
  const made = [...query.matchAll(/ as (\w+)/g)].map(([, name]) => name);
  const parts = query.split('|').map((part) => part.trim());
  return parts
    .filter((part) => !part.startsWith('filter') && !part.startsWith('limit'))
    .flatMap((part) =>
      part
        .replace(/^(fields|stats|sort) /, '')
        .replace(/ as \w+/g, '')
        .split(/,| by /),
    )
    .map((part) => part.trim().replace(/^\w+\((?=[\w@*])|\)$|,.*$| (asc|desc)$|`/g, ''))
    .map((name) => name.replace(/ (asc|desc)$/, ''))
    .filter((name) => /^[a-z][\w-]*$/i.test(name) && !made.includes(name));
}

test.each([...saved, ...ofRunbook])(
  'the query %s finds lines with all fields that it names',
  (_name, query) => {
    const conditions = query
      .split('|')
      .flatMap((part) => /^\s*filter (.+?)\s*$/.exec(part)?.[1]?.split(' and ') ?? []);
    expect(conditions).not.toEqual([]);
    const found = [...lines, ...others].filter((line) => conditions.every((one) => fulfils(line, one)));
    expect(found).not.toEqual([]);
    const names = new Set(found.flatMap((line) => Object.keys(line)));
    expect(fieldsOf(query).filter((name) => !names.has(name))).toEqual([]);
  },
);

test('the queries that are checked are all that the runbook and the stack have', () => {
  expect(saved.length).toBeGreaterThanOrEqual(11);
  expect(ofRunbook).toHaveLength(8);
});
