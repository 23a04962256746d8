/** Measures the CPU time of the read that checks whether a token's session is active. */
import { composeStorage } from '../../../functions/compose/compose-storage.ts';
import { readEnvironment } from '../../../lib/config/environment.ts';
import { createSessionRepository } from '../../../lib/storage/sessions/sessions.ts';
import { session } from '../fixtures.ts';

/** Microseconds of CPU a read, the median of rounds after a warm-up. */
export async function measure(isQuick: boolean): Promise<object> {
  const storage = composeStorage(readEnvironment(), () => undefined);
  const sessions = createSessionRepository({ ...storage, readsQuota: true });
  const [warmUp, reads, rounds] = isQuick ? [20, 20, 1] : [4_000, 1_000, 5];
  const round = async (count: number) => {
    const cpu = process.cpuUsage();
    for (let read = 0; read < count; read++) await sessions.findWithStore(session as never);
    const { user, system } = process.cpuUsage(cpu);
    return (user + system) / count;
  };
  await round(warmUp);
  const times: number[] = [];
  for (let count = 0; count < rounds; count++) times.push(await round(reads));
  return { tableReadUs: times.sort((a, b) => a - b)[Math.floor(times.length / 2)] };
}
