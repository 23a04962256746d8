import { describe, expect, test } from '@jest/globals';
import { TransportError } from '../../../../lib/platform/send-request.ts';
import { classifyTokenResponse } from '../../../../lib/platform/sign-in/classify-token-response.ts';

const answer = (status: number, body: unknown = '') => ({
  status,
  headers: {},
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

describe("the token endpoint's answers", () => {
  test.each([
    ['no connection', new TransportError('sign-in', 'unreachable', false), 'transient', 'transient'],
    [
      'time-out before it was sent',
      new TransportError('sign-in', 'timeout', false),
      'transient',
      'transient',
    ],
    ['time-out after it was sent', new TransportError('sign-in', 'timeout', true), 'transient', 'uncertain'],
    ['cut', new TransportError('sign-in', 'cut', true), 'transient', 'uncertain'],
    ['too large', new TransportError('sign-in', 'too-large', true), 'transient', 'uncertain'],
    ['200', answer(200, { access_token: 'a' }), 'granted', 'granted'],
    ['400 invalid_grant', answer(400, { error: 'invalid_grant' }), 'code-refused', 'grant-dead'],
    ['401 invalid_grant', answer(401, { error: 'invalid_grant' }), 'transient', 'transient'],
    ['400 invalid_client', answer(400, { error: 'invalid_client' }), 'transient', 'transient'],
    ['400 HTML that says invalid_grant', answer(400, '<p>invalid_grant'), 'transient', 'transient'],
    ['401 without a word', answer(401), 'transient', 'transient'],
    ['403', answer(403, '<h1>'), 'transient', 'transient'],
    ['429', answer(429), 'transient', 'transient'],
    ['302', answer(302), 'transient', 'transient'],
    ['500', answer(500, { error: 'invalid_grant' }), 'transient', 'uncertain'],
    ['520', answer(520), 'transient', 'uncertain'],
  ])('%s', (_what, given, code, refresh) => {
    expect(classifyTokenResponse(given, 'code')).toBe(code);
    expect(classifyTokenResponse(given, 'refresh')).toBe(refresh);
  });
});
