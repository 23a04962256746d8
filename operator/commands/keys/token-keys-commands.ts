import {
  chooseRotationStep,
  type RingKeyView,
  type RotationStep,
  readTokenKeys,
  rotateTokenKeys,
} from '../../../lib/credentials/rotate-token-keys.ts';
import type { KeyId } from '../../../lib/domain/tokens/key-id.ts';
import { addRefusedTokenKeys } from '../../../lib/stores/restore/add-refused-token-keys.ts';
import { type CommandDefinition, type CommandRun, findTextOption } from '../../command.ts';
import { OperatorError } from '../../operator-error.ts';
import type { CommandOutcome } from '../../outcome.ts';
import { formatTable } from '../../show-table.ts';

export const tokenKeysShowCommand: CommandDefinition = {
  group: 'token-keys',
  usage: 'show',
  summary: "Show the keys that sign customers' tokens, and the next step of their rotation.",
  examples: ['token-keys show --env prod'],
  isReadOnly: true,
  async run({ operator, terminal }) {
    const keys = await readTokenKeys(operator);
    const nextStep = chooseRotationStep(keys, operator.now());
    return {
      json: { keys: keys.map(toKeyJson), next: nextStep },
      lines: [...formatKeyLines(keys, terminal.columns), '', `Next step: ${nextStep}`],
    };
  },
};

export const tokenKeysRotateCommand: CommandDefinition = {
  group: 'token-keys',
  usage: 'rotate',
  summary: 'Rotate them in three steps: publish, 15 minutes later sign, 366 days later retire.',
  options: {
    '--step <step>': 'publish, sign or retire (default: the next one)',
    '--leaked': 'replace all keys now: every customer has to sign in again',
  },
  examples: [
    'token-keys rotate --env prod',
    'token-keys rotate --env prod --step sign',
    'token-keys rotate --env prod --leaked',
  ],
  run: runTokenKeysRotate,
};

const ROTATION_STEPS: readonly string[] = ['publish', 'sign', 'retire'] satisfies RotationStep[];

async function runTokenKeysRotate(run: CommandRun): Promise<CommandOutcome> {
  const { operator, options, terminal } = run;
  if (options.leaked === true && options.step !== undefined)
    throw new OperatorError('--leaked replaces the whole ring immediately. Use it without --step.', 2);
  const keysBefore = await readTokenKeys(operator);
  const rotationStep =
    options.leaked === true
      ? 'leaked'
      : parseRotationStep(findTextOption(options, 'step'), keysBefore, operator.now());
  if (rotationStep === 'leaked')
    await run.confirm(
      `Every customer of every store in ${operator.target.name} will be signed out. Replace the ring?`,
    );
  if (rotationStep === 'retire')
    await run.confirm('Everything that the retired keys signed or encrypted becomes invalid. Retire them?');
  return run.change(
    `Would ${rotationStep === 'leaked' ? 'replace the whole ring' : rotationStep}.`,
    async () => {
      const refuseKeys = (kids: readonly KeyId[]) => addRefusedTokenKeys(operator, kids);
      const keys = await rotateTokenKeys({ ...operator, refuseKeys }, rotationStep);
      operator.logger.info('token_keys.rotated', { step: rotationStep });
      return {
        json: { step: rotationStep, keys: keys.map(toKeyJson) },
        lines: [ROTATION_STEP_NOTES[rotationStep], '', ...formatKeyLines(keys, terminal.columns)],
      };
    },
  );
}

const ROTATION_STEP_NOTES: Readonly<Record<RotationStep | 'leaked', string>> = {
  publish: 'Published. Every container knows the key in 15 minutes: then run token-keys rotate --step sign.',
  sign: 'The new key signs. In 366 days the old one can be retired.',
  retire: 'Retired.',
  leaked: 'Replaced. The old keys are refused from now on.',
};

function parseRotationStep(
  text: string | undefined,
  keys: readonly RingKeyView[],
  nowMs: number,
): RotationStep {
  if (text === undefined) return chooseRotationStep(keys, nowMs);
  if (ROTATION_STEPS.includes(text)) return text as RotationStep;
  throw new OperatorError(`--step must be one of ${ROTATION_STEPS.join(', ')}.`, 2);
}

/** Returns null for the first key, which the stack created without a date. */
function formatKeyDate({ since }: RingKeyView): string | null {
  return Date.parse(since) === 0 ? null : since;
}

function toKeyJson(key: RingKeyView) {
  return { ...key, since: formatKeyDate(key) };
}

function formatKeyLines(keys: readonly RingKeyView[], columns: number): string[] {
  return formatTable(
    keys.map((key) => ({ key: key.kid, use: key.use, since: formatKeyDate(key) ?? 'the first deploy' })),
    columns,
  );
}
