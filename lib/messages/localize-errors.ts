/**
 * Translates errors to the client's language: those that have the message of the error catalogue, and those with a
 * `Message`. Other texts describe a mistake in a document or body. They are for developers and stay English.
 */
import { UTC } from '../domain/time-zone.ts';
import { type ErrorCode, errorCatalogue } from '../errors/catalogue.ts';
import { DEFAULT_LANGUAGE } from './languages.ts';
import { isMessage, type Message, message } from './message.ts';
import { createTranslator, type RequestedLanguage, resolveLanguage, type Translate } from './translator.ts';

type LocalizableError<Text = string | Message> = {
  readonly message: Text;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
};

/** Returns the errors of a GraphQL response with translated messages, in the same order. */
export async function localizeErrors<Error extends LocalizableError>(
  errors: readonly Error[],
  requestedLanguage: RequestedLanguage,
): Promise<readonly (Error & LocalizableError<string>)[]> {
  const language = resolveLanguage(requestedLanguage);
  if (language === DEFAULT_LANGUAGE && areMessagesTexts(errors)) return errors;
  const translate = await createTranslator(language, UTC);
  return errors.map((error) => ({
    ...error,
    message: translateMessage(translate, error.extensions?.code, error.message),
  }));
}

function areMessagesTexts<Error extends LocalizableError>(
  errors: readonly Error[],
): errors is readonly (Error & LocalizableError<string>)[] {
  return errors.every(({ message }) => typeof message === 'string');
}

/** Returns the translated message of one error. */
export async function localizeError(
  { code, text }: { readonly code: ErrorCode; readonly text: string | Message },
  requestedLanguage: RequestedLanguage,
): Promise<string> {
  const language = resolveLanguage(requestedLanguage);
  if (language === DEFAULT_LANGUAGE && typeof text === 'string') return text;
  return translateMessage(await createTranslator(language, UTC), code, text);
}

function translateMessage(translate: Translate, code: unknown, text: string | Message): string {
  if (isMessage(text)) return translate(text);
  if (typeof code !== 'string' || !Object.hasOwn(errorCatalogue, code)) return text;
  const errorCode = code as ErrorCode;
  return errorCatalogue[errorCode].message === text ? translate(message(errorCode)) : text;
}
