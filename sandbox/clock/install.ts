/** Imported first by whatever runs the local stack: from here on `Date` follows the movable clock. */
import { installShiftedDate } from './shifted-date.mjs';

installShiftedDate();
