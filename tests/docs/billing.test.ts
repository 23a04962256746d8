/** docs/billing.md: its documents fit the schema, and its tables have each value that the schema has. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { isEnumType, isInputObjectType, parse, validate } from 'graphql';
import { getAdminSchema } from '../../graphql/schema/schema.ts';
import { DEFAULT_BILLING_SETTINGS } from '../../lib/billing/records/settings-record.ts';

const PAGE = readFileSync('docs/billing.md', 'utf8');

function valuesOf(name: string): string[] {
  const type = getAdminSchema().getType(name);
  if (isEnumType(type)) return type.getValues().map((value) => value.name);
  return isInputObjectType(type) ? Object.keys(type.getFields()) : [];
}

/** The names in the first column of the table below a heading of that column. */
function firstColumn(heading: string): string[] {
  const [, rows = ''] = PAGE.split(heading)[1]?.split(/^\|(?:---\|)+$/m) ?? [];
  const [table = ''] = rows.split('\n\n');
  return [...table.matchAll(/^\| ([^|]*) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  );
}

describe('docs/billing.md', () => {
  test('has documents that fit the schema', () => {
    const blocks = [...PAGE.matchAll(/^```graphql\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
    const inline = [...PAGE.matchAll(/`(mutation [^`]+)`/g)].map(([, text = '']) => text);
    expect([blocks.length, inline.length]).toEqual([3, 1]);
    for (const text of [...blocks, ...inline])
      expect([text, validate(getAdminSchema(), parse(text))]).toEqual([text, []]);
  });

  test.each([
    ['| Setting | Default', 'BillingSettingsInput'],
    ['| Obstacle |', 'BillingObstacle'],
    ['| `status` |', 'BillingStatus'],
    ['| `reason` |', 'BillingChargeReason'],
  ])('lists in the table %s all values of %s', (heading, type) => {
    expect(firstColumn(heading).sort()).toEqual(valuesOf(type).sort());
  });

  test('draws all states of a charge, and names each status of a run and each reason to hold it', () => {
    const [, drawing = ''] = /^```mermaid\n([\s\S]*?)^```$/m.exec(PAGE) ?? [];
    expect([...new Set(drawing.match(/[A-Z]{3}[A-Z_]*/g))].sort()).toEqual(
      valuesOf('BillingChargeState').sort(),
    );
    for (const reason of [...valuesOf('BillingHoldReason'), ...valuesOf('BillingRunStatus')])
      expect(PAGE).toContain(`\`${reason}\``);
  });

  test('has the defaults of the settings', () => {
    const { hour, declined, outOfStock, askForNewMethod } = DEFAULT_BILLING_SETTINGS;
    const retries = ({ retryAfterDays, finalAction }: typeof declined) =>
      `${retryAfterDays.join(', ')} days; \`${finalAction}\``;
    for (const [name, value] of Object.entries({
      ...{ hour, askForNewMethod },
      ...{ declined: retries(declined), outOfStock: retries(outOfStock) },
    }))
      expect(PAGE).toContain(`| \`${name}\` | ${value} |`);
  });
});
