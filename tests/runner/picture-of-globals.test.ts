/** Checks that changes of a test file to the engine's own objects do not reach the next file of its worker. */
import vm from 'node:vm';
import { expect, test } from '@jest/globals';
import { pictureOf } from './picture-of-globals.mjs';

/** Returns the remaining effect of a script that ran between the snapshot and its restoration. */
function leftOf(script: string, expression: string): unknown {
  const global = vm.createContext(vm.constants.DONT_CONTEXTIFY);
  const picture = pictureOf(global);
  vm.runInContext(script, global);
  picture.putBack();
  return vm.runInContext(expression, global);
}

test.each([
  ['a global', 'globalThis.left = 1', 'typeof left', 'undefined'],
  ['a deleted one', 'delete globalThis.Map', 'typeof Map', 'function'],
  ['another clock', 'Date = class extends Date {}', 'Date.name + new Date(0).constructor.length', 'Date7'],
  [
    'another function of a built-in',
    'Math.random = () => 4; JSON.parse = 1',
    'typeof JSON.parse',
    'function',
  ],
  ['a name that all objects have', 'Object.prototype.left = 1', '({}).left', undefined],
  ['a method of all lists', 'Array.prototype.map = 1', 'typeof [].map', 'function'],
  [
    'a getter',
    'Object.defineProperty(Error.prototype, "name", { get: () => 1 })',
    'new Error().name',
    'Error',
  ],
])('%s', (_what, script, expression, expected) => {
  expect(leftOf(script, expression)).toBe(expected);
});
