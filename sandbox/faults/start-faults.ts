/**
 * The additional parts of a stack with fault points: a proxy in front of the table and one in front of Secrets Manager,
 * crashes, and an HTTP control for tests and the soak test.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { listenOnLoopback } from '../listen.ts';
import { type CrashPlan, createCrashPlan } from './crash-plan.ts';
import { createFaultPlan, type FaultPlan } from './fault-plan.ts';
import { startFaultProxy } from './fault-proxy.ts';
import {
  InvalidFaultRequest,
  parseCrashes,
  parseProxyFault,
  parseRandomFaults,
} from './parse-fault-request.ts';

export type EmulatorUrls = { readonly dynamoDbUrl: string; readonly secretsManagerUrl: string };
export type RunningFaults = {
  /** The address of the control. */
  readonly url: string;
  /** The proxies, which replace the emulators. */
  readonly endpoints: EmulatorUrls;
  /** The variables for the functions. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
};

/** Starts the proxies and the control; no fault is planned yet. */
export async function startFaults(emulators: EmulatorUrls): Promise<RunningFaults> {
  await using cleanup = new AsyncDisposableStack();
  const faultPlan = createFaultPlan();
  const crashPlan = createCrashPlan();
  cleanup.defer(() => crashPlan.close());
  const tableProxy = await startFaultProxy({ target: 'table', url: emulators.dynamoDbUrl, plan: faultPlan });
  cleanup.defer(() => tableProxy.close());
  const secretsProxy = await startFaultProxy({
    target: 'secrets',
    url: emulators.secretsManagerUrl,
    plan: faultPlan,
  });
  cleanup.defer(() => secretsProxy.close());
  const faultControl = await startFaultControl(faultPlan, crashPlan);
  cleanup.defer(() => faultControl.close());
  const ownedCleanup = cleanup.move();
  return {
    url: faultControl.url,
    endpoints: { dynamoDbUrl: tableProxy.url, secretsManagerUrl: secretsProxy.url },
    environment: crashPlan.environment,
    close: () => ownedCleanup.disposeAsync(),
  };
}

type FaultControl = (body: unknown) => unknown;

function startFaultControl(plan: FaultPlan, crashPlan: CrashPlan) {
  const readCounts = () => ({
    faults: plan.counts(),
    crashes: crashPlan.happenedCounts(),
    waiting: crashPlan.plannedCounts(),
  });
  const controlByRoute: Readonly<Record<string, FaultControl>> = {
    'POST /faults': (body) => plan.add(parseProxyFault(body)),
    'POST /weather': (body) => plan.setRandomFaults(parseRandomFaults(body)),
    'POST /crashes': (body) => {
      const { place, count } = parseCrashes(body);
      crashPlan.add(place, count);
    },
    'GET /counts': readCounts,
    'DELETE /faults': () => {
      plan.clear();
      crashPlan.clear();
    },
  };
  const server = createServer(async (request, response) => {
    const { status, body } = await handleControl(controlByRoute, request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  return listenOnLoopback(server, 0);
}

async function handleControl(controls: Readonly<Record<string, FaultControl>>, request: IncomingMessage) {
  const runControl = controls[`${request.method} ${request.url}`];
  if (runControl === undefined)
    return { status: 404, body: { error: `There are: ${Object.keys(controls).join(', ')}.` } };
  try {
    return { status: 200, body: runControl(await readJsonBody(request)) ?? { done: true } };
  } catch (error) {
    if (!(error instanceof InvalidFaultRequest)) throw error;
    return { status: 400, body: { error: error.message } };
  }
}

async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  let bodyText = '';
  for await (const chunk of request) bodyText += chunk;
  try {
    return bodyText === '' ? {} : JSON.parse(bodyText);
  } catch {
    throw new InvalidFaultRequest('The body is not JSON.');
  }
}
