/** The table of rights in SECURITY.md, from the table that the stack's policies use. */
import { readFileSync } from 'node:fs';
import { FUNCTION_NAMES, type FunctionName } from '../../infra/definition/function-definitions.ts';
import {
  type FunctionRights,
  INDEX_FAMILIES,
  ITEM_FAMILIES,
  RIGHTS_BY_FUNCTION,
  SECRET_PATTERNS,
} from '../../infra/definition/rights.ts';
import type { GeneratedFile } from '../generated-file.ts';

const PAGE_FILE = 'SECURITY.md';
const BEGIN_MARKER = '<!-- rights: written by `npm run generate` from infra/definition/rights.ts -->';
const END_MARKER = '<!-- end of rights -->';

/** The names of actions on the page, in the page's order. */
const ACTION_NAMES_BY_PAGE_NAME = [
  ['read', ['BatchGetItem', 'GetItem', 'Query', 'GetSecretValue']],
  ['add', ['PutItem']],
  ['change', ['UpdateItem']],
  ['remove', ['DeleteItem']],
  ['new version', ['DescribeSecret', 'PutSecretValue', 'UpdateSecretVersionStage']],
] as const;

function formatActions(actions: readonly string[] = []): string {
  const actionTexts = ACTION_NAMES_BY_PAGE_NAME.filter(([, awsActions]) =>
    actions.some((action) => (awsActions as readonly string[]).includes(action)),
  );
  return actionTexts.map(([name]) => name).join(', ') || '–';
}

type RightsKind = Exclude<keyof FunctionRights, 'scans' | 'readsStream'>;

function formatRightsRows(
  kind: RightsKind,
  resources: Readonly<Record<string, string>>,
  nameOf: (resource: string) => string,
): string[] {
  return Object.entries(resources).map(([resource, contents]) => {
    const actionsOf = (name: FunctionName) =>
      (RIGHTS_BY_FUNCTION[name][kind] as Readonly<Record<string, readonly string[]>>)[resource];
    const cells = FUNCTION_NAMES.map((name) => formatActions(actionsOf(name)));
    return `| ${[nameOf(resource), contents, ...cells].join(' | ')} |`;
  });
}

function formatRightsTable(): string[] {
  return [
    `| | contents | ${FUNCTION_NAMES.join(' | ')} |`,
    `|---|---|${FUNCTION_NAMES.map(() => '---|').join('')}`,
    ...formatRightsRows('table', ITEM_FAMILIES, (family) => `\`${family}#\``),
    `| the whole table | all of the above | ${FUNCTION_NAMES.map((name) => (RIGHTS_BY_FUNCTION[name].scans ? 'read' : '–')).join(' | ')} |`,
    `| the table's stream | the keys of all of the above, for a day | ${FUNCTION_NAMES.map((name) => (RIGHTS_BY_FUNCTION[name].readsStream ? 'read' : '–')).join(' | ')} |`,
    ...formatRightsRows('index', INDEX_FAMILIES, (family) => `index \`${family}#\``),
    ...formatRightsRows('secrets', SECRET_PATTERNS, (secret) => `secret \`${secret}\``),
  ];
}

/**
 * Returns the page with a new block.
 * @throws Error when the page has no place for it
 */
export function generateRightsTable(): GeneratedFile[] {
  const pageText = readFileSync(new URL(`../../${PAGE_FILE}`, import.meta.url), 'utf8');
  const [textBeforeTable, tableAndRest] = pageText.split(BEGIN_MARKER);
  const textAfter = tableAndRest?.split(END_MARKER)[1];
  if (textBeforeTable === undefined || textAfter === undefined)
    throw new Error(`${PAGE_FILE} has no place for the rights.`);
  return [
    {
      file: PAGE_FILE,
      text: `${textBeforeTable}${[BEGIN_MARKER, ...formatRightsTable(), END_MARKER].join('\n')}${textAfter}`,
    },
  ];
}
