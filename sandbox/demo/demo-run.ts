/**
 * A demo run is a list of steps. They run in order and print their requests; the first unexpected result ends the run.
 */
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { CustomerClient } from '../../clients/typescript/src/client.ts';
import type { DemoOutput } from './demo-output.ts';
import type { RunningStack } from './read-running-stack.ts';
import { type DemoRequest, type DemoResponse, sendRequest } from './send-request.ts';

export type DemoRun = {
  readonly stack: RunningStack;
  readonly show: DemoOutput;
  /** Values of earlier steps, by name. */
  readonly saved: Map<string, string>;
  /** The customer's app, once it is started; `clock.aheadMs`: how far its device's clock is ahead. */
  app?: { readonly client: CustomerClient; readonly clock: { aheadMs: number } };
};

export type DemoStep = { readonly title: string; readonly run: (demoRun: DemoRun) => Promise<void> };

const MAX_DEMO_ATTEMPTS = 8;

/** The error of an unexpected response; the message has the expected and the actual value. */
export class UnexpectedResponse extends Error {}

/**
 * Runs the steps in order, each after its title.
 * @throws UnexpectedResponse at the first unexpected result
 */
export async function runSteps(steps: readonly DemoStep[], demoRun: DemoRun): Promise<void> {
  for (const { title, run } of steps) {
    demoRun.show.step(title);
    await run(demoRun);
  }
}

/** Sends the request, retries while the response requires it, prints each attempt, and checks the status. */
export async function sendAndExpectStatus(
  demoRun: DemoRun,
  request: DemoRequest,
  status: number,
): Promise<DemoResponse> {
  for (let attemptNumber = 1; ; attemptNumber++) {
    const { response, retryAfterSeconds } = await sendRequest(request, attemptNumber);
    demoRun.show.call(request, response);
    if (retryAfterSeconds === 0 || attemptNumber === MAX_DEMO_ATTEMPTS) {
      expectEqualValues('status', status, response.status);
      return response;
    }
    await setTimeout(retryAfterSeconds * 1000);
  }
}

/**
 * Compares the values by structure; `valueName` names the value in the message.
 * @throws UnexpectedResponse when they differ
 */
export function expectEqualValues(valueName: string, expected: unknown, actual: unknown): void {
  if (isDeepStrictEqual(expected, actual)) return;
  throw new UnexpectedResponse(
    `${valueName}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`,
  );
}

/**
 * Returns the value at a path such as `data.customer.id` or `errors.0.message`.
 * @returns undefined when the path does not exist
 */
export function valueAtPath(body: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], body);
}

/**
 * Returns the text at a path.
 * @throws UnexpectedResponse when there is no text
 */
export function textAtPath(body: unknown, path: string): string {
  const textValue = valueAtPath(body, path);
  if (typeof textValue === 'string' && textValue !== '') return textValue;
  throw new UnexpectedResponse(`${path}: expected a text, got ${JSON.stringify(textValue)}`);
}

/**
 * Returns the value that an earlier step stored.
 * @throws UnexpectedResponse when no step did
 */
export function savedValue({ saved: savedValues }: DemoRun, name: string): string {
  const storedValue = savedValues.get(name);
  if (storedValue === undefined) throw new UnexpectedResponse(`No earlier step stored "${name}".`);
  return storedValue;
}
