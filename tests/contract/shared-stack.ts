/** The stack of the tests over HTTP: started before the first, stopped after the last. */
import { afterAll, beforeAll } from '@jest/globals';
import { startTestStack, type TestStack } from '../stack.ts';

export let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack();
});

afterAll(() => stack?.stop());
