/**
 * Finds writes of a source file to members of its parameters, and casts of a plan's kind to another type. Both hide
 * from a reader what a call changes or needs.
 */
import { type ParserPlugin, parse } from '@babel/parser';

/** A node of the syntax tree, as far as it matters here. */
interface SyntaxNode {
  type: string;
  [part: string]: unknown;
}

/** A location: the line of the file and its text. */
export type Place = { readonly line: number; readonly text: string };

type Visit = (node: SyntaxNode, given: ReadonlySet<string>) => void;

const PLUGINS: ParserPlugin[] = ['typescript', 'explicitResourceManagement'];
const FUNCTION =
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ObjectMethod|ClassMethod)$/;
const WRAPPER = /^(TSAsExpression|TSNonNullExpression|TSSatisfiesExpression|ParenthesizedExpression)$/;
/** Methods that return the objects of a collection. */
const HANDS_ON = /^(at|entries|filter|find|findLast|get|reverse|slice|sort|toReversed|toSorted|values)$/;

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function nodesIn(value: unknown): SyntaxNode[] {
  return (Array.isArray(value) ? value : [value]).filter(isNode);
}

/** The names that a pattern binds. */
function namesIn(pattern: unknown): string[] {
  return nodesIn(pattern).flatMap((node): string[] => {
    if (node.type === 'Identifier') return [String(node.name)];
    if (node.type === 'ObjectProperty') return namesIn(node.value);
    if (node.type === 'AssignmentPattern') return namesIn(node.left);
    if (node.type === 'RestElement') return namesIn(node.argument);
    if (node.type === 'TSParameterProperty') return namesIn(node.parameter);
    return [...namesIn(node.properties ?? []), ...namesIn(node.elements ?? [])];
  });
}

/** Whether an expression is a value that came in as a parameter, or a part of one. */
function isGiven(value: unknown, given: ReadonlySet<string>): boolean {
  if (!isNode(value)) return false;
  if (WRAPPER.test(value.type)) return isGiven(value.expression, given);
  if (value.type === 'Identifier') return given.has(String(value.name));
  if (/^(Optional)?MemberExpression$/.test(value.type)) return isGiven(value.object, given);
  if (value.type === 'LogicalExpression') return isGiven(value.left, given) || isGiven(value.right, given);
  if (value.type === 'ConditionalExpression') {
    return isGiven(value.consequent, given) || isGiven(value.alternate, given);
  }
  const [callee] = /^(Optional)?CallExpression$/.test(value.type) ? nodesIn(value.callee) : [];
  const [method] = nodesIn(callee?.property);
  return method !== undefined && HANDS_ON.test(String(method.name)) && isGiven(callee?.object, given);
}

/** The names that a block declares, without those of blocks and functions inside it. */
function declare(node: SyntaxNode, given: Set<string>): void {
  const [init] = nodesIn(node.init);
  for (const name of namesIn(node.id)) {
    if (isGiven(init, given)) given.add(name);
    else given.delete(name);
  }
}

/** Visits every node with the names that refer to parameters at that node. */
function visitAll(node: SyntaxNode, given: ReadonlySet<string>, visit: Visit): void {
  visit(node, given);
  const inside = new Set(given);
  if (FUNCTION.test(node.type)) for (const name of namesIn(node.params)) inside.add(name);
  if (/^For(Of|In)Statement$/.test(node.type)) {
    const names = nodesIn(node.left).flatMap((left) => nodesIn(left.declarations));
    for (const { id } of names) {
      for (const name of namesIn(id)) {
        if (isGiven(node.right, given)) inside.add(name);
        else inside.delete(name);
      }
    }
  }
  for (const [part, value] of Object.entries(node)) {
    if (part === 'loc' || part.endsWith('Comments')) continue;
    for (const child of nodesIn(value)) {
      visitAll(child, inside, visit);
      if (child.type === 'VariableDeclaration' && !part.startsWith('left')) {
        for (const declared of nodesIn(child.declarations)) declare(declared, inside);
      }
    }
  }
}

function isMember(value: unknown): value is SyntaxNode {
  const [node] = nodesIn(value);
  if (node === undefined) return false;
  return WRAPPER.test(node.type) ? isMember(node.expression) : /MemberExpression$/.test(node.type);
}

/** Returns the target of a node that writes to a member, or undefined. */
function targetOf(node: SyntaxNode): unknown {
  if (node.type === 'AssignmentExpression') return isMember(node.left) ? node.left : undefined;
  const isChange =
    node.type === 'UpdateExpression' || (node.type === 'UnaryExpression' && node.operator === 'delete');
  if (isChange) return isMember(node.argument) ? node.argument : undefined;
  if (node.type !== 'CallExpression') return undefined;
  const [callee] = nodesIn(node.callee);
  const names = [callee?.object, callee?.property].flatMap(nodesIn).map(({ name }) => name);
  return names.join('.') === 'Object.assign' ? nodesIn(node.arguments)[0] : undefined;
}

/** An annotation or a cast that reads `x.kind` or `x.mutation` as another type. */
function isDowncast(node: SyntaxNode): boolean {
  const [id] = nodesIn(node.id);
  const isAnnotated = node.type === 'VariableDeclarator' && id?.typeAnnotation !== undefined;
  const [read] = isAnnotated ? nodesIn(node.init) : WRAPPER.test(node.type) ? nodesIn(node.expression) : [];
  if (read === undefined || node.type === 'TSNonNullExpression' || !isMember(read)) return false;
  return nodesIn(read.property).some(({ name }) => name === 'kind' || name === 'mutation');
}

function readPlaces(code: string, isMeant: (node: SyntaxNode, given: ReadonlySet<string>) => boolean) {
  const tree = parse(code, { sourceType: 'module', plugins: PLUGINS });
  const lines = code.split('\n');
  const places: Place[] = [];
  visitAll(tree.program as unknown as SyntaxNode, new Set(), (node, given) => {
    if (!isMeant(node, given)) return;
    const { line } = (node.loc as { start: { line: number } }).start;
    places.push({ line, text: lines[line - 1]?.trim() ?? '' });
  });
  return places;
}

/** The places that write to a member of a value that came in as a parameter. */
export function readWrites(code: string): Place[] {
  return readPlaces(code, (node, given) => isGiven(targetOf(node), given));
}

/** The places that narrow a root's kind, or a mutation, to another type. */
export function readDowncasts(code: string): Place[] {
  return readPlaces(code, isDowncast);
}
