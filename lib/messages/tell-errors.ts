/**
 * Translates errors with the catalogue's message to the requester's language, by their codes. Other texts describe a
 * problem of a document or a body; these are for developers and stay English. Messages are translated to any
 * language.
 */
import { UTC } from '../domain/time-zone.ts';
import { catalogue, type ErrorCode } from '../errors/catalogue.ts';
import { DEFAULT_LANGUAGE } from './languages.ts';
import { isMessage, type Message, message } from './message.ts';
import { type Listener, languageOf, type Say, sayIn } from './say.ts';

type Told<Words = string | Message> = {
  readonly message: Words;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
};

/** Translates the errors of a GraphQL response, in order. */
export async function tellErrors<Error extends Told>(
  errors: readonly Error[],
  listener: Listener,
): Promise<readonly (Error & Told<string>)[]> {
  const language = languageOf(listener);
  if (language === DEFAULT_LANGUAGE && areWords(errors)) return errors;
  const say = await sayIn(language, UTC);
  return errors.map((error) => ({ ...error, message: told(say, error.extensions?.code, error.message) }));
}

function areWords<Error extends Told>(errors: readonly Error[]): errors is readonly (Error & Told<string>)[] {
  return errors.every(({ message }) => typeof message === 'string');
}

/** Translates the message of one error. */
export async function tellError(
  { code, publicMessage }: { readonly code: ErrorCode; readonly publicMessage: string },
  listener: Listener,
): Promise<string> {
  const language = languageOf(listener);
  return language === DEFAULT_LANGUAGE
    ? publicMessage
    : told(await sayIn(language, UTC), code, publicMessage);
}

function told(say: Say, code: unknown, words: string | Message): string {
  if (isMessage(words)) return say(words);
  if (typeof code !== 'string' || !Object.hasOwn(catalogue, code)) return words;
  const known = code as ErrorCode;
  return catalogue[known].message === words ? say(message(known)) : words;
}
