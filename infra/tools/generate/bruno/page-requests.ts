/** The GraphQL requests that README.md and docs/operations.md show, as requests of the collection. */
import { parse } from 'graphql';
import type { BruRequest } from './bru-text.ts';

type Caller = 'customer' | 'store';
const ENDPOINTS: Readonly<Record<Caller, Pick<BruRequest, 'url' | 'bearer'>>> = {
  customer: { url: '/api/storefront/unstable/graphql.json', bearer: 'accessToken' },
  store: { url: '/api/admin/unstable/graphql.json', bearer: 'adminKey' },
};

const EXAMPLE = /^```graphql (customer|store)\n([^`]+)```/gm;
/** The words in capitals that stand for what a store gives out at run time, or for a date to be chosen. */
const PLACEHOLDERS: readonly (readonly [word: string, variable: string])[] = [
  ['"PAYMENT_METHOD"', 'paymentMethod'],
  ['"DISCOUNT"', 'discount'],
  ['"DATE"', 'inTwentyDays'],
  ['"IN_CYCLE_8"', 'inCycle8'],
];
/** Days are counted from now. The weekly subscription of the demo store has its eighth order in four to eleven days. */
const IN_DAYS: Readonly<Record<string, number>> = { inTwentyDays: 20, inCycle8: 10, inTwoMonths: 60, now: 0 };
/** What an example gives the one after it. */
const KEEPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  subscriptionContractDiscountCodeApply: {
    discount: 'res.body.data.subscriptionContractDiscountCodeApply.contract.discounts.nodes[0].id',
  },
};

/** Each example of docs/operations.md: a query or a mutation, named after its first field. */
export function operationRequests(page: string): Readonly<Record<'queries' | 'mutations', BruRequest[]>> {
  const found = [...page.matchAll(EXAMPLE)].map(([, caller = '', document = '']) => {
    const name = nameOf(document);
    const keeps = KEEPS[name];
    return { ...graphqlRequest(name, caller as Caller, withVariables(document)), ...(keeps && { keeps }) };
  });
  const isMutation = ({ query = '' }: BruRequest) => query.startsWith('mutation');
  return { queries: found.filter((each) => !isMutation(each)), mutations: found.filter(isMutation) };
}

/** One request as it is sent, with the days that it counts from now. */
function graphqlRequest(name: string, caller: Caller, query: string): BruRequest {
  const days = Object.keys(IN_DAYS).filter((variable) => query.includes(`{{${variable}}}`));
  const before = days.map(
    (variable) =>
      `bru.setVar("${variable}", new Date(Date.now() + ${IN_DAYS[variable]} * 864e5).toISOString());`,
  );
  return { name, method: 'post', ...ENDPOINTS[caller], query, ...(before.length > 0 && { before }) };
}

function nameOf(document: string): string {
  const [definition] = parse(document).definitions;
  const [field] = definition?.kind === 'OperationDefinition' ? definition.selectionSet.selections : [];
  const name = field?.kind === 'Field' ? field.name.value : 'request';
  return document.includes('@idempotent') ? `${name} under a key` : name;
}

function withVariables(document: string): string {
  return PLACEHOLDERS.reduce(
    (text, [word, variable]) => text.replaceAll(word, `"{{${variable}}}"`),
    document,
  );
}

const ASKED = /^ask (storefront|admin)\S* "\$[^"]*" "((?:[^"\\]|\\.)*)"([\s\S]*?)(?=^```|^ask)/gm;
const SHELL: readonly (readonly [shell: RegExp, variable: string])[] = [
  [/\$\(node -p 'new Date\(\)\.toJSON\(\)'\)/g, '{{now}}'],
  [/\$\(node -p 'new Date\(Date\.now\(\) \+ 60 \* 864e5\)\.toJSON\(\)'\)/g, '{{inTwoMonths}}'],
  [/\$([A-Z]+)\b/g, ''],
];
const KEPT = /^([A-Z]+)=\$\(field '([^']+)' < \.local\/answer\)/m;
const ACTING = /-H "x-platform-customer-gid: ([^"]+)"/;

/** What the README asks of the GraphQL endpoints, in order, with what it keeps of the answers. */
export function readmeRequests(readme: string): BruRequest[] {
  // `"$(stack adminKey)"` has parentheses, which no other bearer has.
  const plain = readme.replace('"$(stack adminKey)"', '"$ADMIN"');
  return [...plain.matchAll(ASKED)].map(([, endpoint, quoted = '', rest = '']) => {
    const query = variablesOf(quoted.replaceAll('\\"', '"'));
    const [, kept = '', path = ''] = KEPT.exec(rest) ?? [];
    const [, acting] = ACTING.exec(rest) ?? [];
    return {
      ...graphqlRequest(
        nameOf(query.replace(/\{\{\w+\}\}/g, '1')),
        endpoint === 'admin' ? 'store' : 'customer',
        query,
      ),
      ...(kept !== '' && { keeps: { [kept.toLowerCase()]: `res.body.${path}` } }),
      ...(acting !== undefined && { headers: { 'x-platform-customer-gid': variablesOf(acting) } }),
    };
  });
}

function variablesOf(shell: string): string {
  return SHELL.reduce(
    (text, [pattern, variable]) =>
      text.replace(pattern, (_all, name: string) => variable || `{{${name.toLowerCase()}}}`),
    shell,
  );
}
