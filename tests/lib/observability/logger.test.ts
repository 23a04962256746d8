import { expect, test } from '@jest/globals';
import { createPlatformTimer } from '../../../lib/observability/platform-timer.ts';
import { runInRequestContext } from '../../../lib/observability/request-context.ts';
import { linesOf, metricsOf } from './log-lines.ts';

test('a line with an alarm is counted, whatever its level', async () => {
  const lines = await linesOf((logger) => {
    logger.warn('platform_request.failed', { alarm: 'store-disconnected', shopId: 81 });
    logger.error('refresh_token.reuse_detected', { alarm: 'refresh_reuse' });
    logger.error('no alarm');
  });
  expect(lines.flatMap(metricsOf).sort()).toEqual([
    'alarms=1 alarm=refresh_reuse',
    'alarms=1 alarm=store-disconnected',
  ]);
});

test('a line tells level, message, time and function first, and no field takes their place', async () => {
  const [line] = await linesOf((logger) =>
    logger.info('due_work.completed', { count: 3, level: 'none', service: 'another', points: 10n }),
  );
  expect(Object.entries(line ?? {})).toEqual([
    ['level', 'INFO'],
    ['message', 'due_work.completed'],
    ['timestamp', '2023-11-14T22:13:20.000Z'],
    ['service', 'trial'],
    ['count', 3],
    ['points', '10'],
  ]);
});

test('a line has the ids of its request, and no field takes their place', async () => {
  const request = { requestId: 'request-1', traceId: undefined, platformTimer: createPlatformTimer(() => 0) };
  const [line] = await linesOf((logger) =>
    runInRequestContext(request, () => logger.info('due_work.completed', { requestId: 'another', count: 3 })),
  );
  expect(line).toMatchObject({ requestId: 'request-1', count: 3 });
  expect(line).not.toHaveProperty('traceId');
});

test('lines below the level are not written', async () => {
  expect(await linesOf((logger) => logger.debug('too fine'))).toEqual([]);
});

test('no secret is written, whatever field it stands in', async () => {
  const [line] = await linesOf((logger) => logger.warn('odd', { cause: { text: 'Bearer SVC_CT_abc' } }));
  expect(line?.cause).toEqual({ text: '[redacted]' });
});
