/**
 * A function with one instance that handles all invocations concurrently, like Lambda Managed Instances. The service is
 * not deployed this way; tests use it to find data of one request that reaches another in the same process.
 */
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { type InstanceResponse, type RuntimeMessage, spawnRuntime } from './instance.ts';
import { InvocationError } from './invocation-error.ts';
import { createInvocation, type FunctionPool, type PoolOptions, reportUnfinishedRequests } from './pool.ts';
import { readMessages, writeMessage } from './runner-channel.ts';

const RUNTIME_FILE = join(import.meta.dirname, 'concurrent-runtime.mjs');

/**
 * Creates the pool of a function. It has at most one instance, which handles all invocations concurrently. The instance
 * is started by the first invocation, or by `warm`; after it has exited, by the next invocation.
 */
export function createConcurrentPool(options: PoolOptions): FunctionPool {
  let instance: ReturnType<typeof startConcurrentInstance> | undefined;
  const getInstance = () => {
    if (instance === undefined) {
      const startedInstance = startConcurrentInstance(options);
      instance = startedInstance;
      void startedInstance.ended.then(() => {
        if (instance === startedInstance) instance = undefined;
      });
    }
    return instance;
  };
  return {
    warm: () => getInstance().ready,
    async invoke(event, onStart) {
      const { ready, send } = getInstance();
      await ready;
      onStart?.();
      const invocation = createInvocation(options, event);
      const instanceResponse = await send({ type: 'invoke', ...invocation });
      reportUnfinishedRequests(options, invocation.requestId, instanceResponse);
      if (instanceResponse.error === undefined) return instanceResponse.result;
      options.logs.functionError(options.name, invocation.requestId, instanceResponse.error);
      throw new InvocationError(instanceResponse.error);
    },
    size: () => (instance === undefined ? 0 : 1),
    async close() {
      instance?.kill();
      await instance?.ended;
    },
  };
}

type SentInvocation = { readonly type: 'invoke'; readonly requestId: string };

function startConcurrentInstance({ name, bundlePath, environment, clockOffsetMs, logs }: PoolOptions) {
  const onLine = (line: string) => logs.fromFunction(name, line);
  const runtimeProcess = spawnRuntime(RUNTIME_FILE, {
    bundlePath,
    environment,
    offsetMs: clockOffsetMs(),
    onLine,
  });
  const runtimeChannel = runtimeProcess.stdio[3] as Duplex;
  // A write to a process that has just exited fails; the `close` event below rejects the pending invocations.
  runtimeChannel.on('error', () => undefined);
  const readyPromise = Promise.withResolvers<void>();
  readyPromise.promise.catch(() => undefined);
  const pendingInvocations = new Map<string, PromiseWithResolvers<InstanceResponse>>();
  readMessages(runtimeChannel, (message) => {
    const runtimeMessage = message as RuntimeMessage;
    if (runtimeMessage.type === 'ready') readyPromise.resolve();
    if (runtimeMessage.type === 'failed') readyPromise.reject(new InvocationError(runtimeMessage.error));
    if (runtimeMessage.type !== 'answer') return;
    pendingInvocations.get(runtimeMessage.requestId)?.resolve(runtimeMessage);
    pendingInvocations.delete(runtimeMessage.requestId);
  });
  const processEnd = new Promise<void>((resolve) => {
    runtimeProcess.once('close', () => {
      const errorMessage = `The process ended (${runtimeProcess.signalCode ?? `exit code ${runtimeProcess.exitCode}`}).`;
      const error = new InvocationError({ errorType: 'Runtime.ExitError', errorMessage });
      readyPromise.reject(error);
      for (const { reject } of pendingInvocations.values()) reject(error);
      resolve();
    });
  });
  return {
    ready: readyPromise.promise,
    ended: processEnd,
    send(invocation: SentInvocation): Promise<InstanceResponse> {
      const pendingResponse = Promise.withResolvers<InstanceResponse>();
      pendingInvocations.set(invocation.requestId, pendingResponse);
      writeMessage(runtimeChannel, invocation);
      return pendingResponse.promise;
    },
    kill: () => void runtimeProcess.kill('SIGKILL'),
  };
}
