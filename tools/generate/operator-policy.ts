/** The operators' policy, as a file to copy and as a table in docs/deploying.md, from the rights in the definition. */
import { readEnvironmentConfig } from '../../infra/definition/config.ts';
import { listOperatorRights, type OperatorRight } from '../../infra/definition/operator-rights.ts';
import { formatOperatorsLogGroup } from '../../infra/definition/operators-log-group.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { replacePageBlock } from '../page-block.ts';

const PAGE_FILE = 'docs/deploying.md';
const BEGIN_MARKER =
  '<!-- rights: written by `npm run generate` from infra/definition/operator-rights.ts -->';
const END_MARKER = '<!-- end of rights -->';

/**
 * Returns production's policy for an example account.
 * @throws Error when the page has no place for the table
 */
export function generateOperatorPolicy(): GeneratedFile[] {
  const { tableName, secretsPrefix } = readEnvironmentConfig('prod').config;
  const exampleAccount = { account: '123456789012', region: 'eu-central-1' };
  const exampleNames = {
    ...exampleAccount,
    tableName,
    secretsPrefix,
    traceGroup: formatOperatorsLogGroup('prod'),
  };
  const operatorRights = listOperatorRights(exampleNames);
  const Statement = operatorRights.map(({ purpose: _purpose, ...statement }) => statement);
  const policyText = `${joinShortLists(JSON.stringify({ Version: '2012-10-17', Statement }, undefined, 2))}\n`;
  const tableHead = ['| Statement | | Actions | Purpose |', '|---|---|---|---|'];
  return [
    { file: 'examples/operator-policy.json', text: policyText },
    replacePageBlock({
      file: PAGE_FILE,
      begin: BEGIN_MARKER,
      end: END_MARKER,
      lines: [...tableHead, ...operatorRights.map(formatRightRow)],
    }),
  ];
}

const MAX_LINE_LENGTH = 110;

/** Puts a list on one line if it fits, as the formatter does. */
function joinShortLists(json: string): string {
  return json.replaceAll(/^( *"\w+": )\[([^[\]{}]*)\]/gm, (whole, name: string, items: string) => {
    const line = `${name}[${items.trim().replaceAll(/\s*\n\s*/g, ' ')}]`;
    return line.length < MAX_LINE_LENGTH ? line : whole;
  });
}

function formatRightRow({ Sid, Effect, Action, purpose }: OperatorRight): string {
  return `| ${Sid} | ${Effect === 'Deny' ? '**denied**' : 'allowed'} | ${Action.map((name) => `\`${name}\``).join(', ')} | ${purpose} |`;
}
