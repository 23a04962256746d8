/** Checks that imports follow the order of `rooms.ts`: only downwards, and without cycles. */
import { dirname } from 'node:path';
import { expect, test } from '@jest/globals';
import { checkArrow, roomOf } from './check-arrow.ts';
import { type Edge, findCircles, shortestWayRound } from './find-circles.ts';
import { ISLANDS } from './rooms.ts';
import { type Arrow, listFiles, readArrows } from './source-tree.ts';

const ROOT = process.cwd();
const files = listFiles(ROOT);
const arrows = readArrows(ROOT, files);

const fileEdges = arrows.map(({ from, to }): Edge => [from, to]);
const folderEdges = arrows
  .map(({ from, to }): Edge => [dirname(from), dirname(to)])
  .filter(([from, to]) => from !== to);

/** Shows the circle from folder to folder, with an import for each step. */
function describeFolders(circle: string[]): string {
  const inside = folderEdges.filter(([from, to]) => circle.includes(from) && circle.includes(to));
  const way = shortestWayRound(inside, circle[0] ?? '');
  const steps = way.slice(1).map((to, index) => {
    const isStep = (arrow: Arrow) => dirname(arrow.from) === way[index] && dirname(arrow.to) === to;
    const example = arrows.find(isStep);
    return `    ${example?.from} imports ${example?.to}`;
  });
  return [`  ${circle.join(', ')}; the shortest way round from the first:`, ...steps].join('\n');
}

function describeFiles(circle: string[]): string {
  const inside = fileEdges.filter(([from, to]) => circle.includes(from) && circle.includes(to));
  return `  ${shortestWayRound(inside, circle[0] ?? '').join('\n    imports ')}`;
}

test('each source file stands in a room', () => {
  const isIsland = (file: string) => ISLANDS.some(({ folder }) => file.startsWith(`${folder}/`));
  expect(files.filter((file) => roomOf(file) === undefined && !isIsland(file))).toEqual([]);
});

test('arrows run down only', () => {
  const wrong = arrows.flatMap((arrow) => checkArrow(arrow) ?? []);
  expect(wrong.map(({ message }) => message).join('\n')).toBe('');
});

test.each([
  ['graphql/compile/a.ts', 'graphql/run/b.ts', 'graphql/compile itself may not use graphql/run'],
  [
    'graphql/policy/limits/a.ts',
    'graphql/policy/b.ts',
    'the subfolders of graphql/policy may not use graphql/policy itself',
  ],
  [
    'lib/subscriptions/a.ts',
    'lib/subscriptions/pause/b.ts',
    'lib/subscriptions itself may not use the subfolders of lib/subscriptions',
  ],
  ['lib/domain/a.ts', 'graphql/schema/b.ts', 'lib/domain itself may not use graphql/schema'],
  ['functions/compose/a.ts', 'infra/definition/b.ts', 'functions/compose may not use infra/definition'],
  ['sandbox/local/a.ts', 'tests/b.ts', 'sandbox/local may not use tests'],
  ['operator/a.ts', 'sandbox/local/b.ts', 'operator and sandbox/local know nothing of each other'],
  [
    'lib/stores/lifecycle/a.ts',
    'lib/sign-in/sessions/b.ts',
    'the subfolders of lib/stores and the subfolders of lib/sign-in know nothing of each other',
  ],
  [
    'functions/headless-auth/a.ts',
    'functions/admin-graphql/b.ts',
    'know nothing of each other: what both use belongs in a room below both',
  ],
  ['infra/cdk/a.ts', 'sandbox/aws/b.ts', 'infra/cdk and sandbox know nothing of each other'],
  ['sandbox/platform/a.ts', 'lib/domain/b.ts', 'nothing in sandbox/platform imports from outside'],
  ['lib/http/a.ts', 'clients/typescript/b.ts', 'only tests and sandbox/demo and examples may import clients'],
])('%s may not import %s', (from, to, why) => {
  expect(checkArrow({ from, to })?.message).toContain(why);
});

test.each([
  ['graphql/run/a.ts', 'graphql/compile/b.ts'],
  ['graphql/compile/a.ts', 'graphql/compile/selection/b.ts'],
  ['lib/subscriptions/pause/a.ts', 'lib/subscriptions/b.ts'],
  ['sandbox/local/a.ts', 'sandbox/platform/b.ts'],
  ['tests/lib/a.ts', 'clients/typescript/b.ts'],
  ['examples/web/src/a.tsx', 'clients/typescript/b.ts'],
  ['examples/mobile/a.ts', 'clients/typescript/b.ts'],
])('%s may import %s', (from, to) => {
  expect(checkArrow({ from, to })).toBeUndefined();
});

test('folders stand in no circle', () => {
  expect(findCircles(folderEdges).map(describeFolders).join('\n')).toBe('');
});

test('files stand in no circle', () => {
  expect(findCircles(fileEdges).map(describeFiles).join('\n')).toBe('');
});
