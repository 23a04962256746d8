/** One thing that is documented nowhere: what the service takes for granted of it, and how a real shop is asked. */
import type { Lab } from './lab.ts';

type Verdict = 'so' | 'not so' | 'not measured';

export type Finding = {
  readonly verdict: Verdict;
  /** A sentence: what is so instead, or why it could not be measured. */
  readonly words: string;
  /** What was seen: ids, times, codes and numbers alone. */
  readonly observed: readonly string[];
  /** The claim is not so, and the service works all the same. */
  readonly isBuiltFor?: boolean;
  /** The step ended not by what was found, but because the platform failed or the run was ended. */
  readonly isBroken?: boolean;
};

export type Step = {
  /** The name that `--yes` and `--only` take. */
  readonly name: string;
  /** What the service takes for granted, in a sentence that is found true or not. */
  readonly claim: string;
  readonly does: string;
  /** What it changes at the shop, and how that is undone. Absent: nothing. */
  readonly changes?: { readonly what: string; readonly undone: string };
  /** How today's code takes it, and where. */
  readonly taken: string;
  readonly see: readonly string[];
  /** Why it cannot be played here: then nobody is asked. */
  readonly obstacle?: (lab: Lab) => string | undefined;
  /** What it means here, said with the question: which contract, how much. */
  readonly warning?: (lab: Lab) => string;
  /** Unmeasurable, or any failure of the platform: it could not be measured, because of that. */
  readonly measure: (lab: Lab) => Promise<Finding>;
};

/** The claim is true, or it is not; `words` say what is so. */
export function finding(isSo: boolean, words: string, observed: readonly string[]): Finding {
  return { verdict: isSo ? 'so' : 'not so', words, observed };
}

/** The claim is not so, and the service is built for that, too; `words` say what is so. */
export function builtFor(words: string, observed: readonly string[]): Finding {
  return { verdict: 'not so', words, observed, isBuiltFor: true };
}

/** Whether the service takes for granted what is not so. */
export function differs({ verdict, isBuiltFor }: Finding): boolean {
  return verdict === 'not so' && isBuiltFor !== true;
}
