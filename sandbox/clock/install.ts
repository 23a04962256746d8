/**
 * Replaces the global `Date` by one that follows the movable clock. Programs that run the local stack import this file
 * first.
 */
import { installShiftedDate } from './shifted-date.mjs';

installShiftedDate();
