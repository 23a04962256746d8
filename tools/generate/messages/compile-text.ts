/**
 * Compiles an ICU text to the source of a function: a template literal whose parameters have the types that the text
 * requires. The phone page uses these functions; of the service's texts only the parameters' types are used.
 */
import {
  type MessageFormatElement,
  type PluralElement,
  parse,
  TYPE,
} from '@formatjs/icu-messageformat-parser';

/** The types of parameters, as in lib/messages/generated/message-types.ts. */
type ParameterType = 'Text' | 'Instant' | 'Money' | 'number' | 'string';

export type CompiledText = {
  /** A string literal, or a function of the formats and the parameters. */
  readonly source: string;
  readonly parameters: ReadonlyMap<string, ParameterType>;
  /** The plural forms of each choice in the text, without exact numbers such as `=0`. */
  readonly plurals: readonly (readonly string[])[];
  /** The text's tags, such as `<b>`, sorted. */
  readonly tags: readonly string[];
};

type TextCompilation = { readonly parameters: Map<string, ParameterType>; readonly plurals: string[][] };

/**
 * Compiles a text.
 * @throws Error with a sentence that says what is invalid
 */
export function compileText(text: string): CompiledText {
  if (text.trim() !== text || text === '') throw new Error('is empty, or has a space at an end');
  // In ICU, an apostrophe before a brace starts literal text. Texts use the typographic apostrophe ’.
  if (text.includes("'")) throw new Error("has ' in it: write ’");
  const textElements = parse(text, { ignoreTag: true, shouldParseSkeletons: false });
  const compilation: TextCompilation = { parameters: new Map(), plurals: [] };
  const body = compileTemplate(textElements, compilation, undefined);
  const { parameters, plurals } = compilation;
  const functionSource = parameters.size === 0 ? body : `(f, a) => ${body}`;
  return { source: functionSource, parameters, plurals, tags: (text.match(/<\/?[a-z]+>/g) ?? []).sort() };
}

/** Compiles the elements of a template. `countExpression`: the number that `#` refers to. */
function compileTemplate(
  elements: readonly MessageFormatElement[],
  compilation: TextCompilation,
  countExpression: string | undefined,
): string {
  return `\`${elements.map((element) => compileElement(element, compilation, countExpression)).join('')}\``;
}

function compileElement(
  element: MessageFormatElement,
  compilation: TextCompilation,
  countExpression: string | undefined,
): string {
  switch (element.type) {
    case TYPE.literal:
      // `$` needs no escape: a literal part contains no brace, and so no placeholder.
      return element.value.replace(/[`\\]/g, (special) => `\\${special}`);
    case TYPE.pound:
      return `\${f.number(${countExpression})}`;
    case TYPE.argument:
      return `\${f.text(${registerParameter(compilation, element.value, 'Text')})}`;
    case TYPE.number:
      if (element.style == null)
        return `\${f.number(${registerParameter(compilation, element.value, 'number')})}`;
      if (element.style === 'money')
        return `\${f.money(${registerParameter(compilation, element.value, 'Money')})}`;
      break;
    case TYPE.date:
      if (element.style === 'long')
        return `\${f.day(${registerParameter(compilation, element.value, 'Instant')})}`;
      break;
    case TYPE.plural:
      if (element.pluralType === 'cardinal' && element.offset === 0)
        return compilePlural(element, compilation);
      break;
    case TYPE.select: {
      const choiceValue = registerParameter(compilation, element.value, 'string');
      return `\${f.select(${choiceValue}, ${compileBranches(element.options, compilation, countExpression)})}`;
    }
  }
  throw new Error(`has a form that is not known here: ${JSON.stringify(element)}`);
}

function compilePlural({ value, options }: PluralElement, compilation: TextCompilation): string {
  const countExpression = registerParameter(compilation, value, 'number');
  compilation.plurals.push(Object.keys(options).filter((form) => !form.startsWith('=')));
  return `\${f.plural(${countExpression}, ${compileBranches(options, compilation, countExpression)})}`;
}

type PluralOptions = Readonly<Record<string, { readonly value: readonly MessageFormatElement[] }>>;

function compileBranches(
  options: PluralOptions,
  compilation: TextCompilation,
  countExpression: string | undefined,
): string {
  const branches = Object.entries(options).map(
    ([name, { value }]) => `${JSON.stringify(name)}: ${compileTemplate(value, compilation, countExpression)}`,
  );
  return `{ ${branches.join(', ')} }`;
}

/** Registers a parameter and returns the expression that reads it. */
function registerParameter({ parameters }: TextCompilation, name: string, type: ParameterType): string {
  const knownParameter = parameters.get(name);
  if (knownParameter !== undefined && knownParameter !== type)
    throw new Error(`has {${name}} as ${knownParameter} and as ${type}`);
  parameters.set(name, type);
  return `a.${name}`;
}
