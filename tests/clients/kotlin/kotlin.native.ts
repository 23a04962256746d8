/** The Kotlin client against the service: compiled, and run on the JVM. */
import { describeJourney } from '../native/journey.suite.ts';
import { describeReadings } from '../native/readings.suite.ts';
import { buildPhone } from './build-phone.ts';

const built = buildPhone();
describeJourney('Kotlin', built);
// The client has a parser of its own.
describeReadings('Kotlin', built, [
  ...['', '{', '[1,]', '{"a":1,}', '01', '"\n"', '{"a" 1}', 'nul', '1 2'],
  '['.repeat(100_000),
]);
