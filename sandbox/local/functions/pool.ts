/**
 * A function and its instances, after Lambda's model: one invocation at a time for each instance, another instance when
 * all are busy, up to a limit; then invocations wait. Idle instances stay, frozen.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { buildLambdaContext } from '../../aws/build-lambda-environment.ts';
import {
  type FunctionInstance,
  type FunctionInvocation,
  type InstanceResponse,
  startInstance,
} from './instance.ts';
import { InvocationError } from './invocation-error.ts';
import type { FunctionLogs } from './logs.ts';

export type PoolOptions = {
  readonly name: string;
  readonly bundlePath: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly clockOffsetMs: () => number;
  readonly logs: FunctionLogs;
  readonly maxInstances?: number;
  /** How long an idle instance may run its pending work at the end; 500 ms by default. */
  readonly drainWithinMs?: number;
};
export type FunctionPool = {
  /** Starts an instance, so that the first request need not wait. Rejects when the bundle does not load. */
  warm(): Promise<void>;
  /**
   * Runs the handler and returns its result. Rejects with an InvocationError. Calls `onStart` when an instance has
   * accepted the event.
   */
  invoke(event: object, onStart?: () => void): Promise<unknown>;
  /** The number of instances. */
  size(): number;
  /** Stops all instances; idle ones may first run their pending work. */
  close(): Promise<void>;
};

/** Few, because a machine with few processors spends more on the starts of further instances than it gains. */
const MAX_INSTANCES_PER_FUNCTION = 4;
/** The time after which an instance that has not exited is killed. */
const MAX_DRAIN_MS = 500;

/** Creates the pool of a function, without an instance. */
export function createPool(options: PoolOptions): FunctionPool {
  const instanceSet = createInstanceSet(options);
  const { drainWithinMs = MAX_DRAIN_MS } = options;
  return {
    async warm() {
      const newInstance = instanceSet.add();
      await newInstance.ready;
      instanceSet.release(newInstance);
    },
    async invoke(event, onStart) {
      const readyInstance = await takeReadyInstance(instanceSet);
      onStart?.();
      return invokeInstance(readyInstance, { options, event, release: instanceSet.release });
    },
    size: () => instanceSet.all.size,
    async close() {
      const { all, idle } = instanceSet.takeAll();
      for (const instance of all) if (!idle.includes(instance)) instance.kill();
      await Promise.all(
        idle.map(async (instance) => reportLateRequests(options, await instance.drain(drainWithinMs))),
      );
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}

/** The instances of a function: all, the idle ones, and the invocations that wait for one. */
function createInstanceSet(options: PoolOptions) {
  const allInstances = new Set<FunctionInstance>();
  const idleInstances: FunctionInstance[] = [];
  const waitingTakers: ((instance: FunctionInstance) => void)[] = [];
  const startNewInstance = () => {
    const instance = startOneInstance(options);
    allInstances.add(instance);
    void instance.ended.then(() => removeInstance(instance));
    return instance;
  };
  const removeInstance = (instance: FunctionInstance) => {
    allInstances.delete(instance);
    const index = idleInstances.indexOf(instance);
    if (index >= 0) idleInstances.splice(index, 1);
    waitingTakers.shift()?.(startNewInstance());
  };
  return {
    all: allInstances,
    add: startNewInstance,
    /** Returns the most recently idle instance, otherwise a new one, otherwise the next released one. */
    take(): FunctionInstance | Promise<FunctionInstance> {
      const lastIdleInstance = idleInstances.pop();
      if (lastIdleInstance !== undefined) return lastIdleInstance;
      if (allInstances.size < (options.maxInstances ?? MAX_INSTANCES_PER_FUNCTION)) return startNewInstance();
      return new Promise((resolve) => waitingTakers.push(resolve));
    },
    release(instance: FunctionInstance): void {
      if (!allInstances.has(instance)) return;
      const waitingTaker = waitingTakers.shift();
      if (waitingTaker === undefined) idleInstances.push(instance);
      else waitingTaker(instance);
    },
    takeAll() {
      waitingTakers.length = 0;
      return { all: [...allInstances], idle: idleInstances.splice(0) };
    },
  };
}

function startOneInstance({
  name,
  bundlePath,
  environment,
  clockOffsetMs,
  logs,
}: PoolOptions): FunctionInstance {
  const onLine = (line: string) => logs.fromFunction(name, line);
  return startInstance({ bundlePath, environment, offsetMs: clockOffsetMs(), onLine });
}

/** Returns an instance that requests an invocation; an instance that exits after its response does not. */
async function takeReadyInstance({
  take,
}: Pick<ReturnType<typeof createInstanceSet>, 'take'>): Promise<FunctionInstance> {
  for (;;) {
    const instance = await take();
    if (await instance.requestsNextInvocation()) return instance;
  }
}

type PooledCall = {
  readonly options: PoolOptions;
  readonly event: object;
  readonly release: (instance: FunctionInstance) => void;
};

async function invokeInstance(
  instance: FunctionInstance,
  { options, event, release }: PooledCall,
): Promise<unknown> {
  const invocation = createInvocation(options, event);
  const { requestId } = invocation;
  const { timeoutMs } = invocation.context;
  let timedOut = false;
  let timer: NodeJS.Timeout | undefined;
  try {
    await instance.ready;
    timer = setTimeout(() => {
      timedOut = true;
      instance.kill();
    }, timeoutMs);
    const instanceResponse = await instance.invoke(invocation);
    clearTimeout(timer);
    reportUnfinishedRequests(options, requestId, instanceResponse);
    release(instance);
    if (instanceResponse.error) throw new InvocationError(instanceResponse.error);
    return instanceResponse.result;
  } catch (error) {
    clearTimeout(timer);
    const failure = timedOut ? createTimeoutError(options.timeoutSeconds) : error;
    if (failure instanceof InvocationError)
      options.logs.functionError(options.name, requestId, failure.error);
    throw failure;
  }
}

/** Creates the invocation of a function by this event, with what Lambda adds. */
export function createInvocation(options: PoolOptions, event: object): FunctionInvocation {
  return {
    event,
    requestId: randomUUID(),
    offsetMs: options.clockOffsetMs(),
    traceId: `Root=1-${randomBytes(4).toString('hex')}-${randomBytes(12).toString('hex')}`,
    context: { timeoutMs: options.timeoutSeconds * 1000, fields: buildLambdaContext(options) },
  };
}

function createTimeoutError(seconds: number): InvocationError {
  const errorMessage = `Task timed out after ${seconds.toFixed(2)} seconds`;
  return new InvocationError({ errorType: 'Sandbox.Timedout', errorMessage });
}

/** Tests search for this message: no handler may send a request after its response, or leave one open. */
const SENT_AFTER_RESPONSE_MESSAGE = 'sent after the answer';

/** Logs the requests that an invocation had not finished, and those that were sent after a response. */
export function reportUnfinishedRequests(
  options: PoolOptions,
  requestId: string,
  instanceResponse: InstanceResponse,
): void {
  const unfinishedRequests = instanceResponse.unfinishedRequests.map((request) => ({ requestId, request }));
  reportLateRequests(options, [...unfinishedRequests, ...instanceResponse.lateRequests]);
}

function reportLateRequests(
  { logs, name }: PoolOptions,
  lateRequests: InstanceResponse['lateRequests'],
): void {
  for (const { requestId, request } of lateRequests) {
    logs.fromRunner('ERROR', SENT_AFTER_RESPONSE_MESSAGE, { function: name, requestId, request });
  }
}
