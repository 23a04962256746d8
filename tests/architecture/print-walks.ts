/** Prints how long each walk is: `node tests/architecture/print-walks.ts`, with `--files` the files too. */

import { checkArrow } from './check-arrow.ts';
import { countWalk } from './count-walk.ts';
import { readArrows } from './source-tree.ts';
import { createWalkWorld } from './walk-world.ts';
import { WALKS, type WalkName } from './walks.ts';

const wrong = readArrows(process.cwd()).filter((arrow) => checkArrow(arrow) !== undefined);
const world = await createWalkWorld();
for (const name of Object.keys(WALKS) as WalkName[]) {
  const files = await countWalk(world, name);
  // An entered file that imports one from a room above it: the reader goes back up.
  const climbs = wrong.filter(({ from, to }) => files.includes(from) && files.includes(to));
  console.log(`${name}: ${files.length} files entered, ${climbs.length} climbs back`);
  if (process.argv.includes('--files')) console.log(files.map((file) => `  ${file}`).join('\n'));
}
await world.close();
process.exit();
