import { requestDeadlineAtMs } from '../../lib/platform/admin-api/admin-client.ts';
import type { PlatformGrant } from '../../lib/platform/grants/platform-grant.ts';
import { createVersionReader } from '../../lib/storage/versioned-secret.ts';
import { errorTextOfFinding } from '../../lib/stores/checks/error-text-of-finding.ts';
import { type CommandDefinition, type CommandRun, findTextOption, requireArgument } from '../command.ts';
import { requireStore } from '../find-store.ts';
import {
  apiVersionMeasurement,
  cycleRangeMeasurement,
  nodesCostMeasurement,
  oldOrdersMeasurement,
  prepaidPriceMeasurement,
} from '../first-contact/admin-steps.ts';
import {
  createNotMeasuredFinding,
  formatFirstError,
  type MeasurementContext,
  type PlatformMeasurement,
  quoteForReport,
  type TestContract,
} from '../first-contact/measurement.ts';
import { formatReport, type MeasurementResult } from '../first-contact/report.ts';
import {
  appSecretMeasurement,
  discoveryMeasurement,
  originMeasurement,
} from '../first-contact/sign-in-steps.ts';
import { OperatorError } from '../operator-error.ts';
import type { CommandOutcome } from '../outcome.ts';
import { formatTime } from '../show-table.ts';

const SIGN_IN_MEASUREMENTS = [discoveryMeasurement, originMeasurement, appSecretMeasurement];
const ALL_MEASUREMENTS: readonly PlatformMeasurement[] = [
  apiVersionMeasurement,
  ...SIGN_IN_MEASUREMENTS,
  nodesCostMeasurement,
  oldOrdersMeasurement,
  cycleRangeMeasurement,
  prepaidPriceMeasurement,
];
const MEASUREMENT_NAMES = ALL_MEASUREMENTS.map(({ name }) => name).join(', ');

export const firstContactCommand: CommandDefinition = {
  group: '',
  usage: 'first-contact <store>',
  summary: `Measure undocumented behaviour of the platform, and report it. Changes nothing. Steps: ${MEASUREMENT_NAMES}.`,
  options: {
    '--contract <numbers>': 'numbers of contracts of the store, separated by commas',
    '--only <steps>': 'only these steps, separated by commas',
  },
  examples: [
    'first-contact harbor-coffee.myshopify.com --contract 9101002 --env dev',
    'first-contact harbor-coffee.myshopify.com --only origin,discovery --env dev',
  ],
  isReadOnly: true,
  run: measureStore,
};

async function measureStore(run: CommandRun): Promise<CommandOutcome> {
  const { target, progress, now, platformApiVersion } = run.operator;
  const requestedSteps = parseRequestedMeasurements(findTextOption(run.options, 'only'));
  const measurementContext = await createMeasurementContext(run);
  const stepResults: MeasurementResult[] = [];
  for (const step of requestedSteps) {
    progress(step.name);
    stepResults.push(await runMeasurement(step, measurementContext));
  }
  const { domain } = measurementContext.store;
  const circumstancesText = `Environment ${target.name}; API ${platformApiVersion}; ${formatTime(now())}.`;
  const measuredSteps = stepResults.map(({ step: { name, claim }, finding }) => ({
    name,
    claim,
    ...finding,
  }));
  return {
    json: { domain, environment: target.name, platformApiVersion, steps: measuredSteps },
    lines: formatReport(domain, circumstancesText, stepResults),
    isBad: stepResults.some(({ finding, isBroken }) => isBroken || finding.differs),
  };
}

function parseRequestedMeasurements(only: string | undefined): readonly PlatformMeasurement[] {
  const measurementNames = only?.split(',') ?? ALL_MEASUREMENTS.map(({ name }) => name);
  return measurementNames.map((name) => {
    const step = ALL_MEASUREMENTS.find((each) => each.name === name.trim());
    if (step !== undefined) return step;
    throw new OperatorError(`--only ${name}: the steps are ${MEASUREMENT_NAMES}.`, 2);
  });
}

async function runMeasurement(
  step: PlatformMeasurement,
  context: MeasurementContext,
): Promise<MeasurementResult> {
  try {
    return { step, finding: await step.measure(context), isBroken: false };
  } catch (error) {
    return {
      step,
      finding: createNotMeasuredFinding(quoteForReport(errorTextOfFinding(error))),
      isBroken: true,
    };
  }
}

async function createMeasurementContext(run: CommandRun): Promise<MeasurementContext> {
  const { operator, options } = run;
  const contractNumbers = findTextOption(options, 'contract')?.split(',') ?? [];
  const store = await requireStore(operator, requireArgument(run, 0));
  const sendQuery: MeasurementContext['sendQuery'] = (document, variables = {}) => {
    const operation = { store, document, variables, mutates: false, costKey: document };
    return operator.sendAdmin({ ...operation, deadlineAtMs: requestDeadlineAtMs(operator.now()) });
  };
  const gidNamespace = operator.target.platformGidNamespace;
  const contracts = await Promise.all(
    contractNumbers.map((number) => readTestContract(sendQuery, gidNamespace, number.trim())),
  );
  const readAppClientId = async () => {
    const { shopId, platformVersionId: version } = store;
    if (version === undefined) return undefined;
    const grant = await createVersionReader(operator)(shopId, 'platform', version);
    return (grant as PlatformGrant).clientId;
  };
  return { ...operator, store, contracts, sendQuery, readAppClientId };
}

const FREQUENCY_SELECTION = '{ interval intervalCount }';
const CONTRACT_QUERY = `query FirstContactContract($id: ID!) {
  subscriptionContract(id: $id) { id createdAt billingPolicy ${FREQUENCY_SELECTION} deliveryPolicy ${FREQUENCY_SELECTION} lines(first: 50) { nodes {
    currentPrice { amount } pricingPolicy { cycleDiscounts {
      adjustmentType computedPrice { amount } adjustmentValue { ... on MoneyV2 { amount } } } } } } }
}`;

async function readTestContract(
  sendQuery: MeasurementContext['sendQuery'],
  namespace: string,
  number: string,
): Promise<TestContract> {
  if (!/^\d{1,19}$/.test(number))
    throw new OperatorError(`--contract ${number}: give a contract's number.`, 2);
  const { data, errors } = await sendQuery(CONTRACT_QUERY, {
    id: `gid://${namespace}/SubscriptionContract/${number}`,
  });
  if (data?.subscriptionContract) return data.subscriptionContract as TestContract;
  const message = `Contract ${number} of this app was not found in the store. ${formatFirstError(errors)}`;
  throw new OperatorError(message, 1, 'NOT_FOUND');
}
