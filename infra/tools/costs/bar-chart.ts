/** A chart of horizontal bars as SVG, for the docs. Plain text out of numbers: the same numbers give the same file. */

type BarPart = { readonly value: number; readonly fill: string };
export type Bar = { readonly label: string; readonly parts: readonly BarPart[]; readonly text: string };
export type BarChart = {
  /** The words for people who do not see the chart. */
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly legend?: readonly { readonly label: string; readonly fill: string }[];
  /** A line across all bars, at a value. */
  readonly mark?: { readonly at: number; readonly label: string };
  /** Values from this one on; with it the axis is logarithmic. */
  readonly logarithmicFrom?: number;
};

const WIDTH = 860;
const LEFT = 330;
const BARS = 400;
const ROW = 34;

export function barChart(chart: BarChart): string {
  const { bars, legend = [], mark, logarithmicFrom } = chart;
  const most = Math.max(...bars.map(({ parts }) => total(parts)), mark?.at ?? 0);
  const scale = (value: number) =>
    logarithmicFrom === undefined
      ? (value / most) * BARS
      : (Math.log(Math.max(value, logarithmicFrom) / logarithmicFrom) / Math.log(most / logarithmicFrom)) *
        BARS;
  const top = legend.length > 0 || mark !== undefined ? 44 : 16;
  const height = top + bars.length * ROW + 10;
  const rows = bars.map((bar, index) => row(bar, { y: top + index * ROW, scale }));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeXml(chart.label)}" font-family="system-ui, sans-serif" font-size="14">
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
<g fill="#1d2433">
${[...legend.flatMap(legendEntry), ...markLines(mark, { scale, top, height }), ...rows].join('\n')}
</g>
</svg>
`;
}

function row(
  { label, parts, text }: Bar,
  { y, scale }: { y: number; scale: (value: number) => number },
): string {
  let sum = 0;
  const rects = parts.map(({ value, fill }) => {
    const from = scale(sum);
    sum += value;
    return `<rect x="${px(LEFT + from)}" y="${y}" width="${px(scale(sum) - from)}" height="22" fill="${fill}"/>`;
  });
  return `<text x="${LEFT - 12}" y="${y + 16}" text-anchor="end">${escapeXml(label)}</text>
${rects.join('')}
<text x="${px(LEFT + 8 + scale(sum))}" y="${y + 16}" stroke="#ffffff" stroke-width="4" paint-order="stroke">${escapeXml(text)}</text>`;
}

function legendEntry({ label, fill }: { label: string; fill: string }, index: number): string[] {
  const x = LEFT + index * 96;
  return [
    `<rect x="${x}" y="12" width="14" height="14" fill="${fill}"/>`,
    `<text x="${x + 20}" y="24">${escapeXml(label)}</text>`,
  ];
}

type Frame = { scale: (value: number) => number; top: number; height: number };

function markLines(mark: BarChart['mark'], { scale, top, height }: Frame): string[] {
  if (mark === undefined) return [];
  const x = px(LEFT + scale(mark.at));
  return [
    `<line x1="${x}" y1="${top - 8}" x2="${x}" y2="${height - 8}" stroke="#b42318" stroke-width="2"/>`,
    `<text x="${x}" y="${top - 14}" text-anchor="middle" fill="#b42318">${escapeXml(mark.label)}</text>`,
  ];
}

function total(parts: readonly BarPart[]): number {
  return parts.reduce((sum, { value }) => sum + value, 0);
}

function px(value: number): string {
  return value.toFixed(1);
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
