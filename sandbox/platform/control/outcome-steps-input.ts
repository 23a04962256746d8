/** Parses the steps of an outcome script from a control request. */
import { isEnumType } from 'graphql';
import { schema } from '../admin/endpoint/schema.ts';
import { ACTION_REQUIRED_ANSWER, PAYS_ANSWER, PENDING_ANSWER } from '../state/attempts/card-answers.ts';
import { REFUSAL_MESSAGES } from '../state/attempts/outcome-script.ts';
import type { OutcomeStep } from '../state/customer-records.ts';
import { InvalidControlInput, parseInstant } from './control-input.ts';

const attemptErrorCodeEnum = schema.getType('SubscriptionBillingAttemptErrorCode');

/** The answers of a bank: it pays, waits, asks the customer, or declines with a code. */
export const KNOWN_CARD_ANSWERS: readonly string[] = [
  ...[PAYS_ANSWER, ACTION_REQUIRED_ANSWER, PENDING_ANSWER],
  ...(isEnumType(attemptErrorCodeEnum) ? attemptErrorCodeEnum.getValues().map(({ name }) => name) : []),
];

const KNOWN_STEP_ANSWERS = [...KNOWN_CARD_ANSWERS, ...Object.keys(REFUSAL_MESSAGES)];
const STEP_FIELDS = ['answer', 'count', 'from', 'until', 'delaySeconds', 'confirmSeconds'];

/**
 * Reads the steps of a script; `from` and `until` are instants in ISO 8601.
 * @throws InvalidControlInput with the place of the mistake
 */
export function parseOutcomeSteps(value: unknown): OutcomeStep[] {
  if (!Array.isArray(value))
    throw new InvalidControlInput('"steps" is a list; an empty one removes the script.');
  return value.map(parseOutcomeStep);
}

function parseOutcomeStep(value: unknown, index: number): OutcomeStep {
  const invalidStep = (problem: string) => new InvalidControlInput(`"steps" at ${index}: ${problem}`);
  const givenFields = Object(value) as Record<string, unknown>;
  const unknownField = Object.keys(givenFields).find((name) => !STEP_FIELDS.includes(name));
  if (unknownField !== undefined)
    throw invalidStep(`"${unknownField}" is not known. Known: ${STEP_FIELDS.join(', ')}.`);
  const { answer, from, until } = givenFields;
  if (answer !== undefined && !KNOWN_STEP_ANSWERS.includes(String(answer)))
    throw invalidStep(`"answer" is one of: ${KNOWN_STEP_ANSWERS.join(', ')}; not ${answer}.`);
  const parseNumber = (name: string, minimum: number): number | undefined => {
    const fieldValue = givenFields[name];
    if (fieldValue === undefined) return undefined;
    if (Number.isInteger(fieldValue) && Number(fieldValue) >= minimum) return Number(fieldValue);
    throw invalidStep(`"${name}" is a whole number, not below ${minimum}.`);
  };
  return {
    answer: answer === undefined ? undefined : String(answer),
    count: parseNumber('count', 1),
    fromMs: from === undefined ? undefined : parseInstant('from', from),
    untilMs: until === undefined ? undefined : parseInstant('until', until),
    delaySeconds: parseNumber('delaySeconds', 0),
    confirmSeconds: parseNumber('confirmSeconds', 0),
  };
}
