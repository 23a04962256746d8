import { requestDeadlineMs } from '../../lib/platform/admin-api/admin-client.ts';
import type { PlatformGrant } from '../../lib/platform/grants/platform-grant.ts';
import { createVersionReader } from '../../lib/storage/versioned-secret.ts';
import { failureText } from '../../lib/stores/checks/failure-text.ts';
import { type CommandDefinition, type Run, requiredArgument, textOption } from '../command.ts';
import { findStore } from '../find-store.ts';
import { apiVersion, cycleRange, nodesCost, oldOrders, prepaidPrice } from '../first-contact/admin-steps.ts';
import { reportLines, type StepResult } from '../first-contact/report.ts';
import { appSecretStep, discoveryStep, originStep } from '../first-contact/sign-in-steps.ts';
import {
  createNotMeasuredFinding,
  errorText,
  quoteForReport,
  type Step,
  type StepContext,
  type TestContract,
} from '../first-contact/step.ts';
import { OperatorError } from '../operator-error.ts';
import type { Outcome } from '../outcome.ts';
import { timeText } from '../show-table.ts';

const SIGN_IN_STEPS = [discoveryStep, originStep, appSecretStep];
const allSteps: readonly Step[] = [
  ...[apiVersion, ...SIGN_IN_STEPS, nodesCost, oldOrders, cycleRange, prepaidPrice],
];
const STEP_NAMES = allSteps.map(({ name }) => name).join(', ');

export const firstContact: CommandDefinition = {
  group: '',
  usage: 'first-contact <store>',
  summary: `Measure undocumented behaviour of the platform, and report it. Changes nothing. Steps: ${STEP_NAMES}.`,
  options: {
    '--contract <numbers>': 'numbers of contracts of the store, separated by commas',
    '--only <steps>': 'only these steps, separated by commas',
  },
  examples: [
    'first-contact harbor-coffee.myshopify.com --contract 9101002 --env dev',
    'first-contact harbor-coffee.myshopify.com --only origin,discovery --env dev',
  ],
  isReading: true,
  run: measureStore,
};

async function measureStore(run: Run): Promise<Outcome> {
  const { target, progress, now, platformApiVersion } = run.operator;
  const steps = readSteps(textOption(run.options, 'only'));
  const context = await readContext(run);
  const results: StepResult[] = [];
  for (const step of steps) {
    progress(step.name);
    results.push(await measureStep(step, context));
  }
  const { domain } = context.store;
  const circumstances = `Environment ${target.name}; API ${platformApiVersion}; ${timeText(now())}.`;
  const measured = results.map(({ step: { name, claim }, finding }) => ({ name, claim, ...finding }));
  return {
    json: { domain, environment: target.name, platformApiVersion, steps: measured },
    lines: reportLines(domain, circumstances, results),
    isBad: results.some(({ finding, isBroken }) => isBroken || finding.differs),
  };
}

function readSteps(only: string | undefined): readonly Step[] {
  const names = only?.split(',') ?? allSteps.map(({ name }) => name);
  return names.map((name) => {
    const step = allSteps.find((each) => each.name === name.trim());
    if (step !== undefined) return step;
    throw new OperatorError(`--only ${name}: the steps are ${STEP_NAMES}.`, 2);
  });
}

async function measureStep(step: Step, context: StepContext): Promise<StepResult> {
  try {
    return { step, finding: await step.measure(context), isBroken: false };
  } catch (error) {
    return { step, finding: createNotMeasuredFinding(quoteForReport(failureText(error))), isBroken: true };
  }
}

async function readContext(run: Run): Promise<StepContext> {
  const { operator, options } = run;
  const numbers = textOption(options, 'contract')?.split(',') ?? [];
  const store = await findStore(operator, requiredArgument(run, 0));
  const ask: StepContext['ask'] = (document, variables = {}) => {
    const operation = { store, document, variables, mutates: false, costKey: document };
    return operator.sendAdmin({ ...operation, deadlineAtMs: requestDeadlineMs(operator.now()) });
  };
  const namespace = operator.target.platformGidNamespace;
  const contracts = await Promise.all(numbers.map((number) => readContract(ask, namespace, number.trim())));
  const readAppClientId = async () => {
    const { shopId, platformVersionId: version } = store;
    if (version === undefined) return undefined;
    const grant = await createVersionReader(operator)(shopId, 'platform', version);
    return (grant as PlatformGrant).clientId;
  };
  return { ...operator, store, contracts, ask, readAppClientId };
}

const FREQUENCY_SELECTION = '{ interval intervalCount }';
const CONTRACT_QUERY = `query FirstContactContract($id: ID!) {
  subscriptionContract(id: $id) { id createdAt billingPolicy ${FREQUENCY_SELECTION} deliveryPolicy ${FREQUENCY_SELECTION} lines(first: 50) { nodes {
    currentPrice { amount } pricingPolicy { cycleDiscounts {
      adjustmentType computedPrice { amount } adjustmentValue { ... on MoneyV2 { amount } } } } } } }
}`;

async function readContract(
  ask: StepContext['ask'],
  namespace: string,
  number: string,
): Promise<TestContract> {
  if (!/^\d{1,19}$/.test(number))
    throw new OperatorError(`--contract ${number}: give a contract's number.`, 2);
  const { data, errors } = await ask(CONTRACT_QUERY, {
    id: `gid://${namespace}/SubscriptionContract/${number}`,
  });
  if (data?.subscriptionContract) return data.subscriptionContract as TestContract;
  const message = `Contract ${number} of this app was not found in the store. ${errorText(errors)}`;
  throw new OperatorError(message, 1, 'NOT_FOUND');
}
