/** The Swift client against the service: compiled, and run with a Keychain and a browser that the test controls. */
import { describeJourney } from '../native/journey.suite.ts';
import { describeReadings } from '../native/readings.suite.ts';
import { buildPhone } from './build-phone.ts';

const built = buildPhone();
describeJourney('Swift', built);
describeReadings('Swift', built, ['', '{', '{"a" 1}', 'nul', '1 2', '['.repeat(100_000)]);
