import type { PlatformGrant } from '../../../lib/platform/grants/platform-grant.ts';
import { createVersionReader } from '../../../lib/storage/versioned-secret.ts';
import { findStore } from '../find-store.ts';
import { createConsent } from '../first-contact/consent.ts';
import { watchInterrupts } from '../first-contact/interruption.ts';
import type { LabParts, LabRequest } from '../first-contact/lab.ts';
import { type Played, type PlayRequest, playSteps } from '../first-contact/play-steps.ts';
import { type MeasuredShop, readFacts } from '../first-contact/read-facts.ts';
import { type FirstContactOptions, READING, readOptions } from '../first-contact/read-options.ts';
import { isBad, type ReportFacts, reportJson, reportLines, tableLines } from '../first-contact/report.ts';
import { createReportFile } from '../first-contact/report-file.ts';
import { allSteps } from '../first-contact/steps/all-steps.ts';
import { OperatorError } from '../operator-error.ts';
import type { Outcome } from '../outcome.ts';
import type { Run, Verb } from '../verb.ts';

export const firstContact: Verb = {
  noun: '',
  usage: 'first-contact',
  summary: `Measure at a development store, with test payments, what is documented nowhere, and report it. Steps: ${allSteps.map(({ name }) => name).join(', ')}.`,
  options: {
    '--shop <store>': 'an installed store: its domain or shop id',
    '--contract <numbers>': 'contracts bought for tests, which may be changed and charged; with commas',
    '--only <steps>': 'these steps alone; with commas',
    '--yes [steps]': `play these without asking; at least one, with commas; ${READING}: all that change nothing`,
    '--output <file>': 'a new file for the report, which grows with each step (default: standard output)',
    '--live-store': 'the store is no development store, and is to be measured all the same',
  },
  examples: [
    'first-contact --shop harbor-coffee.myshopify.com --contract 9101002 --output first-contact.md --env dev',
    `first-contact --shop harbor-coffee.myshopify.com --yes ${READING} --env dev`,
    'first-contact --shop harbor-coffee.myshopify.com --contract 9101002 --dry-run --env dev',
  ],
  run: measure,
};

async function measure(run: Run): Promise<Outcome> {
  const { operator, terminal, isDryRun } = run;
  const options = readOptions(run.options, allSteps);
  if (!terminal.isInteractive && !isDryRun && options.agreed === undefined)
    throw new OperatorError(
      `Each step is asked for, and nobody can be asked here: add --yes ${READING}, or names of steps.`,
      2,
      'CONFIRMATION_REQUIRED',
    );
  const store = await findStore(operator, options.shop);
  const interruption = watchInterrupts(terminal);
  try {
    const { signal } = interruption;
    const common = { store, isDryRun, signal, ...peopleOf(run, signal) };
    operator.progress('Asking the platform about the store');
    const { contracts: numbers, isLiveStore } = options;
    const parts = partsOf(run);
    const facts = await readFacts(parts, { ...common, numbers, isLiveStore });
    return await play(run, { parts, common, facts, options, told: interruption.told });
  } finally {
    interruption.end();
  }
}

type Playing = {
  readonly parts: LabParts;
  readonly common: Omit<LabRequest, 'shop' | 'contracts' | 'ledger'>;
  readonly facts: MeasuredShop;
  readonly options: FirstContactOptions;
  readonly told: (left: readonly string[]) => void;
};

async function play(run: Run, { parts, common, facts, options, told }: Playing): Promise<Outcome> {
  const { operator, terminal, isDryRun } = run;
  const { steps, agreed, output } = options;
  const { signal } = common;
  const head = headOf(run, common, facts);
  const write = output === undefined || isDryRun ? undefined : createReportFile(output);
  const save = (played: readonly Played[]) => {
    told(played.flatMap(({ left }) => left));
    write?.(reportLines(head, played));
  };
  save([]);
  const agree = isDryRun ? async () => true : traced(run, createConsent({ terminal, agreed, signal }));
  const played = await playSteps({ ...common, ...facts, parts, steps, agree, save });
  for (const { step, outcome, putBack, left } of played)
    if (putBack.length + left.length > 0)
      operator.logger.info('first_contact', {
        ...{ shopId: common.store.shopId, step: step.name, verdict: outcome.verdict },
        ...{ putBack, left },
      });
  const lines = reportLines(head, played);
  return {
    json: { dryRun: isDryRun, ...reportJson(head, played) },
    lines: write === undefined ? lines : [...tableLines(played), '', `The report is in ${output}.`],
    isBad: isBad(played),
  };
}

/** A step that changes anything at the shop begins once the trace has the command. */
function traced({ operator }: Run, consent: PlayRequest['agree']): PlayRequest['agree'] {
  return async (step, warning) => {
    const isAgreed = await consent(step, warning);
    if (isAgreed && step.changes !== undefined) await operator.trace.before();
    return isAgreed;
  };
}

function partsOf({ operator }: Run): LabParts {
  const readVersion = createVersionReader(operator);
  return {
    ...operator,
    async appClientId({ shopId, platformVersionId }) {
      if (platformVersionId === undefined) return undefined;
      return ((await readVersion(shopId, 'platform', platformVersionId)) as PlatformGrant).clientId;
    },
  };
}

/** The person at the terminal; a dry run asks nobody for anything. */
function peopleOf({ terminal, isDryRun }: Run, signal: AbortSignal): Pick<LabRequest, 'question' | 'say'> {
  const question = (words: string) => terminal.ask(`${words} `, signal);
  return {
    question: isDryRun || terminal.isInteractive ? question : undefined,
    say: (words) => terminal.err(words),
  };
}

function headOf(
  { operator }: Run,
  { store }: Playing['common'],
  { shop, contracts }: MeasuredShop,
): ReportFacts {
  const { name, platformApiVersion } = operator.target;
  return {
    ...{ domain: store.domain, shopId: store.shopId, environment: name, platformApiVersion },
    ...{ plan: shop.plan, isDevelopment: shop.isDevelopment, startedAtMs: operator.now() },
    contracts: contracts.map(({ id }) => id),
  };
}
