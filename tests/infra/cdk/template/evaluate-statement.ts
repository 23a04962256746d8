/** Evaluates the edge's AWS WAF statements for a request, as AWS's documentation describes them. Only for tests. */
type Fields = Readonly<Record<string, unknown>>;
export type CheckedRequest = {
  readonly method: string;
  readonly uriPath: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyBytes: number;
};

/** Whether a statement of a template matches. Throws at one that it does not know. */
export function matches(statement: Fields, request: CheckedRequest): boolean {
  const [[kind, argument] = ['', {}]] = Object.entries(statement) as [string, Fields][];
  if (kind === 'AndStatement') return listOf(argument).every((one) => matches(one, request));
  if (kind === 'OrStatement') return listOf(argument).some((one) => matches(one, request));
  if (kind === 'NotStatement') return !matches(argument.Statement as Fields, request);
  if (kind === 'SizeConstraintStatement') return request.bodyBytes > Number(argument.Size);
  const text = textOf(argument, request);
  if (kind === 'RegexMatchStatement')
    return text !== undefined && new RegExp(String(argument.RegexString)).test(text);
  if (kind !== 'ByteMatchStatement') throw new Error(`The statement ${kind} is not known here.`);
  const expected = String(argument.SearchString);
  return argument.PositionalConstraint === 'STARTS_WITH'
    ? (text ?? '').startsWith(expected)
    : text === expected;
}

function listOf({ Statements }: Fields): Fields[] {
  const statements = Statements as Fields[];
  if (statements.length < 2) throw new Error('AWS WAF joins two statements at least.');
  return statements;
}

function textOf({ FieldToMatch, TextTransformations }: Fields, request: CheckedRequest): string | undefined {
  const field = FieldToMatch as Fields;
  const [{ Type } = { Type: '' }] = TextTransformations as { Type: string }[];
  const decode = (text: string) => (Type === 'URL_DECODE' ? decodeURIComponent(text) : text);
  const inCase = (text: string | undefined) => (Type === 'LOWERCASE' ? text?.toLowerCase() : text);
  if ('UriPath' in field) return decode(request.uriPath);
  if ('Method' in field) return request.method;
  return inCase(request.headers[(field.SingleHeader as { Name: string }).Name]);
}
