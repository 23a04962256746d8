/**
 * Implements Lambda's own runtime in an instance (aws-lambda-ric): loads the handler that `_HANDLER` names from the
 * task root, requests one invocation after another from the Runtime API, and responds to each. Plain JavaScript, so
 * that only Node is between the bundle and this file.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const api = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime`;

const handler = await load().catch(async (error) => {
  await post('init/error', describe(error));
  process.exit(1);
});
for (;;) {
  const next = await fetch(`${api}/invocation/next`);
  const header = (name) => next.headers.get(`lambda-runtime-${name}`);
  const id = header('aws-request-id');
  process.env._X_AMZN_TRACE_ID = header('trace-id');
  const context = {
    awsRequestId: id,
    invokedFunctionArn: header('invoked-function-arn'),
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    getRemainingTimeInMillis: () => Number(header('deadline-ms')) - Date.now(),
  };
  try {
    await post(`invocation/${id}/response`, (await handler(await next.json(), context)) ?? null);
  } catch (error) {
    await post(`invocation/${id}/error`, describe(error));
  }
}

async function load() {
  const [, module, name] = /^(.+)\.([^.]+)$/.exec(process.env._HANDLER) ?? [];
  const path = ['.mjs', '.js', '.cjs']
    .map((extension) => join(process.env.LAMBDA_TASK_ROOT, `${module}${extension}`))
    .find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`Cannot find module '${module}'`);
  const found = (await import(pathToFileURL(path).href))[name];
  if (typeof found !== 'function') throw new Error(`${process.env._HANDLER} is undefined or not exported`);
  return found;
}

async function post(path, body) {
  const response = await fetch(`${api}/${path}`, { method: 'POST', body: JSON.stringify(body) });
  await response.arrayBuffer();
}

function describe(error) {
  return { errorType: error?.name ?? 'Error', errorMessage: String(error?.message ?? error) };
}
