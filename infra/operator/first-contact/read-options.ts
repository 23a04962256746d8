/** What was said on the command line, checked before anything is asked of the platform. */
import { OperatorError } from '../operator-error.ts';
import { type Options, textOption } from '../verb.ts';
import type { Step } from './step.ts';

/** Names all steps that change nothing. */
export const READING = 'reading';

export type FirstContactOptions = {
  readonly shop: string;
  readonly steps: readonly Step[];
  /** Played without asking; undefined: none was named. */
  readonly agreed: readonly string[] | undefined;
  /** Numbers of contracts. */
  readonly contracts: readonly string[];
  readonly output: string | undefined;
  readonly isLiveStore: boolean;
};

/** What was asked for of these steps. OperatorError if it is not understood. */
export function readOptions(options: Options, allSteps: readonly Step[]): FirstContactOptions {
  const shop = textOption(options, 'shop');
  if (shop === undefined) throw new OperatorError('Name the store with --shop.', 2);
  const names = allSteps.map(({ name }) => name);
  const only = readList(options, 'only', names);
  return {
    shop,
    steps: allSteps.filter(({ name }) => only?.includes(name) ?? true),
    agreed: readList(options, 'yes', [...names, READING]),
    contracts: (textOption(options, 'contract')?.split(',') ?? []).map(readNumber),
    output: textOption(options, 'output'),
    isLiveStore: options.liveStore === true,
  };
}

/** A bare --yes agrees to nothing: one of the steps charges. */
function readList(options: Options, name: 'only' | 'yes', known: readonly string[]) {
  if (options[name] === true)
    throw new OperatorError(`--${name} wants names of steps: ${known.join(', ')}.`, 2);
  const list = textOption(options, name)
    ?.split(',')
    .map((each) => each.trim());
  const unknown = list?.find((each) => !known.includes(each));
  if (unknown === undefined) return list;
  throw new OperatorError(`--${name} ${unknown}: there is no such step. There are: ${known.join(', ')}.`, 2);
}

/** The number of a contract that is named by it or by its global id, whichever side has made that. */
function readNumber(text: string): string {
  const number = /^(?:gid:\/\/[a-z-]+\/SubscriptionContract\/)?(\d{1,19})$/.exec(text.trim())?.[1];
  if (number !== undefined) return number;
  throw new OperatorError(`--contract ${text}: give the number of a subscription contract.`, 2);
}
