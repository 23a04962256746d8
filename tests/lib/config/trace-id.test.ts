import { expect, test } from '@jest/globals';
import { currentTraceId } from '../../../lib/config/trace-id.ts';

const ROOT = '1-5759e988-bd862e3fe1be46a994272793';

test.each([
  ['of a sampled request', `Root=${ROOT};Parent=53995c3f42cd8ad8;Sampled=1`, ROOT],
  ['behind a load balancer', `Self=1-67891234-12456789abcdef012345678;Root=${ROOT}`, ROOT],
  ['of an invocation without one', undefined, undefined],
  ['with what a client made up', 'Root=1-5759e988-"}{"alarm":"x"', undefined],
  ['in capitals', `Root=${ROOT.toUpperCase()}`, undefined],
])('returns the trace id %s', (_what, given, expected) => {
  expect(currentTraceId({ _X_AMZN_TRACE_ID: given })).toBe(expected);
});
