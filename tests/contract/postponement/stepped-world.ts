/**
 * Processes whose calls to the table and requests to the platform are steps. A test can hold up each step, end the process
 * before or after it, and let the platform refuse one edit of it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Crash } from '../../lib/stores/world/faults.ts';
import { createPostponementWorld } from './postponement-world.ts';

export type Step = {
  readonly count: number;
  /** `put`, or the platform's root field. */
  readonly name: string;
  /** The number of mutations of a platform request. */
  readonly edits: number;
};

export type StepFault = { readonly crash: 'before' | 'after' } | { readonly refusedEdit: number };

/** Called before each step; the step waits for it. */
export type OnStep = (step: Step) => StepFault | undefined | Promise<StepFault | undefined>;

type Stepping = { readonly steps: Step[]; readonly onStep: OnStep; hasCrashed: boolean };

const READS = new Set(['get', 'batchGet', 'query']);

/** Whether the step changes nothing. */
export function isRead({ name, edits }: Step): boolean {
  return READS.has(name) || (name.startsWith('platform') && edits === 0);
}

export function createSteppedWorld() {
  const world = createPostponementWorld({ sendNow: 'MOVE' });
  const current = new AsyncLocalStorage<Stepping>();

  async function take<Result>(
    stepping: Stepping,
    { name, edits }: Omit<Step, 'count'>,
    run: (refusedEdit: number | undefined) => Promise<Result>,
  ): Promise<Result> {
    if (stepping.hasCrashed) throw new Crash();
    const step = { count: stepping.steps.length, name, edits };
    stepping.steps.push(step);
    const fault = await stepping.onStep(step);
    if (fault === undefined) return run(undefined);
    if ('refusedEdit' in fault) return run(fault.refusedEdit);
    if (fault.crash === 'after') await run(undefined);
    stepping.hasCrashed = true;
    throw new Crash();
  }

  const { send } = world.platform;
  world.platform.send = (body, change = {}) => {
    const stepping = current.getStore();
    if (stepping === undefined) return send(body, change);
    const { query } = JSON.parse(body) as { query: string };
    const isMutation = query.trimStart().startsWith('mutation');
    const edits = isMutation ? query.split('subscriptionBillingCycleScheduleEdit(').length - 1 : 0;
    const step = { name: `platform ${isMutation ? 'edits' : 'query'}`, edits };
    return take(stepping, step, (refusedMutation) =>
      send(body, {
        ...change,
        ...(refusedMutation !== undefined && { refusedMutationNumber: refusedMutation }),
      }),
    );
  };

  /** Runs a command as a process of its own. Returns its steps, and its outcome unless it crashed. */
  async function runStepped<Result>(
    command: (process: ReturnType<typeof world.process>) => Promise<Result>,
    onStep: OnStep = () => undefined,
  ): Promise<{ readonly steps: readonly Step[]; readonly hasCrashed: boolean; readonly result?: Result }> {
    const stepping: Stepping = { steps: [], onStep, hasCrashed: false };
    const process = world.process();
    const { faults } = process;
    let fault: StepFault | undefined;
    faults.pause = async ({ operation: name }) => {
      if (stepping.hasCrashed) return;
      const step = { count: stepping.steps.length, name, edits: 0 };
      stepping.steps.push(step);
      fault = await stepping.onStep(step);
    };
    faults.plan = () => {
      if (stepping.hasCrashed) return 'before';
      const crash = fault !== undefined && 'crash' in fault ? fault.crash : undefined;
      fault = undefined;
      stepping.hasCrashed = crash !== undefined;
      return crash;
    };
    try {
      const result = await current.run(stepping, () => command(process));
      return { steps: stepping.steps, hasCrashed: stepping.hasCrashed, result };
    } catch (error) {
      if (!stepping.hasCrashed) throw error;
      return { steps: stepping.steps, hasCrashed: true };
    }
  }

  return { ...world, runStepped };
}
