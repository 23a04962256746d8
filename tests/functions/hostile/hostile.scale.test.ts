/** Checks that no request of a client causes an internal error; it may be rejected. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createPreparedDocuments } from '../../../graphql/compile/prepare-document.ts';
import { propertyRuns } from '../../full-size.ts';
import { createEndpoints, type Endpoints } from './endpoints.ts';
import { type HostileRequest, requests } from './requests.ts';

const RUNS = propertyRuns(30_000);
/** The number of requests that change a store before it is replaced by a new one. */
const PER_STORE = 100;

const documents = createPreparedDocuments();
let endpoints: Endpoints = createEndpoints(documents);
let requestCount = 0;
const codes = new Map<string, number>();

async function check({ endpoint, headers, body }: HostileRequest): Promise<void> {
  if (requestCount++ % PER_STORE === 0) endpoints = createEndpoints(documents);
  const answer = await endpoints.ask(endpoint, headers, body);
  const reported = JSON.parse(answer.body ?? '');
  expect(endpoints.takeFailures()).toEqual([]);
  expect(answer.statusCode).toBeLessThan(500);
  expect(answer.body).not.toContain('INTERNAL_ERROR');
  const errors = (reported.errors ?? []) as { message?: unknown; extensions?: { code?: string } }[];
  expect(errors.filter(({ message }) => typeof message !== 'string')).toEqual([]);
  const code = errors[0]?.extensions?.code ?? (reported.data ? 'data' : 'nothing');
  codes.set(code, (codes.get(code) ?? 0) + 1);
}

test('no request of a client is our fault', async () => {
  await fc.assert(fc.asyncProperty(requests, check), RUNS);
  // The property would also hold if every request were refused at the door.
  const share = (code: string) => (codes.get(code) ?? 0) / requestCount;
  expect(share('data')).toBeGreaterThan(0.02);
  expect(share('GRAPHQL_VALIDATION_FAILED')).toBeGreaterThan(0.02);
});
