/**
 * Removes rights from the synthesised template. The calls of each use case are recorded once; for each right, the
 * shortest use case that needs it runs without it and must fail. Each runs on a new template without cached data.
 */
import { rmSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { expect } from '@jest/globals';
import { allows } from '../../infra/synthesised/recording-proxy.ts';
import {
  type RunningTemplate,
  type Synthesised,
  startTemplate,
} from '../../infra/synthesised/start-template.ts';
import { statementsWithout } from '../../infra/synthesised/statements-without.ts';
import { synthesiseEnvironment } from '../../infra/synthesised/synthesise.ts';
import { runUseCase, type UseCase, useCases } from '../../infra/synthesised/use-cases.ts';

type Call = RunningTemplate['calls'][number];
/** A run of a use case, on the whole template or without a right. */
type RunResult = Pick<RunningTemplate, 'calls' | 'functions'> & {
  readonly useCase: UseCase;
  readonly ms: number;
  /** Calls before it: containers warm themselves. */
  readonly warmUps: number;
  /** The kind of failure. */
  readonly error: Error | undefined;
};
type TakenOut = {
  /** The title of the failing use case. */
  readonly title: string;
  /** The number of other use cases that need the right. */
  readonly others: number;
  readonly seen: string;
};
export type CheckedRights = {
  /**
   * Returns the use case that fails without the right.
   * @throws Error when all succeed.
   */
  takeOut(right: string): Promise<TakenOut>;
  close(): void;
};

export async function startCheckedRights(): Promise<CheckedRights> {
  const synthesised = await synthesiseEnvironment('prod');
  const recorded: RunResult[] = [];
  for (const useCase of useCases) {
    const result = await runOne(synthesised, useCase);
    if (result.error !== undefined) throw result.error;
    recorded.push(result);
  }
  recorded.sort((one, other) => one.ms - other.ms);
  return {
    async takeOut(right) {
      const needing = inOrder(recorded, right);
      for (const { useCase } of needing) {
        const { calls, functions, error } = await runOne(synthesised, useCase, right);
        const refused = calls.filter(({ allowed }) => !allowed);
        expect(refused).not.toEqual([]);
        expect(refused.filter((call) => !needs(functions, call, right))).toEqual([]);
        if (error !== undefined)
          return { title: useCase.title, others: needing.length - 1, seen: messageOf(error) };
      }
      throw new Error(`Nothing fails without ${right}.`);
    },
    close: () => rmSync(synthesised.dir, { recursive: true }),
  };
}

/** Those that take the right, the shortest first; where none does by itself, those whose containers did at their start. */
function inOrder(recorded: readonly RunResult[], right: string): RunResult[] {
  const taking = (from: (result: RunResult) => number) =>
    recorded.filter((one) => one.calls.slice(from(one)).some((call) => needs(one.functions, call, right)));
  const byThemselves = taking(({ warmUps }) => warmUps);
  return byThemselves.length > 0 ? byThemselves : taking(() => 0);
}

async function runOne(synthesised: Synthesised, useCase: UseCase, without?: string): Promise<RunResult> {
  const running = await startTemplate(synthesised, without);
  const { calls, functions } = running;
  const warmUps = calls.length;
  const startedAtMs = performance.now();
  const error = await runUseCase(running, useCase).then(
    () => undefined,
    (reason: Error) => reason,
  );
  const ms = performance.now() - startedAtMs;
  await running.close();
  return { useCase, calls, functions, warmUps, ms, error };
}

/** Whether the role of its function allows a call with the right, and not without it. */
function needs(functions: RunningTemplate['functions'], call: Call, right: string): boolean {
  const statements = functions.find((one) => one.functionName === call.functionName)?.statements ?? [];
  const without = statementsWithout(right, call.functionName, statements);
  return statements.some((one) => allows(one, call)) && !without.some((one) => allows(one, call));
}

/** Returns the text of a step, or the expected and received values of a jest assertion. */
function messageOf({ message }: Error): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim());
  const compared = lines.filter(
    (line) => /^([-+] {2}|Expected|Received)/.test(line) && !/^[-+] +(Expected|Received)/.test(line),
  );
  return (compared.length > 0 ? compared.slice(0, 2).join(', ') : (lines[0] ?? ''))
    .replaceAll(/\s+/g, ' ')
    .slice(0, 100);
}
