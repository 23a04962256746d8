/** A journey is a list of steps, played in order and shown as they happen; the first surprise ends it. */
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { CustomerClient } from '../../clients/typescript/src/client.ts';
import type { Stack } from './read-stack.ts';
import { type Answer, type Request, sendRequest } from './send-request.ts';
import type { Show } from './show.ts';

export type Journey = {
  readonly stack: Stack;
  readonly show: Show;
  /** What a step keeps for those after it, by name. */
  readonly saved: Map<string, string>;
  /** The customer's, once it is started; `clock.aheadMs`: how far its device's clock is ahead. */
  app?: { readonly client: CustomerClient; readonly clock: { aheadMs: number } };
};

export type Step = { readonly title: string; readonly run: (journey: Journey) => Promise<void> };

const MAX_ATTEMPTS = 8;

/** An answer was not as expected; the message says what was expected and what came. */
export class Unexpected extends Error {}

/** Plays the steps in order, each after its title. Throws Unexpected at the first that goes otherwise. */
export async function runJourney(steps: readonly Step[], journey: Journey): Promise<void> {
  for (const { title, run } of steps) {
    journey.show.step(title);
    await run(journey);
  }
}

/** Sends the request, and again while the answer says so; shows each with its answer, and expects the status. */
export async function call(journey: Journey, request: Request, status: number): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const { answer, retryAfterSeconds } = await sendRequest(request, tries);
    journey.show.call(request, answer);
    if (retryAfterSeconds === 0 || tries === MAX_ATTEMPTS) {
      expectEqual('status', status, answer.status);
      return answer;
    }
    await setTimeout(retryAfterSeconds * 1000);
  }
}

/** Compares by structure; `what` names the thing in the message. */
export function expectEqual(what: string, expected: unknown, got: unknown): void {
  if (isDeepStrictEqual(expected, got)) return;
  throw new Unexpected(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`);
}

/** The value at a path such as `data.customer.id` or `errors.0.message`; undefined where there is none. */
export function at(body: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], body);
}

/** The text at a path. Throws Unexpected where there is none. */
export function textAt(body: unknown, path: string): string {
  const value = at(body, path);
  if (typeof value === 'string' && value !== '') return value;
  throw new Unexpected(`${path}: expected a text, got ${JSON.stringify(value)}`);
}

/** What an earlier step kept. */
export function recall({ saved: stored }: Journey, name: string): string {
  const value = stored.get(name);
  if (value === undefined) throw new Unexpected(`No earlier step kept "${name}".`);
  return value;
}
