/** The installed package of the tests in one file: packing takes longer than most of them. */
import { afterAll, beforeAll } from '@jest/globals';
import { type InstalledPackage, installPackage } from './installed-package.ts';

export let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installPackage();
});

afterAll(() => installed?.remove());
