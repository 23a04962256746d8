/**
 * What a source file imports, read from its syntax tree: a regular expression would also find imports in texts and in
 * comments, and a bundler forgets those of types.
 */
import { type ParserPlugin, parse } from '@babel/parser';

/** A node of the syntax tree, as far as it matters here. */
interface SyntaxNode {
  type: string;
  [part: string]: unknown;
}

type ReadSpecifier = (node: SyntaxNode) => string | undefined;

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The text of a literal, of a template without gaps too; undefined where it is known at run time only. */
const textOf = (node: unknown): string | undefined => {
  if (!isNode(node)) return undefined;
  if (node.type === 'StringLiteral') return String(node.value);
  const [quasi, ...more] = Array.isArray(node.quasis) ? node.quasis : [];
  return isNode(quasi) && more.length === 0 ? (quasi.value as { cooked: string }).cooked : undefined;
};

const isImportMeta = (node: unknown): boolean =>
  isNode(node) && (node.type === 'MetaProperty' || isImportMeta(node.object));

const argumentsOf = (node: SyntaxNode): unknown[] => (Array.isArray(node.arguments) ? node.arguments : []);

/** `new URL('./x', import.meta.url)` names a file beside this one. */
const readUrl: ReadSpecifier = (node) => {
  const [path, base] = argumentsOf(node);
  return isNode(node.callee) && node.callee.name === 'URL' && isImportMeta(base) ? textOf(path) : undefined;
};

/** `import.meta.resolve('./x')` does so too. */
const readResolve: ReadSpecifier = (node) =>
  isImportMeta(node.callee) ? textOf(argumentsOf(node)[0]) : undefined;

const READERS: Record<string, ReadSpecifier> = {
  ImportDeclaration: (node) => textOf(node.source),
  ExportNamedDeclaration: (node) => textOf(node.source),
  ExportAllDeclaration: (node) => textOf(node.source),
  ImportExpression: (node) => textOf(node.source),
  TSImportType: (node) => textOf(node.argument),
  NewExpression: readUrl,
  CallExpression: readResolve,
};

/** JavaScript names its types in comments: `@param {import('./x.js').X}`. */
const TYPE_IN_COMMENT = /\{[^}]*?\bimport\('([^']+)'\)/g;

function inComments(comments: readonly { value: string }[]): string[] {
  return comments.flatMap(({ value }) =>
    [...value.matchAll(TYPE_IN_COMMENT)].map(([, specifier = '']) => specifier),
  );
}

function* specifiersBelow(node: SyntaxNode): Generator<string> {
  const specifier = READERS[node.type]?.(node);
  if (specifier !== undefined) yield specifier;
  for (const child of Object.values(node).flat()) {
    if (isNode(child)) yield* specifiersBelow(child);
  }
}

/** The start of most files: comments and complete import declarations. */
const HEAD = /(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/|import\s[^;('"]*?from\s*'[^']*';|import\s*'[^']*';)*/y;
/** A file without these words imports no other file. */
const NAMING = /\bimport\b|\bfrom\s*['"/]/;

/** The head alone where nothing below it can name a file: the tree of a whole text costs twenty times as much. */
function namingPart(text: string): string {
  HEAD.lastIndex = 0;
  const [head] = HEAD.exec(text) ?? [''];
  return NAMING.test(text.slice(head.length)) ? text : head;
}

/**
 * Returns the specifiers that a source file imports, each once, as written: of values and types, static and dynamic,
 * re-exported (`export … from`) and named as a URL relative to the file. @param file Its name distinguishes TypeScript
 * from JavaScript.
 */
export function readImports(file: string, text: string): string[] {
  const isTypeScript = /\.m?ts$/.test(file);
  const plugins: ParserPlugin[] = isTypeScript ? ['typescript'] : [];
  const tree = parse(isTypeScript ? namingPart(text) : text, {
    sourceType: 'module',
    plugins,
    attachComment: false,
    createImportExpressions: true,
    allowUndeclaredExports: true,
  });
  const named = isTypeScript ? [] : inComments(tree.comments ?? []);
  return [...new Set([...specifiersBelow({ ...tree.program }), ...named])];
}
