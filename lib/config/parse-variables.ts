/**
 * The variables of the environment are checked as a whole, so that one message names all that is wrong. Each is text, and
 * the schema library would be a twentieth of a cold start, so a few readers are enough here.
 */

/** Reads a variable's text, undefined where it is not set. Throws a BadVariable that says what it must be. */
export type VariableReader<T> = (text: string | undefined) => T;

/** Its message never repeats a value. */
class BadVariable extends Error {
  override readonly name = 'BadVariable';
}

/** The value of each variable. Throws an Error that names each bad variable and what it must be, never a value. */
export function parseVariables<Values extends object>(
  readers: { readonly [Name in keyof Values]: VariableReader<Values[Name]> },
  variables: NodeJS.ProcessEnv,
): Values {
  const problems: string[] = [];
  const values = Object.entries<VariableReader<unknown>>(readers).map(([name, read]) => {
    try {
      return [name, read(variables[name])];
    } catch (error) {
      if (!(error instanceof BadVariable)) throw error;
      problems.push(`${name}: ${error.message}`);
      return [name, undefined];
    }
  });
  if (problems.length === 0) return Object.fromEntries(values) as Values;
  throw new Error(`The environment is not usable. ${problems.join('; ')}.`);
}

/** A text that has to be there; `must` says what `isGood` looks for. */
export function present(isGood = (_text: string) => true, must = ''): VariableReader<string> {
  return (text) => {
    if (text === undefined) throw new BadVariable('is missing');
    if (text === '') throw new BadVariable('must not be empty');
    return checked(text, isGood, must);
  };
}

/** A text that may be absent. */
export function optional(
  isGood: (text: string) => boolean,
  must: string,
): VariableReader<string | undefined> {
  return (text) => (text === undefined ? undefined : checked(text, isGood, must));
}

/** A text with a default. */
export function or(absent: string, isGood: (text: string) => boolean, must: string): VariableReader<string> {
  return (text) => checked(text ?? absent, isGood, must);
}

/** One of a few words, the first of which is the default. */
export function oneOf<const Word extends string>(...words: readonly [Word, ...Word[]]): VariableReader<Word> {
  return (text = words[0]) => {
    const word = words.find((one) => one === text);
    if (word === undefined) throw new BadVariable(`must be one of ${words.join(', ')}`);
    return word;
  };
}

/** Items between commas. */
export function listOr(
  absent: string,
  isGood = (_item: string) => true,
  must = '',
): VariableReader<readonly string[]> {
  return (text = absent) => {
    const items = text.split(',').map((item) => item.trim());
    return items.filter(Boolean).map((item) => checked(item, isGood, must));
  };
}

function checked(text: string, isGood: (text: string) => boolean, must: string): string {
  if (!isGood(text)) throw new BadVariable(must);
  return text;
}
