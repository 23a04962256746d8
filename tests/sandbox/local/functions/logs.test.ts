import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createLogs } from '../../../../sandbox/local/functions/logs.ts';

const now = () => Date.UTC(2026, 10, 21, 8, 40, 29);
const request = JSON.stringify({
  level: 'INFO',
  message: 'request',
  timestamp: '2026-11-21T08:40:29.123Z',
  service: 'headless-auth',
  function_name: 'subscriptions-local-headless-auth',
  method: 'POST',
  path: '/headless-auth/start',
  status: 200,
});

test('the terminal shows a line for people, the file has it as it is', () => {
  const dir = mkdtempSync(join(tmpdir(), 'logs-'));
  const file = join(dir, 'log.jsonl');
  const displayed: string[] = [];
  const logs = createLogs({ json: false, file, write: (line) => displayed.push(line), now });
  logs.fromFunction('headless-auth', request);
  logs.close();
  expect(displayed).toEqual([
    '08:40:29   headless-auth     request method=POST path=/headless-auth/start status=200',
  ]);
  expect(readFileSync(file, 'utf8')).toBe(`${request}\n`);
  rmSync(dir, { recursive: true });
});

test('an error stands out and brings its stack', () => {
  const displayed: string[] = [];
  const logs = createLogs({ json: false, write: (line) => displayed.push(line), now });
  const stackTrace = ['Error: no', '    at somewhere'];
  logs.functionError('admin-graphql', 'id-1', { errorType: 'Error', errorMessage: 'no', stackTrace });
  expect(displayed[0]).toBe(
    '08:40:29 ✗ admin-graphql     invocation failed requestId=id-1 errorType=Error errorMessage=no\n    Error: no\n        at somewhere',
  );
});

test.each(['plain text', '{ broken', '[1]'])('text is wrapped as Lambda does: %s', (line) => {
  const displayed: string[] = [];
  createLogs({ json: true, write: (text) => displayed.push(text), now }).fromFunction('admin-graphql', line);
  expect(JSON.parse(String(displayed[0]))).toEqual({
    level: 'INFO',
    message: line,
    timestamp: '2026-11-21T08:40:29.000Z',
    service: 'admin-graphql',
  });
});

test('nothing of a request makes a line of its own, or reaches the terminal as a command', () => {
  const displayed: string[] = [];
  const logs = createLogs({ json: false, write: (line) => displayed.push(line), now });
  const path = '/a\n04:33:33 forged\u001b[31m\u0000\u2028\u202e';
  logs.fromFunction('headless-auth', JSON.stringify({ ...JSON.parse(request), path }));
  expect(displayed.join()).toContain(String.raw`path=/a\u000a04:33:33 forged\u001b[31m\u0000\u2028\u202e`);
  expect(displayed.join()).not.toMatch(/[\p{Cc}\p{Zl}\u202e]/u);
});
