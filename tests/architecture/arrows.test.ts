/** The rooms of `rooms.ts` stand on each other as it says: arrows run down only, and never in a circle. */
import { dirname } from 'node:path';
import { expect, test } from '@jest/globals';
import { type Edge, findCircles, shortestWayRound } from './find-circles.ts';
import { judgeArrow, roomOf } from './judge-arrow.ts';
import { KNOWN_FILES_IN_CIRCLES, KNOWN_FOLDERS_IN_CIRCLES, KNOWN_WRONG_ARROWS } from './known.ts';
import { ISLANDS } from './rooms.ts';
import { type Arrow, listFiles, readArrows } from './source-tree.ts';

const ROOT = process.cwd();
const files = listFiles(ROOT);
const arrows = readArrows(ROOT, files);

const fileEdges = arrows.map(({ from, to }): Edge => [from, to]);
const folderEdges = arrows
  .map(({ from, to }): Edge => [dirname(from), dirname(to)])
  .filter(([from, to]) => from !== to);

function groupBy<T>(values: readonly T[], key: (value: T) => string): Map<string, T[]> {
  return Map.groupBy(values, key);
}

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

/** Numbers that are lower than known: whoever sees it may lower what `known.ts` says. */
function tellGone(what: string, key: string, found: number, known: number): void {
  if (found < known) console.info(`${what} ${key}: known.ts says ${known}, there are ${found}.`);
}

test('each source file stands in a room', () => {
  const isIsland = (file: string) => ISLANDS.some(({ folder }) => file.startsWith(`${folder}/`));
  expect(files.filter((file) => roomOf(file) === undefined && !isIsland(file))).toEqual([]);
});

test('arrows run down only', () => {
  const wrong = arrows.flatMap((arrow) => judgeArrow(arrow) ?? []);
  const byRooms = groupBy(wrong, ({ rooms }) => rooms);
  for (const [rooms, known] of Object.entries(KNOWN_WRONG_ARROWS)) {
    tellGone('Wrong arrows', rooms, byRooms.get(rooms)?.length ?? 0, known);
  }
  const more = [...byRooms].filter(([rooms, found]) => found.length > (KNOWN_WRONG_ARROWS[rooms] ?? 0));
  expect(more.flatMap(([, found]) => found.map(({ message }) => message)).join('\n')).toBe('');
});

test('three programs know nothing of each other', () => {
  const between = (from: string, to: string) =>
    judgeArrow({ from: `infra/${from}/a.ts`, to: `infra/${to}/b.ts` });
  expect(between('operator', 'local')?.message).toContain(
    'infra/operator and infra/local know nothing of each other',
  );
  expect(between('cdk', 'emulators/aws')).toBeDefined();
  expect(between('local', 'emulators/aws')).toBeUndefined();
});

test('folders stand in no circle', () => {
  const circles = findCircles(folderEdges);
  for (const folder of KNOWN_FOLDERS_IN_CIRCLES) {
    tellGone('Folder in a circle', folder, circles.flat().includes(folder) ? 1 : 0, 1);
  }
  const isNew = (folder: string) => !KNOWN_FOLDERS_IN_CIRCLES.includes(folder);
  expect(
    circles
      .filter((circle) => circle.some(isNew))
      .map(describeFolders)
      .join('\n'),
  ).toBe('');
});

test('files stand in no circle', () => {
  const circles = findCircles(fileEdges);
  const byArea = groupBy(circles.flat(), (file) => file.split('/').slice(0, 2).join('/'));
  for (const [area, known] of Object.entries(KNOWN_FILES_IN_CIRCLES)) {
    tellGone('Files in circles', area, byArea.get(area)?.length ?? 0, known);
  }
  const more = [...byArea].filter(([area, found]) => found.length > (KNOWN_FILES_IN_CIRCLES[area] ?? 0));
  const isMore = (file: string) => more.some(([, found]) => found.includes(file));
  expect(
    circles
      .filter((circle) => circle.some(isMore))
      .map(describeFiles)
      .join('\n'),
  ).toBe('');
});
