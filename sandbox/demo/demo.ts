/**
 * `npm run demo`: runs the whole demo against a running stack, with the client that users install, and prints every
 * request. The exit code is 1 at the first unexpected step.
 */
import { parseArgs } from 'node:util';
import { UnexpectedSignInPage } from '../sign-in-pages.ts';
import { billingSteps } from './billing-steps.ts';
import { customerSteps } from './customer-steps.ts';
import { createDemoOutput, type DemoOutput } from './demo-output.ts';
import { type DemoRun, runSteps, UnexpectedResponse } from './demo-run.ts';
import { merchantSteps, preparationSteps } from './merchant-steps.ts';
import { DemoStartError, readRunningStack } from './read-running-stack.ts';
import { webhookSteps } from './webhook-steps.ts';

const DEMO_CHAPTERS = [
  { title: 'Preparation', steps: preparationSteps },
  { title: 'A customer’s app', steps: customerSteps },
  { title: 'A merchant’s server', steps: merchantSteps },
];
/** The chapters that need the platform's webhooks. */
const WEBHOOK_CHAPTERS = [
  { title: 'Webhooks', steps: webhookSteps },
  { title: 'A day on which the service charges', steps: billingSteps },
];

const USAGE_TEXT = `npm run demo -- [options]

  --state FILE  the state file of the stack to run against, as written by "npm start -- --state FILE" (default: .local/stack.json)
  --help        shows this text`;

async function runDemo(show: DemoOutput): Promise<void> {
  const optionValues = parseDemoOptions();
  if (optionValues.help === true) return console.log(USAGE_TEXT);
  const demoRun: DemoRun = { stack: readRunningStack(optionValues.state), show, saved: new Map() };
  // Fails immediately when no stack runs; the client would retry for a while.
  await fetch(demoRun.stack.baseUrl);
  const runChapters =
    demoRun.stack.merchantServerUrl === undefined ? DEMO_CHAPTERS : [...DEMO_CHAPTERS, ...WEBHOOK_CHAPTERS];
  for (const { title, steps } of runChapters) {
    show.chapter(title);
    await runSteps(steps, demoRun);
  }
  const stepCount = runChapters.reduce((sum, { steps }) => sum + steps.length, 0);
  show.ok(`All ${stepCount} steps succeeded.`);
}

function parseDemoOptions() {
  try {
    return parseArgs({ options: { state: { type: 'string' }, help: { type: 'boolean' } } }).values;
  } catch (error) {
    const [firstSentence] = (error as Error).message.split(/\.\s/);
    throw new DemoStartError(`${firstSentence}; npm run demo -- --help lists the options.`);
  }
}

/** Returns one sentence for a failure that the user can fix. */
function explainFailure(error: unknown): string {
  if (
    error instanceof UnexpectedResponse ||
    error instanceof UnexpectedSignInPage ||
    error instanceof DemoStartError
  )
    return error.message;
  if (error instanceof TypeError && /fetch failed/.test(error.message))
    return 'The stack does not respond: run "npm start" again.';
  return error instanceof Error ? error.message : String(error);
}

const usesColour = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
const demoOutput = createDemoOutput((line) => process.stdout.write(`${line}\n`), usesColour);
try {
  await runDemo(demoOutput);
} catch (error) {
  demoOutput.failed(explainFailure(error));
  process.exitCode = 1;
}
