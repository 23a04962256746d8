/**
 * The stack of the tests over HTTP: started before the first, stopped after the last. With APP_FORM its stores are of that
 * form (own-store, custom, public): what is tested here must not depend on it.
 */
import { afterAll, beforeAll } from '@jest/globals';
import { startTestStack, type TestStack } from '../../stack.ts';
import { isAmongOthers, slowOtherRequests } from './other-requests.ts';

export let stack: TestStack;

beforeAll(async () => {
  const started = await startTestStack({ appForm: process.env.APP_FORM, concurrent: isAmongOthers });
  const requests = async () =>
    (await started.control.requests()).filter(({ shop }) => !isAmongOthers || shop === started.shop);
  const clearFaults = async () => {
    await started.control.clearFaults();
    if (isAmongOthers) await slowOtherRequests(started);
  };
  stack = { ...started, control: { ...started.control, requests, clearFaults } };
});

afterAll(() => stack?.stop());
